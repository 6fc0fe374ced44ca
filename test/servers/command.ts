// Commands as processes, with the pinned Node first in the PATH, as npm sets it.
import { execFile } from "node:child_process";
import path from "node:path";
import { PROJECT_ROOT } from "../../src/cli/paths.ts";

export const BIN = path.join(PROJECT_ROOT, "node_modules/.bin");
export const NODE = path.join(BIN, "node");
export const OPS = path.join(PROJECT_ROOT, "src/cli/ops.ts");

export interface Done {
  code: number;
  out: string;
  err: string;
}

/** Runs the command to its end with `input` as its standard input. */
export function run(
  file: string,
  words: string[],
  env: Record<string, string> = {},
  input = "",
): Promise<Done> {
  return new Promise((resolve) => {
    const PATH = `${BIN}${path.delimiter}${process.env["PATH"] ?? ""}`;
    const options = { cwd: PROJECT_ROOT, env: { ...process.env, PATH, ...env } };
    const child = execFile(file, words, options, (_error, out, err) => {
      resolve({ code: child.exitCode ?? -1, out, err });
    });
    child.stdin?.end(input);
  });
}
