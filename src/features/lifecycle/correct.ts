// Corrects the data of a recipient until the gift is shipped, for POST /api/order/correct and the operator.
import { ApiError, type FieldError, validationError } from "../../core/api-error.ts";
import { retrying } from "../../platform/db/faults.ts";
import type { Database } from "../../platform/db/statement.ts";
import { addressErrors, checkAddress } from "../../core/address/check.ts";
import type { AddressRules } from "../../core/address/rules.ts";
import { planEmails } from "../orders/email-queries.ts";
import { countryOf } from "../../core/values/country.ts";
import { splitSuborderId, suborderNumber } from "../../core/values/ids.ts";
import type { CorrectionRequest } from "./contract.ts";
import {
  type CorrectableGift,
  type CorrectingLink,
  type CorrectionParams,
  MAX_CORRECTIONS_BY_LINK,
  NO_LINK,
  readCorrection,
  writeCorrection,
} from "./correction-queries.ts";
import { endedReason } from "./gift-state.ts";

interface CorrectionContext {
  /** Null for the operator, who may correct the recipients of all clients. */
  clientId: string | null;
  nowMs: number;
  addresses: AddressRules;
  /** The link by which a recipient corrects an accepted gift. */
  link?: CorrectingLink;
}

/** The given fields. `delivery_notes` are removed if they are null. */
export type Correction = Omit<CorrectionRequest, "delivery_notes"> & {
  delivery_notes?: string | null | undefined;
};

export interface Corrected {
  orderId: number;
  sequence: number;
  gift: CorrectableGift;
  /** False if the recipient had the given values already. */
  corrected: boolean;
}

/**
 * Corrects the given fields. `delivery_address` is replaced as a whole. If the recipient has the given values already,
 * nothing changes, so the request is safe to repeat, also after the gift was shipped. Returns the reason if the correction
 * is refused. One round trip, and three if the recipient gets e-mails and the e-mail or delivery address is given.
 */
export async function correct(
  db: Database,
  context: CorrectionContext,
  request: Correction,
): Promise<Corrected | ApiError> {
  const params = paramsOf(context, request);
  // A failed attempt may have been committed. The next attempt then changes nothing.
  const written = await retrying(() => writeCorrection(db, params));
  if (!written) return unknownGift();
  const { gift, corrected, isSame } = written;
  const { orderId, sequence } = params;
  if (isSame) {
    const isReaddressed = request.email !== undefined || request.delivery_address !== undefined;
    const isPlanned = gift.nextEmail !== null;
    if (corrected && isReaddressed && isPlanned)
      await planEmails(db, { orderId, sequence }, context.nowMs);
    return { orderId, sequence, gift, corrected };
  }
  const refusal = refusalOf(gift, request, context);
  if (!refusal) throw new Error("the guard refused a correction that the rules allow");
  return refusal;
}

/** What `correct` would do now: `corrected` is false if nothing would change. One round trip, which writes nothing. */
export async function planCorrection(
  db: Database,
  context: CorrectionContext,
  request: CorrectionRequest,
): Promise<Corrected | ApiError> {
  const params = paramsOf(context, request);
  const state = await readCorrection(db, params);
  if (!state) return unknownGift();
  const { gift, isSame } = state;
  const refusal = isSame ? null : refusalOf(gift, request, context);
  const { orderId, sequence } = params;
  return refusal ?? { orderId, sequence, gift, corrected: !isSame };
}

/** The postcode of the address is written as in its country. */
function paramsOf(
  { clientId, nowMs, link, addresses }: CorrectionContext,
  { suborder_id, ...given }: Correction,
): CorrectionParams {
  const rules = { locations: [], isRequired: true };
  const checked = given.delivery_address && checkAddress(given.delivery_address, addresses, rules);
  const problems = [...(checked?.problems.values() ?? [])];
  const country = checked?.address.country?.trim();
  return {
    clientId,
    nowMs,
    ...(link ?? NO_LINK),
    ...splitSuborderId(suborder_id),
    fields: JSON.stringify({ ...given, delivery_address: checked?.address }),
    isComplete: problems.length === 0 ? 1 : 0,
    isValid: problems.every((problem) => problem === "required") ? 1 : 0,
    country: country ? (countryOf(country) ?? country) : null,
  };
}

const unknownGift = () => new ApiError("not_found", "You have no such gift.");

/** Why the correction is refused. Null if the gift's state allows it and the values are valid. */
function refusalOf(
  gift: CorrectableGift,
  { suborder_id, ...fields }: Correction,
  context: CorrectionContext,
): ApiError | null {
  const reason = reasonOf(gift, context);
  if (reason !== null) {
    const { orderId, sequence } = splitSuborderId(suborder_id);
    const number = suborderNumber(orderId, sequence);
    return new ApiError("not_correctable", `${number} cannot be corrected: ${reason}.`);
  }
  const problems = problemsOf(gift, fields, context);
  return problems.length > 0 ? validationError(problems) : null;
}

/** Why the gift cannot be corrected. Null if its state allows it. */
function reasonOf(gift: CorrectableGift, { nowMs, link }: CorrectionContext): string | null {
  const isShipped = gift.hasShipment && gift.erasedAtMs === null;
  if (isShipped) return `it is ${gift.delivery === "digital" ? "sent" : "shipped"}`;
  const isTooOften = link && gift.corrections >= MAX_CORRECTIONS_BY_LINK;
  return endedReason(gift, nowMs) ?? (isTooOften ? "it was corrected too often" : null);
}

/** The fields that are not valid for the gift. The guard of the statements has the same rules. */
function problemsOf(
  gift: CorrectableGift,
  { delivery_address: address, delivery_email: email, ...names }: Omit<Correction, "suborder_id">,
  { clientId, addresses }: CorrectionContext,
): FieldError[] {
  const isDigital = gift.delivery === "digital";
  const isRedeemed = gift.redemptionStatus === "redeemed";
  // Only partners may know a part of an address before the recipient enters it.
  const isRequired =
    !isDigital && (isRedeemed || gift.giftOrderMethod === "api-purchase" || clientId === null);
  const { first_name: first = gift.firstName, last_name: last = gift.lastName } = names;
  return [
    ...(first || last
      ? []
      : [{ field: "first_name", message: "must not be removed together with last_name" }]),
    ...(address ? addressErrors(address, addresses, { ...gift, isRequired }) : []).map(
      ({ field, message }) => ({ field: `delivery_address.${field}`, message }),
    ),
    ...(email === undefined || (isDigital && isRedeemed)
      ? []
      : [
          {
            field: "delivery_email",
            message: "is only for a digital gift that is redeemed. Correct email instead",
          },
        ]),
  ];
}
