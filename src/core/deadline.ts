// Deadlines for calls to bindings.

export class DeadlineError extends Error {
  override name = "DeadlineError";
}

/**
 * The result of `call`, or a DeadlineError after `ms`. A call past its deadline is not cancelled: a write may still
 * be carried out.
 */
export async function within<T>(ms: number, what: string, call: Promise<T>): Promise<T> {
  const state: { timer?: ReturnType<typeof setTimeout>; isSettled?: true } = {};
  const settle = () => {
    state.isSettled = true;
    clearTimeout(state.timer);
  };
  call.then(settle, settle);
  // A timer takes longer than the microtasks of a call that is answered in memory, such as the rate limiter's.
  for (let n = 0; n < 4 && !state.isSettled; n++) await Promise.resolve();
  if (state.isSettled) return call;
  const deadline = new Promise<never>((_, reject) => {
    state.timer = setTimeout(() => {
      reject(new DeadlineError(`${what} did not respond within ${String(ms / 1_000)} s`));
    }, ms);
  });
  return Promise.race([call, deadline]);
}
