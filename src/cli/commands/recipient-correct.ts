// `recipient correct`: corrects the data of a recipient until the gift is shipped.
import type { Command } from "../command.ts";
import { ApiError } from "../../core/api-error.ts";
import { CorrectionRequest } from "../../features/lifecycle/contract.ts";
import { correct, planCorrection } from "../../features/lifecycle/correct.ts";
import { correctionResponse } from "../../features/lifecycle/response.ts";
import { validate } from "../../core/validation/validate.ts";
import { suborderNumber } from "../../core/values/ids.ts";
import { Refusal, UsageError } from "../errors.ts";
import { suborderIdOf } from "../options.ts";
import { printChange, runChange } from "../run.ts";
import { fields } from "../terminal.ts";

/** The options, with the fields of the API. */
const OPTIONS = {
  firstName: { field: "first_name", flag: "--first-name", text: "first name" },
  lastName: { field: "last_name", flag: "--last-name", text: "last name" },
  email: { field: "email", flag: "--email", text: "e-mail address" },
  phone: { field: "phone_number", flag: "--phone", text: "phone number" },
  notes: { field: "delivery_notes", flag: "--notes", text: "notes for the delivery" },
  deliveryEmail: {
    field: "delivery_email",
    flag: "--delivery-email",
    text: "e-mail address to which a redeemed digital gift is sent",
  },
} as const;

const ADDRESS_OPTIONS = {
  addressLine1: { field: "address_line_1", flag: "--address-line-1", text: "street and number" },
  addressLine2: { field: "address_line_2", flag: "--address-line-2", text: "unit or company" },
  suburb: { field: "suburb", flag: "--suburb", text: "suburb or city" },
  state: { field: "state", flag: "--state", text: "state or province" },
  postcode: { field: "postcode_zipcode", flag: "--postcode", text: "postcode" },
  country: { field: "country", flag: "--country", text: "country, such as AU" },
} as const;

type Options = Partial<Record<keyof typeof OPTIONS | keyof typeof ADDRESS_OPTIONS, string>>;

export function correctCommand(recipient: Command): void {
  const command = recipient
    .command("correct <sub-order>")
    .description(
      "correct the name, contact data or address of a recipient until the gift is shipped",
    );
  for (const { flag, text } of [...Object.values(OPTIONS), ...Object.values(ADDRESS_OPTIONS)]) {
    command.option(`${flag} <text>`, text);
  }
  command
    .details(
      `
A value that is not given stays. The address is replaced as a whole: give all its parts. '' removes a phone number or
notes. The link of the gift stays the same: "gift renew" replaces it.

Examples:
  npm run ops -- recipient correct GO-00042-3 --last-name Quintana --phone ''
  npm run ops -- recipient correct GO-00042-3 --address-line-1 "9 Elm Row" --suburb Fitzroy --postcode 3065 --country AU`,
    )
    .action(runCorrect);
}

async function runCorrect(suborder: string, options: Options, command: Command): Promise<void> {
  const request = requestOf(suborderIdOf(suborder, "<sub-order>"), options);
  const { suborder_id, ...given } = request;
  const plan = async ({ DB }: { DB: D1Database }) => {
    const planned = orThrow(await planCorrection(DB, contextOf(), request));
    const names = Object.keys(given).join(", ");
    const { orderId, sequence, gift } = planned;
    const recipient = `the recipient of ${suborderNumber(orderId, sequence)} of ${gift.clientId}`;
    return {
      description: planned.corrected ? `correct ${names} of ${recipient}` : null,
      subjects: [{ type: "gift" as const, keys: [suborder_id] }],
    };
  };
  await runChange(command, plan, async ({ DB }) => {
    const result = orThrow(await correct(DB, contextOf(), request));
    const { recipient } = correctionResponse(result);
    const number = recipient.suborder_number;
    if (!result.corrected) {
      throw new Refusal(`the recipient of ${number} has this data already. Nothing was changed.`);
    }
    const { delivery_address, delivery_email = null, ...details } = recipient.recipient_details;
    const shown = {
      ...{ name: details.name, email: details.email, phone: details.phone_number },
      ...{ notes: details.delivery_notes, "delivery email": delivery_email },
      address: Object.values(delivery_address).filter(Boolean).join(", "),
    };
    printChange(command, recipient, `Corrected: ${number}.\n\n${fields(shown)}`);
  });
}

const contextOf = () => ({ clientId: null, nowMs: Date.now() });

/** Errors: `UsageError`. */
function requestOf(suborderId: number, options: Options): CorrectionRequest {
  const valuesOf = (table: Record<string, { field: string }>) =>
    Object.fromEntries(
      Object.entries(table).flatMap(([name, { field }]): [string, string][] => {
        const value = options[name as keyof Options];
        return value === undefined ? [] : [[field, value]];
      }),
    );
  const address = valuesOf(ADDRESS_OPTIONS);
  const hasAddress = Object.keys(address).length > 0;
  const given = { ...valuesOf(OPTIONS), ...(hasAddress && { delivery_address: address }) };
  if (Object.keys(given).length === 0) throw new UsageError("give at least one value to correct.");
  try {
    return validate(CorrectionRequest(), { suborder_id: suborderId, ...given });
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    throw new UsageError(withFlags(error.message));
  }
}

/** The result. Errors: `Refusal`. */
function orThrow<T>(result: T | ApiError): T {
  if (!(result instanceof ApiError)) return result;
  if (result.code === "not_found") throw new Refusal("there is no such gift.");
  throw new Refusal(withFlags(result.message));
}

/** The message with the options of the command line instead of the fields of the API. */
function withFlags(message: string): string {
  const flags = [
    ...Object.values(ADDRESS_OPTIONS).map(
      ({ field, flag }) => [`delivery_address.${field}`, flag] as const,
    ),
    ...Object.values(OPTIONS).map(({ field, flag }) => [field, flag] as const),
  ];
  return flags.reduce(
    (text, [field, flag]) => text.replaceAll(new RegExp(`(?<=^|; )${field}(?= )`, "g"), flag),
    message,
  );
}
