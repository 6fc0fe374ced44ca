// Corrects the data of a recipient until the gift is shipped.
import { ApiError, refusal, validationError } from "../../core/api-error.ts";
import { giftNumber } from "../../core/values/ids.ts";
import { formatDateTime } from "../../core/values/time.ts";
import { validate } from "../../core/validation/validate.ts";
import { CorrectionRequest } from "../../features/lifecycle/correction.ts";
import { type ChangingGift, requireGiftToChange } from "../../features/lifecycle/change.ts";
import { operatorGiftKey, NO_CLIENT } from "../../features/lifecycle/order-key.ts";
import {
  correct,
  decideCorrection,
  exposingEmail,
  reasonOf,
} from "../../features/lifecycle/correct.ts";
import { ADDRESS_MAX_LENGTHS } from "../../core/address/address.ts";
import { addressDoubts } from "../../core/address/check.ts";
import { MAX_DELIVERY_NOTES_LENGTH, RECIPIENT_MAX_LENGTHS } from "../../core/validation/person.ts";
import { ADDRESS_RULES } from "../address-rules.ts";
import { change, type ValueChange } from "../declaration/declare.ts";
import * as kinds from "../declaration/kinds.ts";
import { readSendingText } from "../email/sending.ts";
import { emailText } from "../order/timeline.ts";

const { optional, nullable } = kinds;

const text = (label: string, max: number) => kinds.text(label, { max });

const ADDRESS = {
  address_line_1: optional(text("Street and number", ADDRESS_MAX_LENGTHS.address_line_1)),
  address_line_2: nullable(text("Unit or company", ADDRESS_MAX_LENGTHS.address_line_2)),
  suburb: optional(text("Suburb or city", ADDRESS_MAX_LENGTHS.suburb)),
  state: nullable(text("State or province", ADDRESS_MAX_LENGTHS.state)),
  // Some countries have no postcodes.
  postcode_zipcode: nullable(text("Postcode", ADDRESS_MAX_LENGTHS.postcode_zipcode)),
  country: optional(text("Country, such as AU", ADDRESS_MAX_LENGTHS.country)),
};

const VALUES = {
  first_name: nullable(text("First name", RECIPIENT_MAX_LENGTHS.first_name)),
  last_name: nullable(text("Last name", RECIPIENT_MAX_LENGTHS.last_name)),
  email: optional(kinds.email("E-mail address")),
  delivery_email: optional(
    kinds.email("E-mail address for the delivery", { hint: "Only of an accepted digital gift." }),
  ),
  phone_number: nullable(text("Phone number", RECIPIENT_MAX_LENGTHS.phone_number)),
  delivery_notes: nullable(
    kinds.lines("Notes for the delivery", { max: MAX_DELIVERY_NOTES_LENGTH }),
  ),
  ...ADDRESS,
};

