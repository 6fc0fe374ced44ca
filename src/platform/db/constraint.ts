// Recognises errors of D1 that report a failed constraint.

/** The name of the CHECK constraint that failed. `undefined` for other errors. */
export function constraintOf(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  // Drizzle wraps D1's error as the cause.
  const [, name] = /CHECK constraint failed: (\w+)/.exec(error.message) ?? [];
  return name ?? constraintOf(error.cause);
}

/** Whether a UNIQUE constraint of the table failed. D1 names the index, which begins with the table, if it has an expression. */
export function isDuplicate(error: unknown, table: string): boolean {
  if (!(error instanceof Error)) return false;
  const text = new RegExp(`UNIQUE constraint failed: (${table}\\.|index '${table}_)`);
  return text.test(error.message) || isDuplicate(error.cause, table);
}
