// Paths into JSON values, and changes at them.

/** Every path into a JSON value except the empty one. */
export function pathsOf(value: unknown, path: string[] = []): string[][] {
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, child]) => [
    [...path, key],
    ...pathsOf(child, [...path, key]),
  ]);
}

/** `value` with the part at `path` replaced, or removed if `replacement` is undefined. */
export function mutated(value: unknown, [key, ...rest]: string[], replacement: unknown): unknown {
  if (key === undefined) return replacement;
  const copy = (
    Array.isArray(value) ? [...(value as unknown[])] : { ...(value as object) }
  ) as Record<string, unknown>;
  copy[key] = mutated(copy[key], rest, replacement);
  return copy;
}
