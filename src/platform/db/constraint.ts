// Recognises errors of D1 that report a failed constraint.

/** The name of the CHECK constraint that failed. `undefined` for other errors. */
export function constraintOf(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  // Drizzle wraps D1's error as the cause.
  const [, name] = /CHECK constraint failed: (\w+)/.exec(error.message) ?? [];
  return name ?? constraintOf(error.cause);
}

/** Whether a UNIQUE constraint of the table failed. */
export function isDuplicate(error: unknown, table: string): boolean {
  if (!(error instanceof Error)) return false;
  const text = `UNIQUE constraint failed: ${table}.`;
  return error.message.includes(text) || isDuplicate(error.cause, table);
}
