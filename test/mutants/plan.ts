// Selects the test files for a mutant: those that reach its function, the likeliest and fastest first.
import type { Copy } from "./copy.ts";
import { functionsOf, REPORT_HITS, reporting } from "./hits.ts";
import type { Mutant } from "./mutant.ts";

export interface Plan {
  /** The test files in the order to run them; none if no test reaches the mutant. */
  testFilesFor: (mutant: Mutant) => string[];
  /** The time limit of one test file. */
  limitMs: number;
  noteKill: (mutant: Mutant, testFile: string) => void;
}

/** Tests that run the product in another process. The functions that they reach are unknown, and each run is slow. */
const RUNS_ANOTHER_PROCESS =
  /node:child_process|support\/(?:harness|server|command|cloudflare)\.ts/;

/** Runs each test file once, alone, on sources that report their calls. */
export async function makePlan(copies: Copy[], sources: string[]): Promise<Plan> {
  const [first] = copies;
  if (!first) throw new Error("a plan needs a copy");
  const testFiles = first.testFiles.filter((file) => !RUNS_ANOTHER_PROCESS.test(first.read(file)));
  const queue = [...testFiles];
  const durations = new Map<string, number>();
  const reached = new Map<string, Set<string>>();

  await Promise.all(
    copies.map(async (copy) => {
      const changed = [...sources.filter((file) => !file.endsWith(".sql")), ...testFiles];
      const originals = new Map(changed.map((file) => [file, copy.read(file)]));
      for (const [file, text] of originals) {
        copy.write(file, testFiles.includes(file) ? text + REPORT_HITS : reporting(file, text));
      }
      for (let file = queue.shift(); file !== undefined; file = queue.shift()) {
        const startMs = Date.now();
        const outcome = await copy.run([file], FIRST_LIMIT_MS);
        if (!outcome || outcome.failure !== null) {
          const why = outcome
            ? `${String(outcome.failure)}: ${String(outcome.message)}`
            : "timeout";
          throw new Error(`${file} fails without a mutant: ${why}`);
        }
        durations.set(file, Date.now() - startMs);
        for (const name of outcome.functionsHit[file] ?? []) {
          reached.set(name, (reached.get(name) ?? new Set()).add(file));
        }
      }
      for (const [file, text] of originals) copy.write(file, text);
    }),
  );

  const functions = new Map(sources.map((file) => [file, functionsOf(file, first.read(file))]));
  const kills = new Map<string, number>();
  const killKey = (mutant: Mutant, testFile: string) => `${mutant.file} ${testFile}`;
  return {
    testFilesFor: (mutant) => {
      // The known chance that a file kills the mutant, divided by its duration.
      const worth = (file: string) =>
        (1 + (kills.get(killKey(mutant, file)) ?? 0)) / (durations.get(file) ?? 1);
      return filesReaching(mutant).sort((a, b) => worth(b) - worth(a));
    },
    limitMs: Math.max(60_000, 4 * Math.max(...durations.values())),
    noteKill: (mutant, testFile) => {
      const key = killKey(mutant, testFile);
      kills.set(key, (kills.get(key) ?? 0) + 1);
    },
  };

  function filesReaching({ file, start, end }: Mutant): string[] {
    const inFile = functions.get(file) ?? [];
    const around = inFile.filter((each) => each.start <= start && end <= each.end);
    const innermost = around.at(-1);
    // Code outside of functions affects all functions of the file, or those of other files.
    if (!innermost) {
      const files = new Set(inFile.flatMap(({ name }) => [...(reached.get(name) ?? [])]));
      return inFile.length > 0 ? [...files] : [...testFiles];
    }
    return [...(reached.get(innermost.name) ?? [])];
  }
}

const FIRST_LIMIT_MS = 300_000;
