// Converts values of shop exports to values of a catalogue file.
import { shortDigest } from "../../../core/values/digest.ts";
import { type Currency, decimalsOf } from "../../../core/values/iso.ts";
import { parseAmount } from "../../../core/values/money.ts";
import { plural } from "../../../core/values/plural.ts";
import { decimalMarkOf, readNumber } from "../../files/numbers.ts";

/**
 * The minor units of a price such as "25", "19.9", "19,90", "1.234,50" or "12.5000". Undefined if the text is not an
 * amount of the currency, or if it has three digits after the point in a currency with fewer decimals: "1.500" means 1500
 * in some countries.
 */
export function parsePrice(text: string, currency: Currency): number | undefined {
  // With separators of thousands, only the last one can be the decimal mark.
  const plain = /[.,\s][^.,\s]*[.,]/.test(text) ? (readNumber(text, undefined) ?? text) : text;
  if (/\.\d{3}$/.test(plain) && decimalsOf(currency) < 3) return undefined;
  const amount = plain.replace(/^(\d+),(\d{1,2})$/, "$1.$2");
  const short = amount.includes(".") ? amount.replace(/\.?(?<!0)0+$/, "") : amount;
  return parseAmount(short, currency);
}

/**
 * The id of an attribute, for shops that identify attributes by name: 31 bits of a hash of the name. An attribute has
 * the same id on all products and in later files.
 */
export const attributeId = (name: string): number =>
  (shortDigest(name.trim().toLowerCase()) >>> 1) + 1;

interface MeasureOptions {
  /** What is measured, for notes: "Weights". */
  name: string;
  /** The unit of the column. */
  unit: string;
  /** The value of one unit in kg or cm. Undefined for an unknown unit. */
  factor: number | undefined;
  texts: readonly string[];
}

/** Units so small that `1,800` is not 1.8 of them. */
const SMALL = ["g", "mm"];

/**
 * Returns a function that converts a measure of the file to kg or cm, as text with at most four decimals, and notes that
 * show how. What is not a number, or has an unknown unit, is left out.
 */
export function measureReader({ name, unit, factor, texts }: MeasureOptions) {
  const given = texts.filter((text) => text !== "");
  const hasCommas = given.some((text) => text.includes(","));
  const mark = decimalMarkOf(given, SMALL.includes(unit) === hasCommas ? "." : ",");
  const read = (text: string): string => {
    const value = factor === undefined ? undefined : readNumber(text, mark);
    if (value === undefined) return "";
    return String(Math.round(Number(value) * (factor ?? 0) * 10_000) / 10_000);
  };
  const isRead = (text: string) => read(text) !== "";
  const sample = given.find((text) => isRead(text) && /[.,\s]/.test(text)) ?? given.find(isRead);
  const unread = given.filter((text) => !isRead(text));
  const notes = [
    ...(sample === undefined
      ? []
      : [
          `${name} are in ${unit}: "${sample}" is ${read(sample)} ${name === "Weights" ? "kg" : "cm"}.`,
        ]),
    ...(unread[0] === undefined
      ? []
      : [
          `${plural(unread.length, "value")} of ${name.toLowerCase()} cannot be read and are left out, such as "${unread[0]}".`,
        ]),
  ];
  return { read, notes };
}

/** The paths without the spaces that a shop adds: `A>B ` → `A > B`. Empty ones are left out. */
export const categoryPaths = (paths: readonly string[]): string[] => {
  const named = paths.map((path) =>
    path
      .split(">")
      .map((name) => name.trim())
      .filter((name) => name !== "")
      .join(" > "),
  );
  return [...new Set(named)].filter((path) => path !== "");
};
