// The operator's commands as processes, on a local database of the test file.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect } from "vitest";
import { PROJECT_ROOT, WRANGLER } from "../../src/cli/paths.ts";
import { type Done, NODE, OPS, run } from "./command.ts";

export const SEED = path.join(PROJECT_ROOT, "seed/catalogue.json");

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

/** Creates the database before the tests of a file, and deletes it after them. */
export function operatorsMachine(): OperatorsMachine {
  const folder = mkdtempSync(path.join(tmpdir(), "regalo-ops-"));
  const ops = (...words: string[]) => run(NODE, [OPS, "--persist-to", folder, ...words]);

  beforeAll(async () => {
    const words = ["d1", "migrations", "apply", "DB", "--local", "--persist-to", folder];
    const { code, err } = await run(WRANGLER, words, { CI: "true" });
    expect(code, err).toBe(0);
  }, 120_000);

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
