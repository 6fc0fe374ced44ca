// Spending limits of credential sets: what is left of them, and why an order is above one.
import { ApiError } from "../../core/api-error.ts";
import type { Currency } from "../../core/values/iso.ts";
import { amountWithCode, formatAmount, parseAmount } from "../../core/values/money.ts";
import type { SpendingPeriod } from "../../core/values/spending.ts";
import { type Json, toJson } from "../../platform/db/columns.ts";
import type { SpendingLimit } from "../../platform/db/schema.ts";
import type { LimitState } from "./limit-queries.ts";

/** The maximum number of limits of a set. */
export const MAX_LIMITS = 30;

/** The limits of a request as JSON, which are valid. Null if there are none. */
export const storedLimits = (
  limits: { period: SpendingPeriod; currency: Currency; amount: string }[],
): Json<SpendingLimit[]> | null =>
  limits.length === 0
    ? null
    : toJson(
        limits.map(({ period, currency, amount }) => ({
          period,
          currency,
          limitMinor: parseAmount(amount, currency) ?? 0,
        })),
      );

export const leftMinorOf = ({ limitMinor, usedMinor }: LimitState): number =>
  Math.max(0, limitMinor - usedMinor);

/** Why an order is above a limit. Null if it is not. */
export function limitProblem(
  limits: LimitState[] | null,
  currency: Currency,
  totalMinor: number,
): ApiError | null {
  if (!limits) return null;
  const own = limits.filter((limit) => limit.currency === currency);
  const exceeded = own.find(({ limitMinor, usedMinor }) => totalMinor + usedMinor > limitMinor);
  if (own.length > 0 && !exceeded) return null;
  const amount = (minor: number) => amountWithCode(minor, currency);
  const message = exceeded
    ? `The order's total is ${amount(totalMinor)}. The limit of these credentials is ${amount(exceeded.limitMinor)} ` +
      PER[exceeded.period] +
      (exceeded.period === "order" ? "." : `, of which ${amount(exceeded.usedMinor)} are used.`)
    : `These credentials have no limit in ${currency}, so they cannot order in it.`;
  return new ApiError("spending_limit_exceeded", message);
}

/** The limits, for people. */
export const limitText = (limits: SpendingLimit[] | null): string =>
  limits
    ?.map(
      ({ period, currency, limitMinor }) =>
        `${amountWithCode(limitMinor, currency)} ${PER[period]}`,
    )
    .join(", ") ?? "none";

const PER = { order: "an order", day: "a day (UTC)", month: "a month (UTC)" };

/** The value of the header `Regalo-Spending-Left`: `AUD; order=100.00; day=70.00`. Null without limits in the currency. */
export function spendingLeft(limits: LimitState[] | null, currency: Currency): string | null {
  const own = limits?.filter((limit) => limit.currency === currency) ?? [];
  if (own.length === 0) return null;
  const left = own.map((limit) => `${limit.period}=${formatAmount(leftMinorOf(limit), currency)}`);
  return [currency, ...left].join("; ");
}
