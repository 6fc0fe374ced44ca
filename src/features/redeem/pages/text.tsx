// Fills in the texts of the page.
import type { Child } from "hono/jsx";
import type { Locale } from "../language.ts";

/** The text with elements or text for its placeholders, such as `{company}`. */
export function fill(text: string, values: Record<string, Child>): Child[] {
  return text.split(/\{(\w+)\}/).map((part, index) => (index % 2 === 0 ? part : values[part]));
}

/** The text with text for its placeholders, for titles and attributes. */
export function fillText(text: string, values: Record<string, string | number>): string {
  return text.replace(/\{(\w+)\}/g, (_, name: string) => String(values[name]));
}

/** A name, isolated so that a name written from right to left does not reorder the sentence. */
export function Name({ children }: { children: Child }) {
  return <bdi>{children}</bdi>;
}

/** A label within a sentence: `City` becomes `city`. German nouns and abbreviations such as `ZIP` keep their capitals. */
export function naturalCase(label: string, { language }: Locale): string {
  const isName = language === "de" || /^(\p{Lu}{2}|Eircode)/u.test(label);
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
