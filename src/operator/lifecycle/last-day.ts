// The last day that an operator may give to gifts.
import { validationError } from "../../core/api-error.ts";
import { redeemByRange } from "../../core/values/redeem-by.ts";

/** Errors: `validation_error` for the input `redeem_by`. */
export function checkLastDay(redeemBy: string, nowMs: number): void {
  const { first, last } = redeemByRange(nowMs);
  if (redeemBy >= first && redeemBy <= last) return;
  const message = `must be a day from ${first} to ${last}`;
  throw validationError([{ field: "redeem_by", message }]);
}
