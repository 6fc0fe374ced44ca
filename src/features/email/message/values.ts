// Values that partners have typed, without what could make a message look like another one.
import { withoutInvisible } from "../../../core/values/plain-text.ts";

/** The value as one line, without control characters. */
const oneLine = (value: string) => withoutInvisible(value.replace(/[\p{Cc}\p{Z}]+/gu, " "));

/** One line of at most `max` characters. */
export function shortened(value: string, max: number): string {
  const line = oneLine(value);
  const characters = Array.from(line);
  return characters.length > max
    ? `${characters
        .slice(0, max - 1)
        .join("")
        .trim()}…`
    : line;
}

/** The lines of a text, without control characters. Several empty lines become one. */
export function linesOf(text: string): string[] {
  const lines = text.split(/\r\n|[\n\r\u0085\u2028\u2029]/).map(oneLine);
  return lines.filter((line, index) => {
    if (line !== "") return true;
    return lines[index - 1] !== "" && index > 0 && lines.slice(index).some(Boolean);
  });
}
