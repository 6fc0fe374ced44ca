// Suggests a known parameter for an unknown one.

/** Longer names get no suggestion, which bounds the cost of the comparison. */
const MAX_LENGTH = 40;

/** The nearest of the names that contain the given one, or differ from it in at most half of its characters. */
export function nearestName(given: string, names: readonly string[]): string | undefined {
  if (given.length > MAX_LENGTH) return undefined;
  const [nearest] = names
    .map((name) => ({ name, distance: distanceOf(given, name) }))
    .filter(({ name, distance }) => name.includes(given) || distance <= given.length / 2)
    .sort((a, b) => a.distance - b.distance);
  return nearest?.name;
}

/** The Levenshtein distance: how many characters to insert, delete or replace. */
function distanceOf(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (const [index, character] of Array.from(from).entries()) {
    const next = [index + 1];
    for (let column = 0; column < to.length; column++) {
      const replaced = (row[column] as number) + (character === to[column] ? 0 : 1);
      next.push(Math.min(replaced, (row[column + 1] as number) + 1, (next[column] as number) + 1));
    }
    row = next;
  }
  return row[to.length] as number;
}
