// Corrects the data of a recipient until the gift is shipped, or until the recipient has seen its code, for POST
// /api/order/correct, the recipient and the operator.
import { addressErrors, normalAddress } from "../../core/address/check.ts";
import type { AddressRules } from "../../core/address/rules.ts";
import { ApiError, type FieldError, validationError } from "../../core/api-error.ts";
import { emailIs, isAddressRefused } from "../../core/values/email-kinds.ts";
import { splitGiftId, toGiftNumber } from "../../core/values/ids.ts";
import type { Database } from "../../platform/db/sql.ts";
import { lastEmail } from "../schedule/queries.ts";
import { changeGift, type ChangingGift, unknownGift } from "./change.ts";
import type { OrderChange } from "./change-queries.ts";
import type { CorrectionRequest } from "./correction.ts";
import type { Changer } from "./order-key.ts";
import { endedReason, isEntitled, lastLinkReason, presentState } from "./gift-state.ts";
import { decideCodeEmail } from "./send.ts";

/** After this many corrections of a gift, including those by partners and operators, its recipient can make no more. */
export const MAX_CORRECTIONS_BY_LINK = 10;

interface CorrectionContext extends Changer {
  nowMs: number;
  addresses: AddressRules;
  /** The gift link of a recipient who corrects an accepted gift. */
  link?: Pick<ChangingGift, "linkNonce" | "linkGeneration">;
}

/** The given fields. `delivery_notes` are removed if they are null. */
export type Correction = Omit<CorrectionRequest, "delivery_notes"> & {
  delivery_notes?: string | null | undefined;
};

const COLUMN_OF = {
  first_name: "firstName",
  last_name: "lastName",
  email: "email",
  phone_number: "phoneNumber",
  delivery_address: "deliveryAddress",
  delivery_notes: "deliveryNotes",
  delivery_email: "deliveryEmail",
} as const;

/**
 * Corrects the given fields. `delivery_address` is replaced as a whole. If the recipient has the given values already,
 * nothing changes, so the request is safe to repeat, also after the gift was shipped. Errors: `not_found`, `not_correctable`,
 * `validation_error`, and `too_many_requests` for a code. Two round trips.
 */
export function correct(
  db: Database,
  context: CorrectionContext,
  request: Correction,
): Promise<{ gift: ChangingGift; changed: boolean }> {
  const key = { ...context, ...splitGiftId(request.suborder_id) };
  return changeGift(db, key, (gift) => decideCorrection(gift, context, request));
}

/** What the correction changes. Null if the recipient has the given values. Errors: those of `correct`. */
export function decideCorrection(
  gift: ChangingGift,
  context: CorrectionContext,
  request: Correction,
): OrderChange | null {
  const { link, nowMs } = context;
  if (link && !(opens(link, gift) && isEntitled(presentState(gift, nowMs)))) throw unknownGift();
  const { delivery_address: address } = request;
  const given = {
    ...request,
    delivery_address: address && normalAddress(address, context.addresses),
  };
  const corrected = (Object.keys(COLUMN_OF) as (keyof typeof COLUMN_OF)[]).filter(
    (field) => given[field] !== undefined && !isSame(given[field], gift[COLUMN_OF[field]]),
  );
  if (corrected.length === 0) return null;
  const isReplaced = request.keep_link !== true && exposingEmail(gift, request) !== undefined;
  const reason = reasonOf(gift, context) ?? (isReplaced ? lastLinkReason(gift) : null);
  if (reason !== null) {
    const number = toGiftNumber(gift.orderId, gift.sequence);
    throw new ApiError("not_correctable", `${number} cannot be corrected: ${reason}.`);
  }
  const problems = problemsOf(gift, request, context);
  if (problems.length > 0) throw validationError(problems);
  const values = Object.fromEntries(corrected.map((field) => [COLUMN_OF[field], given[field]]));
  return {
    values: {
      ...values,
      ...unblocked(gift, request),
      ...(isReplaced && { linkGeneration: gift.linkGeneration + 1 }),
      ...(isSentAgain(gift, request, isReplaced) && sendingOf(gift, nowMs)),
      corrections: gift.corrections + 1,
    },
    events: [
      { type: "gift.corrected", data: { correctedFields: corrected } },
      ...(isReplaced ? [{ type: "gift.renewed" as const, data: null }] : []),
    ],
  };
}

/**
 * Whether the correction sends an e-mail to the present address: the code, or an invitation if the last e-mail did not
 * arrive or the link that was sent is replaced.
 */
