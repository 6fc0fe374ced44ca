// Adds credit, as the operator does for a payment.
import { ApiError, validationError } from "../../core/api-error.ts";
import type { Currency } from "../../core/values/iso.ts";
import {
  amountRule,
  amountWithCode,
  MAX_BALANCE_MINOR,
  parseAmount,
} from "../../core/values/money.ts";
import { retrying } from "../../platform/db/faults.ts";
import { adjustCredit, readBooking, setCreditAlert } from "../credit/adjust-queries.ts";
import { reportLowCredit } from "../credit/alert-queries.ts";
import { readBalance } from "../credit/queries.ts";
import type { SandboxCreditRequest } from "./contract.ts";
import type { SandboxContext } from "./control.ts";

/**
 * Books the amount once for each reference, and sets the alert if there is one. Returns the balance in minor units.
 * Errors: `validation_error`, and `not_allowed_in_state` if the reference has another amount or the balance is too high.
 */
export async function addCredit(
  { d1, clientId, nowMs }: SandboxContext,
  currency: Currency,
  { amount, reference, alert_below: alertBelow }: SandboxCreditRequest,
): Promise<number> {
  const amountMinor = minorOf("amount", amount, currency);
  const belowMinor = alertBelow && minorOf("alert_below", alertBelow, currency);
  const key = { clientId, currency, reference };
  const { bookedMinor, balanceMinor } = await readBooking(d1, key);
  if (bookedMinor !== null && bookedMinor !== amountMinor) {
    const booked = amountWithCode(bookedMinor, currency);
    throw new ApiError("not_allowed_in_state", `The reference was used before, for ${booked}.`);
  }
  if (bookedMinor === null && balanceMinor + amountMinor > MAX_BALANCE_MINOR) {
    const maximum = amountWithCode(MAX_BALANCE_MINOR, currency);
    throw new ApiError("not_allowed_in_state", `The balance would exceed ${maximum}.`);
  }
  await retrying(() => adjustCredit(d1, { ...key, amountMinor, note: null, nowMs }));
  if (typeof belowMinor === "number") await setCreditAlert(d1, { ...key, belowMinor });
  await retrying(() => reportLowCredit(d1, nowMs));
  return readBalance(d1, key);
}

function minorOf(field: string, amount: string, currency: Currency): number {
  const minor = parseAmount(amount, currency);
  if (minor !== undefined) return minor;
  throw validationError([{ field, message: amountRule(amount, currency) }]);
}
