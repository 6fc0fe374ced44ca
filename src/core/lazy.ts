// Values that are built on first use.

/**
 * Builds the value on the first call. Schemas are built this way, because a request needs only one, and building all of
 * them would take longer than the rest of the Worker's start.
 */
export function lazy<Value>(build: () => Value): () => Value {
  let built: Value | undefined;
  return () => (built ??= build());
}
