// The day of a time where people are.
import { formatDay } from "./time.ts";

/** The zones in which most people live, of countries with several, unless it is the first one by name. */
const ZONES: Record<string, string> = {
  AU: "Australia/Sydney",
  BR: "America/Sao_Paulo",
  CA: "America/Toronto",
  CL: "America/Santiago",
  ES: "Europe/Madrid",
  GL: "America/Godthab",
  KI: "Pacific/Tarawa",
  MN: "Asia/Ulaanbaatar",
  MX: "America/Mexico_City",
  PF: "Pacific/Tahiti",
  PG: "Pacific/Port_Moresby",
  PT: "Europe/Lisbon",
  RU: "Europe/Moscow",
  US: "America/Chicago",
};

/** `YYYY-MM-DD` in a country, which is given by its code. In UTC if its time zone is unknown. */
export function localDay(epochMs: number, country: string): string {
  // Not in TypeScript's types of the supported versions.
  const locale = new Intl.Locale(`und-${country}`) as Intl.Locale & { getTimeZones?(): string[] };
  const timeZone = ZONES[country] ?? locale.getTimeZones?.()[0];
  // Swedish has this format.
  return timeZone ? new Date(epochMs).toLocaleDateString("sv", { timeZone }) : formatDay(epochMs);
}
