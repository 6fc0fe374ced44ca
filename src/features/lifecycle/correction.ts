// The body of POST /api/order/correct, apart from contract.ts, so that the console does not contain the other schemas.
import * as z from "zod/mini";
import { lazy } from "../../core/lazy.ts";
import { field, named } from "../../core/validation/described.ts";
import { atLeastOne, emailField, idField, optionalField } from "../../core/validation/fields.ts";
import {
  letter,
  MAX_DELIVERY_NOTES_LENGTH,
  oneName,
  personName,
  phoneNumber,
} from "../../core/validation/person.ts";
import { RecipientFields } from "../orders/recipient-fields.ts";

/** The rules of the fields are those of placements. Unknown fields are refused, so that no misspelt one is overlooked. */
export const CorrectionRequest = lazy(() => {
  const { delivery_address } = RecipientFields().shape;
  const fields = {
    first_name: field`${optionalField(personName())} Corrected first name.`,
    last_name: field`${optionalField(personName())} Corrected last name.`,
    email: field`${optionalField(emailField())} Corrected e-mail address.`,
    phone_number: field`${optionalField(phoneNumber())} Corrected phone number. An empty text removes it.`,
    delivery_address: field`${delivery_address} Corrected delivery address. It replaces the whole address: parts that are left out are empty afterwards.`,
    delivery_notes: field`${optionalField(letter(MAX_DELIVERY_NOTES_LENGTH))} Corrected notes for the delivery. An empty text removes them.`,
    delivery_email: field`${optionalField(emailField())} Corrected e-mail address to which a digital gift is sent, instead of the one that the recipient entered. Only for a digital gift that is redeemed, or of POST /api/order.`,
  };
  return named(
    "CorrectionRequest",
    "The recipient to correct, and the fields that change. At least one of them is required. A field that is left out keeps its value. Unknown fields are refused, so that a misspelt one is not overlooked.",
    z
      .strictObject({
        suborder_id: field`${idField()} The recipient's part of the order.`,
        ...fields,
        keep_link: field`${optionalField(z.boolean())} \`true\`: the gift keeps its link, also if we have sent the link to an e-mail address that the request corrects.`,
      })
      .check(atLeastOne(...Object.keys(fields)), oneName()),
  );
});
export type CorrectionRequest = z.infer<ReturnType<typeof CorrectionRequest>>;
