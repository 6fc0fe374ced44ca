// Keeps the Worker that runs the tests between runs, since its start takes longer than most runs.
import type { PoolRunnerInitializer, PoolWorker } from "vitest/node";

export interface WarmPool extends PoolRunnerInitializer {
  /** Stops the worker, so that the next run starts another. */
  end: () => Promise<void>;
}

/** A pool whose only worker keeps running when Vitest stops it. */
export function keepWarm(pool: PoolRunnerInitializer): WarmPool {
  let worker: PoolWorker | undefined;
  let end = () => Promise.resolve();
  return {
    name: pool.name,
    createPoolWorker: (options) => {
      if (worker) return worker;
      const created = pool.createPoolWorker(options);
      const start = created.start.bind(created);
      const stop = created.stop.bind(created);
      let starting: Promise<void> | undefined;
      created.start = () => (starting ??= Promise.resolve(start()));
      created.stop = () => Promise.resolve();
      end = async () => {
        worker = undefined;
        await stop();
      };
      worker = created;
      return created;
    },
    end: () => end(),
  };
}