function isSentAgain(gift: ChangingGift, request: NewAddress, isReplaced: boolean): boolean {
  const { emailsStopped, redemptionStatus, inviteAtMs } = gift;
  const isWanted = isReplaced && !isAddressRefused(emailsStopped);
  if (!isWanted && !isMoved(gift, request)) return false;
  if (gift.codeSentAtMs !== null) return gift.sendCodes === 1;
  const last = lastEmail(gift);
  const isUnsent =
    emailsStopped === "bounced" || last?.status === "rejected" || last?.status === "failed";
  const isOpen = redemptionStatus === null && inviteAtMs !== null;
  const isStopped = emailsStopped !== null && !isAddressRefused(emailsStopped);
  return isOpen && !isStopped && (isUnsent || isReplaced);
}

/**
 * A code is sent a few times a day at most, so that neither a leaked link nor a faulty program sends it to many addresses.
 * Errors: `too_many_requests`.
 */
const sendingOf = (gift: ChangingGift, nowMs: number): OrderChange["values"] =>
  gift.codeSentAtMs === null
    ? { sendAtMs: nowMs }
    : decideCodeEmail({ ...gift, emailsStopped: null }, nowMs).values;

/** The last e-mail with the present link that may have arrived at an address that the correction replaces. */
export function exposingEmail(gift: ChangingGift, { email, delivery_email }: NewAddress) {
  const isSameDelivery = (delivery_email ?? gift.deliveryEmail) === gift.deliveryEmail;
  if ((email ?? gift.email) === gift.email && isSameDelivery) return undefined;
  const emails = gift.emails.filter((each) => each.linkGeneration === gift.linkGeneration);
  // A killed run may have sent what has failed for an unknown reason.
  return emails.findLast((each) => emailIs("mayHaveArrived", each) || each.reason === "unknown");
}

type NewAddress = Pick<Correction, "email" | "delivery_email">;

/** Whether e-mails go to another address than before. */
const isMoved = (
  { email, deliveryEmail }: ChangingGift,
  { email: newEmail = email, delivery_email: newDeliveryEmail }: NewAddress,
) => (newDeliveryEmail ?? deliveryEmail ?? newEmail) !== (deliveryEmail ?? email);

/** Another address gets e-mails again after a bounce or a complaint. */
export const unblocked = (gift: ChangingGift, address: NewAddress): OrderChange["values"] =>
  isAddressRefused(gift.emailsStopped) && isMoved(gift, address) ? { emailsStopped: null } : {};

const isSame = (given: unknown, present: unknown) =>
  JSON.stringify(given) === JSON.stringify(present);

const opens = (link: NonNullable<CorrectionContext["link"]>, gift: ChangingGift) =>
  link.linkNonce === gift.linkNonce && link.linkGeneration === gift.linkGeneration;

/** Why a recipient can no longer correct where an accepted gift is sent. */
export type CorrectionRefusal = "tooLate" | "tooOften";

/** A gift that was sent can be corrected until its code is opened. `openedAtMs` is undefined without a code. */
export function correctionRefusal(
  { fulfilment, corrections }: Pick<ChangingGift, "fulfilment" | "corrections">,
  openedAtMs: number | null | undefined,
): CorrectionRefusal | null {
  if (fulfilment === "shipped" && openedAtMs !== null) return "tooLate";
  return corrections < MAX_CORRECTIONS_BY_LINK ? null : "tooOften";
}

/** Why the gift cannot be corrected. Null if it can. */
export function reasonOf(
  gift: ChangingGift,
  { nowMs, link }: Pick<CorrectionContext, "nowMs" | "link">,
): string | null {
  const { codeSentAtMs, codeOpenedAtMs, delivery, erasedAtMs } = gift;
  const refusal = correctionRefusal(gift, codeSentAtMs === null ? undefined : codeOpenedAtMs);
  if (refusal === "tooLate" && erasedAtMs === null)
    return `it is ${delivery === "digital" ? "sent" : "shipped"}`;
  return endedReason(gift, nowMs) ?? (link && refusal ? "it was corrected too often" : null);
}

/** The fields that are not valid for the gift. */
function problemsOf(
  gift: ChangingGift,
  { delivery_address: address, delivery_email: email, ...names }: Correction,
  { clientId, addresses, nowMs }: CorrectionContext,
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
    ...(email === undefined || (isDigital && isEntitled(presentState(gift, nowMs)))
      ? []
      : [
          {
            field: "delivery_email",
            message: "is only for a digital gift that is redeemed or bought. Correct email instead",
          },
        ]),
  ];
}
