/** `1, 2, 3 and 40 more`, with at most `max` of the items. */
export function shortList(items: readonly (number | string)[], max: number): string {
  const more = items.length - max;
  return items.slice(0, max).join(", ") + (more > 0 ? ` and ${String(more)} more` : "");
}

/** `1 gift` or `1,200 gifts`. */
export const plural = (count: number, word: string): string =>
  `${count.toLocaleString("en")} ${word}${count === 1 ? "" : "s"}`;
