// Mutation testing: makes one small change to the sources at a time and lists the changes that no test detects.
import { appendFileSync, existsSync, mkdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { parseArgs } from "node:util";
import { PROJECT_ROOT } from "../../src/cli/paths.ts";
import { type Copy, makeCopy } from "./copy.ts";
import { applied, type Mutant } from "./mutant.ts";
import { makePlan, type Plan } from "./plan.ts";
import { report, type Result } from "./report.ts";
import { mutantsIn, sourceFiles, TARGETS } from "./sources.ts";

const USAGE = `npm run test:mutants -- [path…] [options]

  path…          source files or folders (default: ${TARGETS.join(", ")})
  --sample N     only N mutants, chosen by --seed
  --seed N       which sample (default 1)
  --survivors    only those that survived when they were last tried
  --untried      only those that have not been tried, as after a run that was ended
  --lanes N      test processes at a time (default 2)
  --list         name the mutants and run nothing`;

/** The results of all tries, one line of JSON each. */
const TRIED = path.join(PROJECT_ROOT, "node_modules/.cache/mutants.jsonl");

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    sample: { type: "string" },
    seed: { type: "string", default: "1" },
    lanes: { type: "string", default: "2" },
    survivors: { type: "boolean", default: false },
    untried: { type: "boolean", default: false },
    list: { type: "boolean", default: false },
    help: { type: "boolean", default: false },
  },
});

const idOf = ({ file, key }: Pick<Mutant, "file" | "key">) => `${file} ${key}`;

if (values.help) {
  console.log(USAGE);
} else {
  const files = sourceFiles(positionals.length > 0 ? positionals : TARGETS);
  const generated = files.flatMap(mutantsIn);
  const mutants = chosen(generated);
  if (values.list) {
    for (const { file, line, key } of mutants) console.log(`${file}:${String(line)}  ${key}`);
    console.log(mutants.length);
  } else {
    const results = await runAll(mutants, files);
    process.exitCode = report(results, generated) ? 0 : 1;
  }
}

function chosen(mutants: Mutant[]): Mutant[] {
  const tried = readTried();
  const candidates = mutants.filter((mutant) => {
    const last = tried.get(idOf(mutant));
    return (!values.survivors || last?.killedBy === null) && (!values.untried || !last);
  });
  if (values.sample === undefined) return candidates;
  const random = mulberry32(Number(values.seed));
  return candidates
    .map((mutant) => ({ mutant, rank: random() }))
    .sort((a, b) => a.rank - b.rank)
    .slice(0, Number(values.sample))
    .map(({ mutant }) => mutant);
}

async function runAll(mutants: Mutant[], sources: string[]): Promise<Result[]> {
  const copies = await Promise.all(Array.from({ length: Number(values.lanes) }, makeCopy));
  const removeCopies = () => {
    for (const copy of copies) copy.remove();
  };
  for (const signal of ["SIGINT", "SIGTERM"] as const) {
    process.once(signal, () => {
      removeCopies();
      process.exit(1);
    });
  }
  try {
    console.log(`${String(mutants.length)} mutants; finding out which tests reach them`);
    const plan = await makePlan(copies, sources);
    const queue = [...mutants];
    const results: Result[] = [];
    await Promise.all(
      copies.map(async (copy) => {
        for (let mutant = queue.shift(); mutant; mutant = queue.shift()) {
          const killedBy = await kill(copy, plan, mutant);
          const { file, line, key } = mutant;
          const result = { file, line, key, killedBy };
          results.push(result);
          remember(result);
          const sign = killedBy === null ? "SURVIVED" : "killed  ";
          console.log(
            `${sign} ${file}:${String(line)}  ${key}${killedBy ? `  [${killedBy}]` : ""}`,
          );
        }
      }),
    );
    return results;
  } finally {
    removeCopies();
  }
}

/** The test that detects the mutant, or null. */
async function kill(copy: Copy, plan: Plan, mutant: Mutant): Promise<string | null> {
  const testFiles = plan.testFilesFor(mutant);
  if (testFiles.length === 0) return null;
  const original = copy.read(mutant.file);
  copy.write(mutant.file, applied(original, mutant));
  let outcome = await copy.run(testFiles, plan.limitMs);
  if (outcome?.timedOut) outcome = await copy.run(testFiles, plan.limitMs);
  copy.write(mutant.file, original);
  if (!outcome) return "timeout";
  const killer = testFiles.find((file) => outcome.failure?.startsWith(file));
  if (killer) plan.noteKill(mutant, killer);
  return outcome.failure;
}

/** The last try of each mutant. */
function readTried(): Map<string, Result> {
  if (!existsSync(TRIED)) return new Map();
  const lines = readFileSync(TRIED, "utf8").trimEnd().split("\n");
  return new Map(lines.map((line) => JSON.parse(line) as Result).map((each) => [idOf(each), each]));
}

function remember(result: Result): void {
  mkdirSync(path.dirname(TRIED), { recursive: true });
  appendFileSync(TRIED, `${JSON.stringify(result)}\n`);
}

/** A random number generator with a seed. */
function mulberry32(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  };
}