/** Corrects the given values. One transaction. */
export const recipientCorrect = change({
  name: "recipient correct",
  title: "Correct the recipient",
  description:
    "A value that is not given stays. If an e-mail with the link may have arrived at an earlier address, the link is replaced, unless you keep it, and the new one is sent to the new address. After an e-mail has come back, the same link is sent to it.",
  permission: "gifts",
  input: {
    gift: kinds.gift("Gift"),
    ...VALUES,
    keep_link: kinds.withDefault(kinds.flag("Keep the link that was sent"), false),
  },
  examples: [
    "GO-00042-3 --last-name Quintana --phone-number none",
    'GO-00042-3 --address-line-1 "9 Elm Row"',
  ],
  present: async ({ DB, record, nowMs }, { gift: giftId = 0 }) => {
    await record({ type: "gift", keys: [giftId] }, { read: "gift" });
    const gift = await requireGiftToChange(DB, operatorGiftKey(giftId));
    const obstacle = reasonOf(gift, { nowMs });
    if (obstacle !== null) {
      throw refusal(`the recipient of ${giftNumber(giftId)} cannot be corrected: ${obstacle}.`);
    }
    return presentOf(gift);
  },
  plan: async ({ DB, record, nowMs }, { gift: giftId, keep_link, ...given }) => {
    const gift = await requireGiftToChange(DB, operatorGiftKey(giftId));
    const request = { ...requestOf(giftId, given, gift.deliveryAddress), keep_link };
    const corrected = orFlatError(() => decideCorrection(gift, contextOf(nowMs), request));
    if (corrected) await record({ type: "gift", keys: [giftId] }, { read: "corrected values" });
    const { linkGeneration: newLink, sendAtMs } = corrected?.values ?? {};
    const what = gift.codeSentAtMs === null ? "link" : "code";
    const exposing = exposingEmail(gift, request);
    return {
      giftId,
      request,
      will: corrected
        ? `correct the recipient of ${giftNumber(giftId)} of ${gift.clientId}${newLink === undefined ? "" : ", replace the link"}${sendAtMs === undefined ? "" : `, and send the ${what} by e-mail`}`
        : null,
      changes: corrected ? changesOf(presentOf(gift), given) : [],
      subjects: [{ type: "gift", keys: [giftId] }],
      preview: {
        warnings: [
          ...(exposing ? [exposedText(exposing, keep_link)] : []),
          ...addressDoubts(request.delivery_address, ADDRESS_RULES),
        ],
      },
    };
  },
  run: async (context, { giftId, request }) => {
    const { DB, nowMs } = context;
    const { gift, changed } = await correct(DB, contextOf(nowMs), request);
    const number = giftNumber(giftId);
    if (!changed) {
      throw refusal(`the recipient of ${number} has this data already. Nothing was changed.`);
    }
    const isOpen = gift.redemptionStatus === null && gift.emailsStopped === null;
    const sent = request.email === undefined ? "" : await readSendingText(context, giftId);
    const isUnsent = request.email !== undefined && sent === "" && isOpen;
    return {
      text: `The recipient of ${number} is corrected. ${sent}`.trim(),
      actions: isUnsent && context.EMAIL_FROM !== "" ? ["email resend"] : [],
    };
  },
});

const exposedText = (email: ChangingGift["emails"][number], isKept: boolean) =>
  `${emailText(email, ` on ${formatDateTime(email.attemptedAtMs)} (UTC)`)} to an earlier address. Its link ${isKept ? "stays valid" : "will no longer work"}.`;

const contextOf = (nowMs: number) => ({ ...NO_CLIENT, nowMs, addresses: ADDRESS_RULES });

type Given = Partial<Record<keyof typeof VALUES, string | null | undefined>>;

const presentOf = (gift: ChangingGift) => ({
  first_name: gift.firstName,
  last_name: gift.lastName,
  email: gift.email,
  delivery_email: gift.deliveryEmail,
  phone_number: gift.phoneNumber,
  delivery_notes: gift.deliveryNotes,
  ...gift.deliveryAddress,
});

const changesOf = (present: Given, given: Given): ValueChange[] =>
  Object.entries(VALUES).flatMap(([name, { label }]) => {
    const key = name as keyof Given;
    const after = given[key];
    const before = present[key] ?? null;
    return after === undefined || after === before ? [] : [{ label, before, after }];
  });

/** The API replaces an address as a whole, so the other parts are those of the present one. Errors: `ApiError`. */
function requestOf(
  giftId: number,
  given: Given,
  present: ChangingGift["deliveryAddress"],
): CorrectionRequest {
  const entries = Object.entries(given);
  const parts = entries.filter(([name]) => name in ADDRESS);
  // An empty text removes a value.
  const others = entries.filter(([name]) => !(name in ADDRESS));
  return orFlatError(() =>
    validate(CorrectionRequest(), {
      suborder_id: giftId,
      ...Object.fromEntries(others.map(([name, value]) => [name, value ?? ""])),
      ...(parts.length > 0 && {
        delivery_address: { ...present, ...(Object.fromEntries(parts) as object) },
      }),
    }),
  );
}

/** Names the inputs instead of the fields of the API. */
function orFlatError<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof ApiError) || error.fields === undefined) throw error;
    throw validationError(
      error.fields.map(({ field, message }) => ({
        field: field.replace("delivery_address.", ""),
        message,
      })),
    );
  }
}
