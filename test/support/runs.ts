// Setup file of the projects with property tests.
import fc from "fast-check";

/** The number of runs or rows of a test: all of them with `npm run test:full`, otherwise a tenth or less. */
export const runs = (all: number, divisor = 10): number =>
  import.meta.env["FULL_RUNS"] === "on" ? all : Math.ceil(all / divisor);

fc.configureGlobal({ numRuns: runs(100) });
