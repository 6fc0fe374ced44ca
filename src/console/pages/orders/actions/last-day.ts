// The last day of gifts in forms.
import * as z from "zod/mini";
import { validationError } from "../../../../core/api-error.ts";
import { day } from "../../../../core/validation/fields.ts";
import { validate } from "../../../../core/validation/validate.ts";
import { redeemByRange } from "../../../../core/values/redeem-by.ts";
import type { SubmittedForm } from "../../../router.ts";

/** The field `redeem_by`, a last day that gifts may have. Errors: `ApiError`. */
export function lastDayOf({ values }: SubmittedForm, nowMs: number): string {
  const { redeem_by: redeemBy } = validate(z.object({ redeem_by: day() }), values);
  const { first, last } = redeemByRange(nowMs);
  if (redeemBy >= first && redeemBy <= last) return redeemBy;
  const message = `must be a day from ${first} to ${last}`;
  throw validationError([{ field: "redeem_by", message }]);
}
