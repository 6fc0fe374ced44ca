// A process that runs tests in its copy of the project, one run after the other, in one Vitest.
import { globSync } from "node:fs";
import path from "node:path";
import { createVitest, type TestSpecification } from "vitest/node";
import { keepWarm } from "./warm.ts";

/** The test files to run, in this order, up to the first failure. */
export interface Job {
  testFiles: string[];
  /** Files of the copy that changed since the last run. */
  changed: string[];
}

export interface Outcome {
  /** The first test that failed, or an error outside of tests; null if all tests passed. */
  failure: string | null;
  /** The message of the failure. */
  message: string | null;
  /** True if a test reached its time limit, which may happen on a busy machine. */
  timedOut: boolean;
  /** By test file. */
  functionsHit: Record<string, string[]>;
}

const root = process.cwd();
// As set by the command line of Vitest. Miniflare then fetches no request metadata.
process.env["NODE_ENV"] = "test";

/** Vitest takes the order of files from a class. */
let order: string[] = [];
class GivenOrder {
  sort(specifications: TestSpecification[]) {
    const place = ({ moduleId }: TestSpecification) => order.indexOf(path.relative(root, moduleId));
    return Promise.resolve([...specifications].sort((a, b) => place(a) - place(b)));
  }
  shard(specifications: TestSpecification[]) {
    return Promise.resolve(specifications);
  }
}

const vitest = await createVitest("test", {
  root,
  config: path.join(root, "vitest.config.ts"),
  project: ["worker", "node", "cli"],
  watch: false,
  bail: 1,
  maxWorkers: 1,
  // Reports progress, since a run of many files may take long.
  reporters: [
    {
      onTestModuleEnd: () => {
        process.send?.(null);
      },
    },
  ],
  onConsoleLog: () => false,
  sequence: { sequencer: GivenOrder },
});
const pools = vitest.projects.flatMap((project) => {
  const { poolRunner } = project.config;
  if (!poolRunner) return [];
  const warm = keepWarm(poolRunner);
  project.config.poolRunner = warm;
  project.config.setupFiles.unshift(path.join(root, "test/mutants/fresh.ts"));
  return [warm];
});
const specifications = await vitest.globTestSpecifications();

let runs = 0;

async function run({ testFiles, changed }: Job): Promise<Outcome> {
  for (const file of changed) vitest.invalidateFile(path.join(root, file));
  // Migrations are read when the Worker starts.
  if (changed.some((file) => file.endsWith(".sql")))
    await Promise.all(pools.map(({ end }) => end()));
  for (const file of globSync("{src,test}/**/*.{ts,tsx}", { cwd: root })) {
    vitest.watcher.invalidates.add(path.join(root, file));
  }
  vitest.provide("mutantRun" as never, ++runs as never);
  order = testFiles;
  // Vitest counts the failures of earlier runs towards `bail` and reports them again.
  vitest.state.filesMap.clear();
  vitest.state.idMap.clear();
  vitest.state.clearErrors();
  const wanted = specifications.filter(({ moduleId }) =>
    testFiles.includes(path.relative(root, moduleId)),
  );
  const { testModules, unhandledErrors } = await vitest.runTestSpecifications(wanted);
  const failures = [
    ...testModules.flatMap((module) => [
      ...[...module.children.allTests("failed")].map((test) => ({
        name: `${module.relativeModuleId} > ${test.fullName}`,
        errors: test.result().errors ?? [],
      })),
      ...module.errors().map((error) => ({ name: module.relativeModuleId, errors: [error] })),
      ...[...module.children.allSuites()].flatMap((suite) =>
        suite.errors().map((error) => ({ name: suite.fullName, errors: [error] })),
      ),
    ]),
    ...unhandledErrors.map((error) => ({ name: `unhandled: ${String(error)}`, errors: [] })),
  ];
  const [first] = failures;
  return {
    failure: first?.name ?? null,
    message: first?.errors[0]?.message ?? null,
    timedOut: first?.errors.some(({ message }) => message.includes("timed out")) ?? false,
    functionsHit: Object.fromEntries(
      testModules.map((module) => [
        module.relativeModuleId,
        (module.meta() as { functionsHit?: string[] }).functionsHit ?? [],
      ]),
    ),
  };
}

process.on("message", (job: Job) => {
  void run(job).then(
    (outcome) => process.send?.(outcome),
    (error: unknown) =>
      process.send?.({
        failure: "outside of tests",
        message: String(error),
        timedOut: false,
        functionsHit: {},
      } satisfies Outcome),
  );
});
process.on("disconnect", () => process.exit());
process.send?.(specifications.map(({ moduleId }) => path.relative(root, moduleId)));
