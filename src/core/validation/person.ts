// Schemas of the data of a person.
import * as z from "zod/mini";
import { isPersonName, normalName } from "../values/person-name.ts";
import { text } from "./fields.ts";

/** The maximum number of characters in each field. */
export const RECIPIENT_MAX_LENGTHS = { first_name: 100, last_name: 100, phone_number: 50 } as const;

export const MAX_DELIVERY_NOTES_LENGTH = 500;

/** A first or last name. It may be empty, for somebody who has one name: `oneName`. */
export const personName = () =>
  text(RECIPIENT_MAX_LENGTHS.first_name, normalName).check(
    z.refine(
      (name) => name === "" || isPersonName(name),
      "must be a name with a letter, and without the placeholder of a template. Leave out a name that a person does not have",
    ),
  );

/** Requires a first or a last name. */
export const oneName = () =>
  z.superRefine<{ first_name?: string | undefined; last_name?: string | undefined }>(
    ({ first_name: first, last_name: last }, context) => {
      if (first || last) return;
      const message = "is required unless last_name is set";
      context.addIssue({ code: "custom", path: ["first_name"], message });
    },
  );

/** At least six digits of any script, and no letters but those before an extension: `+61 2 5550 0100 ext. 12`. */
const PHONE_NUMBER = /^(?:[^\p{Nd}\p{L}]*\p{Nd}){6}[^\p{L}]*(?:(?:x|ext|extension)[^\p{L}]*)?$/iu;

/** A phone number in free notation. It may be empty. */
export const phoneNumber = () =>
  text(RECIPIENT_MAX_LENGTHS.phone_number).check(
    z.refine(
      (number) => number.trim() === "" || PHONE_NUMBER.test(number.normalize("NFKC")),
      "must be a phone number with six digits or more, and no letters but x or ext before an extension",
    ),
  );
