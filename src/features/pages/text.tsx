// Fills in the texts of the page.
import type { Child } from "hono/jsx";
import type { Locale } from "./language.ts";
import { GAP } from "./texts.ts";

/** The text with elements or text for its placeholders, such as `{company}`. */
export function fill(text: string, values: Record<string, Child>): Child[] {
  const texts = Object.fromEntries(
    Object.entries(values).map(([name, value]) => [name, textOf(value)]),
  );
  return spaced(text, texts)
    .split(/\{(\w+)\}/)
    .map((part, index) => (index % 2 === 0 ? part : values[part]));
}

/** The text inside an element. */
function textOf(child: Child): string {
  if (Array.isArray(child)) return child.map(textOf).join("");
  if (typeof child !== "object" || child === null) return String(child);
  return "children" in child ? child.children.map(textOf).join("") : "";
}

type Values = Record<string, string | number>;

/** The text with text for its placeholders and without gaps, for titles and attributes. */
export const fillText = (text: string, values: Values): string =>
  spaced(text.replaceAll(GAP, ""), values).replace(/\{(\w+)\}/g, (_, name: string) =>
    String(values[name]),
  );

/**
 * A Chinese text with a space between its characters and a value in Latin letters or digits. Japanese, whose texts have
 * kana, has no such spaces.
 */
export function spaced(text: string, values: Values): string {
  if (/[\p{Script=Hiragana}\p{Script=Katakana}]/u.test(text)) return text;
  return text.replace(
    /(?<=(\p{Script=Han})?)\{(\w+)\}(?=(\p{Script=Han})?)/gu,
    (placeholder, before: string | undefined, name: string, after: string | undefined) => {
      const value = String(values[name]);
      const start = before && /^[\p{Script=Latin}\d]/u.test(value) ? " " : "";
      return start + placeholder + (after && /[\p{Script=Latin}\d]$/u.test(value) ? " " : "");
    },
  );
}

/** A name, isolated so that a name written from right to left does not reorder the sentence. */
export function Name({ children }: { children: Child }) {
  return <bdi>{children}</bdi>;
}

/** A label within a sentence: `City` becomes `city`. German nouns and abbreviations such as `ZIP` keep their capitals. */
export function naturalCase(label: string, { language }: { language: string }): string {
  const isName = language.startsWith("de") || /^(\p{Lu}{2}|Eircode)/u.test(label);
  return isName ? label : label.charAt(0).toLowerCase() + label.slice(1);
}

/** A day such as `2027-01-31` in words. */
export function dayInWords(day: string, locale: Locale): string {
  const words = new Date(day).toLocaleDateString(locale.tag, {
    dateStyle: "long",
    timeZone: "UTC",
    calendar: "gregory",
    // The same digits as in the other texts.
    numberingSystem: "latn",
  });
  return locale.language === "fr" ? words.replace(/^1 /, "1er ") : words;
}

export function Day({ day, locale }: { day: string; locale: Locale }) {
  return <time datetime={day}>{dayInWords(day, locale)}</time>;
}
