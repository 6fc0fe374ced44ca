// Which of the schema's rules an error of D1 is about.

/** The name of the CHECK that refused the write; `undefined` for every other error. */
export function constraintOf(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  // A single query of Drizzle's hides D1's error in the cause, a batch throws it as it is.
  const [, name] = /CHECK constraint failed: (\w+)/.exec(error.message) ?? [];
  return name ?? constraintOf(error.cause);
}

/** Whether a batch was refused because a key of its new row in this table is taken. */
export function isDuplicate(error: unknown, table: string): boolean {
  return error instanceof Error && error.message.includes(`UNIQUE constraint failed: ${table}.`);
}
