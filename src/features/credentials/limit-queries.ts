// The parts of statements that read and check the spending limits of credential sets.
import { columnsOf, type Json, jsonObject } from "../../platform/db/columns.ts";
import type { CredentialSpending, SpendingLimit } from "../../platform/db/schema.ts";
import type { SpendingPeriod } from "../../core/values/spending.ts";
import { expression, type Fragment, fragment, rawSql } from "../../platform/db/sql.ts";

const p = columnsOf<CredentialSpending>("p");
const SPENDING = jsonObject("credential_spending", p("currency", "day", "dayMinor", "monthMinor"));

/** The limits of a set, and what it has spent. */
export const limitColumns = <Name extends string>(credentialId: Fragment<Name>) => ({
  limits: expression<Json<SpendingLimit[]> | null>()`
    (SELECT k.limits FROM credentials k WHERE k.id = ${credentialId})`,
  spending: expression<Json<Spending[]>>()`(SELECT json_group_array(${SPENDING})
    FROM credential_spending p WHERE p.credential_id = ${credentialId})`,
});

export type Spending = Pick<
  CredentialSpending["$inferSelect"],
  "currency" | "day" | "dayMinor" | "monthMinor"
>;

/** The limits `l` of set `k` in the currency. */
const limitsIn = <Name extends string>(currency: Fragment<Name>) => fragment`
  json_each(k.limits) l WHERE l.value ->> 'currency' = ${currency}`;

/** The set has no limits, or `orderTotalMinor` exceeds none of them and one is in the order's currency. */
export const WITHIN_LIMITS = fragment`
  NOT EXISTS (SELECT 1 FROM credentials k
    LEFT JOIN credential_spending p ON p.credential_id = k.id AND p.currency = ${"currency"}
    WHERE k.id = ${"credentialId"} AND k.limits IS NOT NULL
      AND (NOT EXISTS (SELECT 1 FROM ${limitsIn(fragment`${"currency"}`)})
        OR EXISTS (SELECT 1 FROM ${limitsIn(fragment`${"currency"}`)}
          AND ${"orderTotalMinor"} + CASE l.value ->> 'period'
            WHEN 'day' THEN iif(p.day >= ${"day"}, p.day_minor, 0)
            WHEN 'month' THEN iif(p.day >= ${"month"}, p.month_minor, 0) ELSE 0
          END > l.value ->> 'limitMinor')))`;

const limitOf = (period: SpendingPeriod) => fragment`
  (SELECT l.value ->> 'limitMinor' FROM ${limitsIn(fragment`o.currency`)}
    AND l.value ->> 'period' = ${rawSql(`'${period}'`)})`;

/**
 * Counts the order `o` that `inserted` selects for the limits of its set. An order that is placed shortly after the end
 * of a day, by its time, counts for the next one if that has begun.
 */
export const countSpending = <Name extends string>(inserted: Fragment<Name>) => fragment`
  INSERT INTO credential_spending
    (credential_id, currency, day, day_minor, month_minor, day_limit_minor, month_limit_minor)
  SELECT k.id, o.currency, ${"day"}, o.order_total_minor, o.order_total_minor, ${limitOf("day")},
    ${limitOf("month")}
  FROM orders o, credentials k WHERE ${inserted} AND k.id = ${"credentialId"} AND k.limits IS NOT NULL
  ON CONFLICT (credential_id, currency) DO UPDATE SET
    day_minor = excluded.day_minor + iif(day >= ${"day"}, day_minor, 0),
    month_minor = excluded.month_minor + iif(day >= ${"month"}, month_minor, 0),
    day = max(day, ${"day"}), day_limit_minor = excluded.day_limit_minor,
    month_limit_minor = excluded.month_limit_minor`;
