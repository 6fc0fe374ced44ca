// The rule of names that recipients see as the sender of a message.
import * as z from "zod/mini";
import { isPlaceholder, isWordOfName } from "../values/missing-value.ts";
import { requiredText } from "./fields.ts";

/**
 * What mail programs show as a link: a URL, or a domain name in any script. The part after the last dot has at least two
 * letters, so that initials such as `J.R.R.` and degrees such as `Ph.D.` are not domain names.
 */
const ADDRESS = /:\/\/|www\.|[\p{L}\p{N}]\.(?:[\p{L}\p{M}]{2}|xn--)|[\p{L}\p{N}]。[a-z]{2}/iu;

/** Whether the text looks like a web or e-mail address. Full-width and invisible characters do not hide one. */
export function looksLikeAddress(value: string): boolean {
  return ADDRESS.test(value.normalize("NFKC").replace(/\p{Default_Ignorable_Code_Point}/gu, ""));
}

/** One line of text that recipients can take for nothing but a name. */
export function displayName(max: number) {
  return requiredText(max).check(
    z.refine((value) => !/[\t\n\r]/.test(value), "must be one line of text"),
    z.refine(
      (value) => !isPlaceholder(value) && isWordOfName(value),
      "must be a name, not the placeholder of a template or a word such as undefined",
    ),
    z.refine(
      (value) => !looksLikeAddress(value),
      "must be a name, not a web or e-mail address: write a space after a full stop",
    ),
  );
}
