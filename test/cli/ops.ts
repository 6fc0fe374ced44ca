// The operator's commands in the process of the test, on the database that its file has opened (platform.ts). A process
// of its own takes several times as long, because it loads wrangler.
import { AsyncLocalStorage } from "node:async_hooks";
import path from "node:path";
import { format } from "node:util";
import { expect } from "vitest";
import { PROJECT_ROOT } from "../../src/cli/paths.ts";
import { runProgram } from "../../src/cli/program.ts";
import type { Done } from "../servers/command.ts";

export const SEED = path.join(PROJECT_ROOT, "seed/catalogue.json");

// As in src/cli/ops.ts.
process.env["WRANGLER_LOG"] ??= "error";

/** The operator whom commands of the cli project ask for confirmation. */
export const operator = {
  answer: true,
  questions: [] as string[],
  answerTo(question: string): Promise<boolean> {
    operator.questions.push(question);
    return Promise.resolve(operator.answer);
  },
};

/** What the command that is running prints. Several commands may run at the same time. */
const printed = new AsyncLocalStorage<Pick<Done, "out" | "err">>();

function capture(stream: "out" | "err", write: (text: string) => unknown) {
  return (text: unknown): unknown => {
    const output = printed.getStore();
    if (!output) return write(String(text));
    output[stream] += String(text);
    return true;
  };
}

for (const [stream, name, method] of [
  ["out", "stdout", "log"],
  ["err", "stderr", "error"],
] as const) {
  const write = capture(stream, process[name].write.bind(process[name]));
  process[name].write = write as typeof process.stdout.write;
  // Vitest's console does not write to these streams.
  const print = console[method].bind(console);
  console[method] = (...values: unknown[]) => {
    if (printed.getStore()) write(`${format(...values)}\n`);
    else print(...values);
  };
}

/** The words of a command line, whose first part may be several words, such as `client add acme --name "Acme Ltd"`. */
export const wordsOf = ([first = "", ...rest]: string[]): string[] => [
  ...(first.match(/"[^"]*"|\S+/g) ?? []).map((word) => word.replaceAll('"', "")),
  ...rest,
];

/** Runs a command line in this process. */
export async function runOps(...words: string[]): Promise<Done> {
  const output = { out: "", err: "" };
  const code = await printed.run(output, () => runProgram(wordsOf(words)));
  return { code, ...output };
}

/** Runs a command that must succeed, and returns its JSON output. */
export async function json<T>(...words: string[]): Promise<T> {
  const { code, out, err } = await runOps("--json", ...wordsOf(words));
  expect(code, err).toBe(0);
  return JSON.parse(out) as T;
}

/** Runs a command that must be refused with this exit code and one sentence without a stack. */
export async function refusal(code: number, text: string, ...words: string[]): Promise<void> {
  const done = await runOps(...words);
  expect(done.err).toContain(text);
  expect(done.err).not.toMatch(/\n\s+at /);
  expect(done.code).toBe(code);
}
