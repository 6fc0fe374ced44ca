// The report of a run: the share of detected mutants by file, and the survivors.
import { readFileSync } from "node:fs";
import path from "node:path";
import type { Mutant } from "./mutant.ts";

export interface Result extends Pick<Mutant, "file" | "line" | "key"> {
  /** The test that detected it, or null for a survivor. */
  killedBy: string | null;
}

/** A survivor that no test needs to detect, with the reason. */
interface Accepted extends Pick<Mutant, "file" | "key"> {
  why: string;
}

const GOAL_PERCENT = 95;

const accepted = JSON.parse(
  readFileSync(path.join(import.meta.dirname, "accepted.json"), "utf8"),
) as Accepted[];

/** Prints the report. False if the goal is missed or the list of accepted survivors is out of date. */
export function report(results: Result[], generated: Mutant[]): boolean {
  const files = [...new Set(results.map(({ file }) => file))].sort();
  console.log("\nkilled  mutants  file");
  for (const file of files)
    printShare(
      file,
      results.filter((each) => each.file === file),
    );
  const percent = printShare("all", results);

  const survivors = results
    .filter(({ killedBy }) => killedBy === null)
    .sort((a, b) => a.file.localeCompare(b.file) || a.line - b.line);
  const unexplained = survivors.filter((survivor) => !reasonFor(survivor));
  console.log(`\n${String(survivors.length)} survived, ${String(unexplained.length)} unexplained:`);
  for (const survivor of survivors) {
    const { file, line, key } = survivor;
    console.log(`${file}:${String(line)}  ${key}`);
    console.log(`    ${reasonFor(survivor) ?? "UNEXPLAINED"}`);
  }

  const sources = new Set(generated.map(({ file }) => file));
  const stale = accepted.filter(
    ({ file, key }) =>
      sources.has(file) && !generated.some((mutant) => mutant.file === file && mutant.key === key),
  );
  for (const { file, key } of stale) console.log(`accepted.json names no mutant: ${file}  ${key}`);
  return percent >= GOAL_PERCENT && unexplained.length === 0 && stale.length === 0;
}

function printShare(name: string, results: Result[]): number {
  const killed = results.filter(({ killedBy }) => killedBy !== null).length;
  const percent = (100 * killed) / results.length;
  console.log(`${percent.toFixed(1).padStart(5)}%  ${String(results.length).padStart(7)}  ${name}`);
  return percent;
}

const reasonFor = (result: Result) =>
  accepted.find(({ file, key }) => file === result.file && key === result.key)?.why;
