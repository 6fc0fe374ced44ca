// The operator's commands on a local database of the test file. They run in the process of the test: a process of its own
// takes several times as long, because it loads wrangler.
import { AsyncLocalStorage } from "node:async_hooks";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { format } from "node:util";
import { afterAll, expect } from "vitest";
import { PROJECT_ROOT } from "../../src/cli/paths.ts";
import { runProgram } from "../../src/cli/program.ts";
import type { Done } from "./command.ts";
import { copyMigrated } from "./migrated.ts";

export const SEED = path.join(PROJECT_ROOT, "seed/catalogue.json");

// As in src/cli/ops.ts.
process.env["WRANGLER_LOG"] ??= "error";

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

/** Runs a command line in this process. */
export async function runOps(...words: string[]): Promise<Done> {
  const output = { out: "", err: "" };
  const code = await printed.run(output, () => runProgram(words));
  return { code, ...output };
}

export interface OperatorsMachine {
  folder: string;
  /** The target of `withBindings`. */
  local: { environment: "local"; persistTo: string };
  ops: (...words: string[]) => Promise<Done>;
  /** Runs a command that must succeed, and returns its JSON output. */
  json: <T>(...words: string[]) => Promise<T>;
  /** Runs a command that must be refused with this exit code and one sentence without a stack. */
  refusal: (code: number, text: string, ...words: string[]) => Promise<void>;
}

/** Creates a database, and deletes it after the tests of the file. */
export function operatorsMachine(): OperatorsMachine {
  const folder = mkdtempSync(path.join(tmpdir(), "regalo-ops-"));
  const ops = (...words: string[]) => runOps("--persist-to", folder, ...words);

  copyMigrated(folder);

  afterAll(() => {
    rmSync(folder, { recursive: true, force: true });
  });

  return {
    folder,
    local: { environment: "local", persistTo: folder },
    ops,
    json: async <T>(...words: string[]) => {
      const { code, out, err } = await ops("--json", ...words);
      expect(code, err).toBe(0);
      return JSON.parse(out) as T;
    },
    refusal: async (code, text, ...words) => {
      const done = await ops(...words);
      expect(done.err).toContain(text);
      expect(done.err).not.toMatch(/\n\s+at /);
      expect(done.code).toBe(code);
    },
  };
}
