// What operators are told: one JSON object a line, never a secret, never a recipient's data.

/** Something failed that the caller may not even notice. Errors are written whole. */
export function logFault(what: string, error: unknown, about: Record<string, unknown> = {}): void {
  console.error(JSON.stringify({ fault: what, ...about, ...describe(error) }));
}

function describe(error: unknown): Record<string, unknown> {
  if (!(error instanceof Error)) return { error: String(error) };
  // D1 wraps what SQLite said.
  return { error: error.stack, ...(error.cause instanceof Error && { cause: error.cause.stack }) };
}
