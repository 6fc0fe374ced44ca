// The fields of a recipient in a request.
import * as z from "zod/mini";
import { AddressInput } from "../../core/address/address.ts";
import { component, field } from "../../core/validation/described.ts";
import {
  emailField,
  metadata,
  nullAs,
  optionalField,
  requiredText,
} from "../../core/validation/fields.ts";
import {
  letter,
  MAX_DELIVERY_NOTES_LENGTH,
  personName,
  phoneNumber,
} from "../../core/validation/person.ts";

/**
 * An optional text. An empty one is left out of the validated request, so that the digest is that of a request without
 * it.
 */
export const filled = <Schema extends z.ZodMiniType<string, string>>(schema: Schema) =>
  z.optional(
    z.pipe(
      nullAs("", schema),
      z.transform((given) => given || undefined),
    ),
  );

/** The fields of a recipient, who needs a first or a last name: `oneName`. */
export const RecipientFields = component("RecipientInput", () => ({
  _: "A recipient of the product.",
  first_name: field`${z.prefault(nullAs("", personName()), "")} First name. Required unless \`last_name\` is set: a person may have one name. It must have a letter, and no placeholder of a template. Styled and full-width letters become plain ones.`,
  last_name: field`${z.prefault(nullAs("", personName()), "")} Last name. The rules are those of \`first_name\`.`,
  email: field`${emailField()} E-mail address, without a name. Its domain may have letters of any script, and is returned in lower case.`,
  phone_number: field`${filled(phoneNumber())} Telephone number with six digits or more, in any format. It has no letters, but \`x\` or \`ext\` before an extension.`,
  delivery_address: field`${optionalField(AddressInput())} Delivery address. Required for a \`physical\` product, with \`address_line_1\` and \`country\`, and with \`suburb\` and \`postcode_zipcode\` where addresses in the country need them.`,
  external_id: field`${optionalField(requiredText(100))} Your own id of the recipient. It need not be unique. Recipients do not see it.`,
  metadata: field`${metadata()} Your own keys and values: at most 20 keys of 1 to 40 characters, values of at most 500 characters, and 4,096 bytes in total, as JSON in UTF-8 without spaces. Recipients do not see it.`,
  delivery_notes: field`${filled(letter(MAX_DELIVERY_NOTES_LENGTH))} Notes for the delivery, which the recipient of a gift link can change.`,
}));
