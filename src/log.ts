// The log of faults: a JSON object on each line. It must not contain secrets or personal data.

/** Logs a fault, with the stack of the error and of its cause. The request itself may still succeed. */
export function logFault(
  what: string,
  error: unknown,
  context: Record<string, unknown> = {},
): void {
  console.error(JSON.stringify({ fault: what, ...context, ...describe(error) }));
}

function describe(error: unknown): Record<string, unknown> {
  if (!(error instanceof Error)) return { error: String(error) };
  // D1's error has SQLite's as its cause.
  return { error: error.stack, ...(error.cause instanceof Error && { cause: error.cause.stack }) };
}
