// The code of a digital gift as operators enter it when they record that it is sent.
import * as z from "zod/mini";
import { refusal } from "../../core/api-error.ts";
import { lazy } from "../../core/lazy.ts";
import { day, line, optional, text } from "../../core/validation/fields.ts";
import { validate } from "../../core/validation/validate.ts";
import { withoutInvisible } from "../../core/values/plain-text.ts";
import { expiryOf } from "../../core/values/redeem-by.ts";
import { type CodeEnv, fingerprintsOf, seal } from "../../features/codes/seal.ts";
import type { GivenCode } from "../../features/fulfilment/shipment.ts";
import { isTrackingUrl } from "../../features/fulfilment/tracking.ts";

const httpsUrl = () =>
  text(1_000, withoutInvisible).check(z.refine(isTrackingUrl, "must be an https URL"));

/** Encrypted, the longest texts fit into the column. */
const GivenContent = lazy(() =>
  z.object({
    code: optional(line(200)),
    pin: optional(line(100)),
    url: optional(httpsUrl()),
    valid_until: optional(day()),
  }),
);
export type GivenContent = z.infer<ReturnType<typeof GivenContent>>;

/** Undefined without code, PIN and link. Other fields are ignored. Errors: `validation_error`. */
export function readContent(given: object): GivenContent | undefined {
  const content = validate(GivenContent(), given);
  return (content.code ?? content.pin ?? content.url) === undefined ? undefined : content;
}

/** A gift of an input. */
export interface CodedGift {
  content?: GivenContent | undefined;
  code?: GivenCode;
}

/** Adds the codes of the gifts as they are stored. Errors: `not_allowed_in_state` without the secret. */
export async function sealCodes(
  { CODE_SECRET, CODE_SECRET_PREVIOUS }: Partial<CodeEnv>,
  gifts: readonly CodedGift[],
  nowMs: number,
): Promise<void> {
  const firsts = new Map<string, GivenCode>();
  for (const gift of gifts) {
    if (!gift.content) continue;
    if (CODE_SECRET === undefined) throw refusal("codes need CODE_SECRET. Nothing was changed.");
    const env = { CODE_SECRET, ...(CODE_SECRET_PREVIOUS && { CODE_SECRET_PREVIOUS }) };
    const { code = null, pin = null, url = null, valid_until: until } = gift.content;
    const content = { code, pin, url };
    const { sealed, keyId } = await seal(env, content);
    const fingerprints = code !== null || url === null ? await fingerprintsOf(env, content) : [];
    const expiresAtMs = until === undefined ? undefined : expiryOf(until);
    const given: GivenCode = { sealed, keyId, fingerprints, expiresAtMs };
    if (expiresAtMs !== undefined && expiresAtMs <= nowMs) given.problem = "expiredCode";
    const [fingerprint] = fingerprints;
    if (fingerprint !== undefined) {
      // It is not known to which of the gifts the code belongs.
      const first = firsts.get(fingerprint);
      if (first) first.problem = given.problem = "repeatedCode";
      else firsts.set(fingerprint, given);
    }
    gift.code = given;
  }
}
