// Setup file of the projects with property tests.
import fc from "fast-check";

/** The number of runs of a property test: all of them with `npm run test:full`, otherwise a tenth. */
export const runs = (all: number): number =>
  import.meta.env["FULL_RUNS"] === "on" ? all : Math.ceil(all / 10);

fc.configureGlobal({ numRuns: runs(100) });
