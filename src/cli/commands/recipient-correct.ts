// `recipient correct`: corrects the data of a recipient until the gift is shipped.
import type { Command } from "../command.ts";
import { ApiError } from "../../core/api-error.ts";
import { CorrectionRequest } from "../../features/lifecycle/contract.ts";
import { correctionResponse } from "../../features/lifecycle/response.ts";
import { validate } from "../../core/validation/validate.ts";
import { CORRECT_RECIPIENT } from "../../operator/lifecycle/correct-recipient.ts";
import { Refusal } from "../../operator/refusal.ts";
import { UsageError } from "../errors.ts";
import { suborderIdOf } from "../options.ts";
import { printChange, runOperation } from "../run.ts";
import { fields } from "../terminal.ts";

const ADDRESS = "delivery_address.";

/** The fields of the API and the descriptions of the options. */
const OPTIONS: Record<string, [field: string, text: string]> = {
  "--first-name": ["first_name", "first name"],
  "--last-name": ["last_name", "last name"],
  "--email": ["email", "e-mail address"],
  "--phone": ["phone_number", "phone number"],
  "--notes": ["delivery_notes", "notes for the delivery"],
  "--delivery-email": ["delivery_email", "e-mail address to which a redeemed digital gift is sent"],
  "--address-line-1": [`${ADDRESS}address_line_1`, "street and number"],
  "--address-line-2": [`${ADDRESS}address_line_2`, "unit or company"],
  "--suburb": [`${ADDRESS}suburb`, "suburb or city"],
  "--state": [`${ADDRESS}state`, "state or province"],
  "--postcode": [`${ADDRESS}postcode_zipcode`, "postcode"],
  "--country": [`${ADDRESS}country`, "country, such as AU"],
};

export function correctCommand(recipient: Command): void {
  const command = recipient
    .command("correct <sub-order>")
    .description(
      "correct the name, contact data or address of a recipient until the gift is shipped",
    );
  for (const [flag, [, text]] of Object.entries(OPTIONS)) command.option(`${flag} <text>`, text);
  command
    .details(
      `
A value that is not given stays. The address is replaced as a whole: give all its parts. '' removes a phone number or
notes. The link of the gift stays the same: "gift renew" replaces it.

Examples:
  npm run ops -- recipient correct GO-00042-3 --last-name Quintana --phone ''
  npm run ops -- recipient correct GO-00042-3 --address-line-1 "9 Elm Row" --suburb Fitzroy --postcode 3065 --country AU`,
    )
    .action(async (suborder, _options, command) => {
      const request = requestOf(suborderIdOf(suborder, "<sub-order>"), command);
      await runOperation(command, CORRECT_RECIPIENT, request, (result) => {
        const { recipient } = correctionResponse(result);
        const number = recipient.suborder_number;
        const { delivery_address, delivery_email = null, ...details } = recipient.recipient_details;
        const shown = {
          name: details.name,
          email: details.email,
          phone: details.phone_number,
          notes: details.delivery_notes,
          "delivery email": delivery_email,
          address: Object.values(delivery_address).filter(Boolean).join(", "),
        };
        printChange(command, recipient, `Corrected: ${number}.\n\n${fields(shown)}`);
      }).catch((error: unknown) => {
        throw error instanceof ApiError ? new Refusal(withFlags(error)) : error;
      });
    });
}

/** Errors: `UsageError`. */
function requestOf(suborderId: number, command: Command): CorrectionRequest {
  const given = command.options.flatMap((option): [string, string][] => {
    const value = command.getOptionValue(option.attributeName()) as string | undefined;
    const [field] = OPTIONS[option.long ?? ""] ?? [];
    return field === undefined || value === undefined ? [] : [[field, value]];
  });
  if (given.length === 0) throw new UsageError("give at least one value to correct.");
  const isPart = ([field]: [string, string]) => field.startsWith(ADDRESS);
  const address = given
    .filter(isPart)
    .map(([field, value]) => [field.slice(ADDRESS.length), value]);
  try {
    return validate(CorrectionRequest(), {
      suborder_id: suborderId,
      ...Object.fromEntries(given.filter((each) => !isPart(each))),
      ...(address.length > 0 && { delivery_address: Object.fromEntries(address) as object }),
    });
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    throw new UsageError(withFlags(error));
  }
}

/** The message with the options of the command line instead of the fields of the API. */
function withFlags({ message, fields = [] }: ApiError): string {
  const flags = Object.fromEntries(Object.entries(OPTIONS).map(([flag, [field]]) => [field, flag]));
  if (fields.length === 0) return message;
  return `${fields.map((each) => `${flags[each.field] ?? each.field} ${each.message}`).join("; ")}.`;
}
