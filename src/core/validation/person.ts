// Schemas of the data of a person.
import * as z from "zod/mini";
import { isMissingValue, isWordOfName, placeholderIn } from "../values/missing-value.ts";
import { normalName } from "../values/name.ts";
import { isPersonName } from "../values/person-name.ts";
import { inPlainLetters } from "../values/plain-text.ts";
import { textField } from "./fields.ts";

/** The maximum number of characters in each field. */
export const RECIPIENT_MAX_LENGTHS = { first_name: 100, last_name: 100, phone_number: 50 } as const;

export const MAX_DELIVERY_NOTES_LENGTH = 500;

const NAME_RULE =
  "must be a name with a letter, and without the placeholder of a template. Leave out a name that a person does not have";

/** A text for people. The placeholder of a template is refused. A word such as `undefined` becomes an empty text. */
export const letter = (max: number) =>
  textField(max, (given) => (isMissingValue(given) ? "" : given)).check(
    z.refine((given) => placeholderIn(given) === undefined, {
      error: ({ input }) =>
        `must not contain the placeholder of a template: ${placeholderIn(input as string) ?? ""}`,
    }),
  );

/** A first or last name, which may be empty, for somebody who has one name: `oneName`. */
export const personName = () =>
  textField(RECIPIENT_MAX_LENGTHS.first_name, normalName).check(
    z.refine((name) => name === "" || isPersonName(name), NAME_RULE),
  );

/** Refuses two empty names, and a word such as `null` unless it is a name beside the other one (`isWordOfName`). */
export const oneName = () =>
  z.superRefine<{ first_name?: string | undefined; last_name?: string | undefined }>(
    ({ first_name: first, last_name: last }, context) => {
      const refuse = (field: string, message: string) => {
        context.addIssue({ code: "custom", path: [field], message });
      };
      if (first === "" && last === "") refuse("first_name", "is required unless last_name is set");
      if (first && !isWordOfName(first, last)) refuse("first_name", NAME_RULE);
      if (last && !isWordOfName(last, first)) refuse("last_name", NAME_RULE);
    },
  );

/** At least six digits of any script, and no letters but those before an extension: `+61 2 5550 0100 ext. 12`. */
const PHONE_NUMBER = /^(?:[^\p{Nd}\p{L}]*\p{Nd}){6}[^\p{L}]*(?:(?:x|ext|extension)[^\p{L}]*)?$/iu;

/** The number in digits of normal width. Empty for a word such as `NA`, which responses contain if there is no number. */
export const normalPhone = (given: string) => (isMissingValue(given) ? "" : inPlainLetters(given));

/** A phone number in free notation. It may be empty. */
export const phoneNumber = () =>
  textField(RECIPIENT_MAX_LENGTHS.phone_number, normalPhone).check(
    z.refine(
      (number) => number === "" || PHONE_NUMBER.test(number),
      "must be a phone number with six digits or more, and no letters but x or ext before an extension",
    ),
  );
