// The names of recipients, on pages and in e-mails.
import { fullName } from "../../core/values/person-name.ts";
import type { PageGift } from "./gift.ts";
import type { Language, Locale } from "./language.ts";

type PersonName = Pick<PageGift, "firstName" | "lastName">;

const CHINESE: readonly Language[] = ["zh", "zh-Hant"];

/** The full name. Pages in Chinese have no space between the family name and the first name. */
export const nameOnPage = (person: PersonName, { language }: Locale): string =>
  fullName(person, CHINESE.includes(language) ? "" : " ");

/** Whether the family name is the first one in the page's language. */
export const isFamilyFirst = ({ language }: Locale) => [...CHINESE, "ja"].includes(language);

/** The name in a greeting: the first name. The full name in Japanese and Chinese. */
export const greetingName = (person: PersonName, locale: Locale) =>
  isFamilyFirst(locale) ? nameOnPage(person, locale) : person.firstName || person.lastName;
