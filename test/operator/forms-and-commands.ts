// The inputs of operations in forms, in the addresses of pages and in command lines.
import { runProgram } from "../../src/cli/operations/program.ts";
import { argumentsOf } from "../../src/console/skin/paths.ts";
import type { Operation } from "../../src/operator/declaration/declare.ts";
import type { ConsoleUser } from "../console/console.ts";

/** The fields of a form. */
export const formOf = (operation: Operation, input: Readonly<Record<string, unknown>>) =>
  Object.fromEntries(
    Object.entries(input)
      .filter(([each]) => !argumentsOf(operation).includes(each))
      .map(([each, value]) => [each, value instanceof File ? value : textOf(value)]),
  );

/** The query of the page with the inputs that select objects. */
export const queryOf = (operation: Operation, input: Readonly<Record<string, unknown>>) =>
  new URLSearchParams(
    argumentsOf(operation).flatMap((name) =>
      input[name] === undefined ? [] : [[name, textOf(input[name])]],
    ),
  ).toString();

export const textOf = (value: unknown): string =>
  Array.isArray(value) ? value.map(String).join("\n") : value === true ? "yes" : String(value);

/** Runs a command, whose requests the console answers for the user. */
export async function runCommand(user: ConsoleUser, words: string[], files: readonly File[] = []) {
  const output = { out: "", err: "" };
  const requests: { input: Record<string, unknown>; status: number }[] = [];
  const code = await runProgram(words, {
    fetch: async (url, init) => {
      const { pathname, search, searchParams } = new URL(url as URL);
      const { html, status, headers } = await user.fetch(pathname + search, init);
      const { body } = init ?? {};
      const sent =
        body instanceof FormData
          ? Object.fromEntries(body)
          : JSON.parse((body as string | null) ?? "{}");
      for (const own of ["limit", "after"]) searchParams.delete(own);
      requests.push({ input: { ...Object.fromEntries(searchParams), ...sent }, status });
      return new Response(html, { status, headers });
    },
    write: async (_file, parts) => {
      for await (const part of parts) output.out += part;
    },
    note: (text) => {
      output.err += `${text}\n`;
    },
    confirm: undefined,
    progress: () => () => undefined,
    open: (name) => {
      const file = files.find((each) => each.name === name);
      return file ? Promise.resolve(file) : Promise.reject(new Error(`no file ${name}`));
    },
  });
  return { code, requests, ...output };
}
