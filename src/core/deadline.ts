// Deadlines for calls to bindings.

export class DeadlineError extends Error {
  override name = "DeadlineError";
}

/**
 * The result of `call`, or a DeadlineError after `ms`. A call past its deadline is not cancelled: a write may still
 * be carried out.
 */
export async function within<T>(ms: number, what: string, call: Promise<T>): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const deadline = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      reject(new DeadlineError(`${what} did not respond within ${String(ms / 1_000)} s`));
    }, ms);
  });
  try {
    return await Promise.race([call, deadline]);
  } finally {
    clearTimeout(timer);
  }
}
