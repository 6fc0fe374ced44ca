// Values that are built on first use.

/**
 * Builds the value on the first call. Schemas are built this way: building all of them would take longer than the rest of
 * the Worker's start, and a request needs only one. If only types use a schema, mark the call with a PURE comment, so
 * that the bundler removes it.
 */
export function lazy<Value>(build: () => Value): () => Value {
  let built: Value | undefined;
  return () => (built ??= build());
}
