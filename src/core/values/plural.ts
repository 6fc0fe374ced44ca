/** `1 gift` or `1,200 gifts`. */
export const plural = (count: number, word: string): string =>
  `${count.toLocaleString("en")} ${word}${count === 1 ? "" : "s"}`;
