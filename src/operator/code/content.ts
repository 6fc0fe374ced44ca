// What the recipient of a digital gift gets, as operators and the files of suppliers give it.
import * as z from "zod/mini";
import { ApiError } from "../../core/api-error.ts";
import { lazy } from "../../core/lazy.ts";
import { dayField, line, optionalField } from "../../core/validation/fields.ts";
import { validate } from "../../core/validation/validate.ts";
import { expiryOf } from "../../core/values/redeem-by.ts";
import { formatDay } from "../../core/values/time.ts";
import { type CodeContent, type CodeEnv, seal } from "../../features/codes/seal.ts";
import type { GivenCode } from "../../features/fulfilment/shipment.ts";
import { recipientLink } from "../../features/fulfilment/tracking.ts";
import { damageIn } from "../files/damage.ts";
import { dateReader } from "../files/dates.ts";
import { isNothing } from "../files/numbers.ts";

/** Encrypted, the longest texts fit into the column. */
const Content = lazy(() =>
  z.object({
    code: optionalField(line(200)),
    pin: optionalField(line(100)),
    url: optionalField(recipientLink()),
    valid_until: optionalField(dayField()),
  }),
);

export interface GivenContent {
  content: CodeContent;
  expiresAtMs: number | undefined;
}

/** Undefined without code, PIN and link. Other fields are ignored. Errors: `validation_error`. */
export function readContent(given: object): GivenContent | undefined {
  const { code = null, pin = null, url = null, valid_until: until } = validate(Content(), given);
  if ((code ?? pin ?? url) === null) return undefined;
  return { content: { code, pin, url }, expiresAtMs: expiryOf(until ?? "") };
}

/** A code that its supplier has not given out yet. */
const WAITING =
  /^(?:(?:pending|awaiting|processing|see|to (?:be|follow))(?: |$)|(?:tb[acd]|unknown)$)/i;
/** Words of a sentence or a state, in which a code would have digits. */
const areWords = (text: string) => /\s/.test(text) && /\p{Ll}/u.test(text) && !/\p{N}/u.test(text);
/** Digits or letters that were hidden, as in `****1234` and `XXX-XXX`. */
const HIDDEN = /[*•●#]{2}|…|\.{3}|x{4}|(?:\bx{3}\b[^x]*){2}|\bending in\b/i;
const NEVER = /^(?:never|unlimited|no (?:expiry|expiration)|does not expire|non[- ]?expiring)/i;

/**
 * The content of a row, or why it is not valid, which does not contain a code. An address in the place of the code is the
 * link.
 */
export function contentIn(
  get: (column: keyof z.infer<ReturnType<typeof Content>>) => string,
  readDay?: ReturnType<typeof dateReader>,
): GivenContent | string | undefined {
  const textOf = (name: "code" | "pin" | "url") => (isNothing(get(name)) ? "" : get(name));
  const given = { code: textOf("code"), pin: textOf("pin"), url: textOf("url") };
  if (given.url === "" && /https?:\/\//i.test(given.code)) {
    given.url = given.code;
    given.code = "";
  }
  for (const [name, value] of Object.entries(given)) {
    if (damageIn(value.replaceAll(/\s/g, "")) !== undefined)
      return `has a ${name} that was changed by a spreadsheet. Format the column as text and export it again`;
    if (WAITING.test(value) || areWords(value) || /^[^\p{L}\p{N}]+$/u.test(value))
      return `has words or signs in place of its ${name}`;
    if (name !== "url" && HIDDEN.test(value)) return `has a ${name} of which a part is hidden`;
  }
  const until = NEVER.test(get("valid_until")) ? "" : get("valid_until");
  const read = readDay ?? dateReader([until], { isLast: true });
  const atMs = isNothing(until) ? null : read(until);
  if (atMs === undefined) return "has a last day that is not a day, such as 2027-12-31";
  let content: GivenContent | undefined;
  const fault = faultOf(() => {
    content = readContent({ ...given, valid_until: atMs === null ? "" : formatDay(atMs) });
  });
  return fault ?? content;
}

/** Why the values of a row are not valid. Null if they are. */
export function faultOf(check: () => void): string | null {
  try {
    check();
    return null;
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return `is not valid: ${error.message.replace(/\.$/, "")}`;
  }
}

/** A gift of an input. */
export interface CodedGift {
  content?: GivenContent | undefined;
  code?: GivenCode;
}

/** Adds the codes of the gifts as they are stored. Errors: `not_allowed_in_state` without the secret. */
export async function sealCodes(env: CodeEnv, gifts: readonly CodedGift[], nowMs: number) {
  const firsts = new Map<string, GivenCode>();
  for (const gift of gifts) {
    if (!gift.content) continue;
    const { content, expiresAtMs } = gift.content;
    const { sealed, keyId, fingerprint, earlierFingerprint } = await seal(env, content);
    const isLink = content.code === null && content.url !== null;
    const fingerprints = isLink ? [] : [fingerprint, earlierFingerprint];
    const code: GivenCode = { sealed, keyId, fingerprints, expiresAtMs };
    if (expiresAtMs !== undefined && expiresAtMs <= nowMs) code.problem = "expiredCode";
    // It is not known to which of the gifts the code belongs.
    const first = isLink ? undefined : firsts.get(fingerprint);
    if (first) first.problem = code.problem = "repeatedCode";
    else if (!isLink) firsts.set(fingerprint, code);
    gift.code = code;
  }
}
