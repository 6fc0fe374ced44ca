// The page that corrects the data of a recipient.
import { validate } from "../../../../core/validation/validate.ts";
import { suborderNumber } from "../../../../core/values/ids.ts";
import { CorrectionRequest } from "../../../../features/lifecycle/contract.ts";
import { REQUIRED_ADDRESS_FIELDS } from "../../../../features/orders/address.ts";
import type { CorrectableGift } from "../../../../features/lifecycle/correction-queries.ts";
import {
  CORRECT_RECIPIENT,
  openRecipient,
  readRecipient,
} from "../../../../operator/lifecycle/correct-recipient.ts";
import { Refusal } from "../../../../operator/refusal.ts";
import type { ActionOf } from "../../../actions/action.ts";
import { NotFound } from "../../../page-errors.ts";
import type { SubmittedForm } from "../../../router.ts";
import { CORRECTED, GIFT_ACTIONS, RECIPIENT_FIELDS, UNCHANGED } from "../../../texts/gifts.ts";
import { Facts } from "../../../ui/table.tsx";
import { giftIdOf, giftTarget } from "../gift-target.ts";
import { readerOf } from "../reader.ts";

const ADDRESS = "delivery_address.";

/** The fields that cannot be emptied. Some countries have no postcodes. */
const KEPT = ["first_name", "last_name", "email"].concat(
  REQUIRED_ADDRESS_FIELDS.filter((name) => name !== "postcode_zipcode").map(
    (name) => ADDRESS + name,
  ),
);

export const correctRecipient: ActionOf<typeof CORRECT_RECIPIENT> = {
  permission: "gifts",
  change: CORRECT_RECIPIENT,
  title: GIFT_ACTIONS.correct,
  target: giftTarget,
  fields: async (c) => {
    const present = valuesOf(found(await openRecipient(c.env.DB, giftIdOf(c), readerOf(c))));
    return Object.entries(present).map(([name, value]) => ({
      name,
      type: "text" as const,
      label: RECIPIENT_FIELDS[name] ?? name,
      value,
      required: value !== "" && KEPT.includes(name),
    }));
  },
  input: async (form, c) => {
    const giftId = giftIdOf(c);
    return requestOf(form, giftId, valuesOf(found(await readRecipient(c.env.DB, giftId))));
  },
  preview: ({ request }) => Facts({ facts: newValues(request) }),
  done: ({ orderId, sequence }) => CORRECTED(suborderNumber(orderId, sequence)),
};

/** The labels and the corrected values. */
const newValues = (request: CorrectionRequest): Record<string, string> =>
  Object.fromEntries(
    (Object.entries(request) as [string, string | object][]).flatMap(([name, value]) => {
      const label = RECIPIENT_FIELDS[name];
      const parts =
        typeof value === "object" ? Object.values(value as Record<string, string | null>) : [value];
      const text = parts.filter(Boolean).join(", ");
      return label === undefined ? [] : [[label, text]];
    }),
  );

function found(gift: CorrectableGift | null): CorrectableGift {
  if (!gift) throw new NotFound();
  return gift;
}

type Values = Record<string, string>;

/** The values of the fields. Only a redeemed digital gift has an e-mail address for the delivery. */
function valuesOf(gift: CorrectableGift): Values {
  const { delivery, redemptionStatus, deliveryAddress } = gift;
  const part = (name: keyof NonNullable<typeof deliveryAddress>) => deliveryAddress?.[name] ?? "";
  return {
    first_name: gift.firstName,
    last_name: gift.lastName,
    email: gift.email,
    ...(delivery === "digital" &&
      redemptionStatus === "redeemed" && { delivery_email: gift.deliveryEmail ?? "" }),
    phone_number: gift.phoneNumber ?? "",
    delivery_notes: gift.deliveryNotes ?? "",
    [`${ADDRESS}address_line_1`]: part("address_line_1"),
    [`${ADDRESS}address_line_2`]: part("address_line_2"),
    [`${ADDRESS}suburb`]: part("suburb"),
    [`${ADDRESS}state`]: part("state"),
    [`${ADDRESS}postcode_zipcode`]: part("postcode_zipcode"),
    [`${ADDRESS}country`]: part("country"),
  };
}

/** The fields that differ from the present data. The address is given as a whole. Errors: `ApiError`, `Refusal`. */
function requestOf({ values }: SubmittedForm, giftId: number, present: Values): CorrectionRequest {
  const given = Object.keys(present).map((name) => [name, values[name] ?? ""] as const);
  const isPart = ([name]: readonly [string, string]) => name.startsWith(ADDRESS);
  const isNew = ([name, value]: readonly [string, string]) => value !== present[name];
  const address = given.filter(isPart);
  const others = given.filter((each) => !isPart(each) && isNew(each));
  if (!given.some(isNew)) throw new Refusal(UNCHANGED);
  return validate(CorrectionRequest(), {
    suborder_id: giftId,
    ...Object.fromEntries(others),
    ...(address.some(isNew) && {
      delivery_address: Object.fromEntries(
        address
          .filter(([, value]) => value !== "")
          .map(([name, value]) => [name.slice(ADDRESS.length), value]),
      ) as object,
    }),
  });
}
