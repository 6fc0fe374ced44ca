// Makes the clock and the timers of the Worker faster, so that a stall of a minute takes seconds. Import it first.
export const SPEED = 10;

const realNow = Date.now.bind(Date);
const realSetTimeout = globalThis.setTimeout.bind(globalThis);

let startMs: number | undefined;

Date.now = () => {
  const nowMs = realNow();
  // The clock is 0 while the Worker starts.
  if (nowMs === 0) return 0;
  startMs ??= nowMs;
  return startMs + (nowMs - startMs) * SPEED;
};

globalThis.setTimeout = ((work: () => void, ms = 0) =>
  realSetTimeout(work, ms / SPEED)) as typeof globalThis.setTimeout;

/** Waits in real time. */
export const pause = (ms: number) =>
  new Promise<void>((resolve) => {
    realSetTimeout(resolve, ms);
  });
