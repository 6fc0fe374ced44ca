// The parts of statements that read and check the spending limits of credential sets.
import type { Json } from "../../platform/db/columns.ts";
import type { SpendingLimit } from "../../platform/db/schema.ts";
import type { SpendingPeriod } from "../../core/values/spending.ts";
import { expression, type Fragment, fragment, rawSql } from "../../platform/db/sql.ts";

/** A limit, and what the budget of its set has spent of it in the present period. */
export interface LimitState extends SpendingLimit {
  usedMinor: number;
}

/** The budget of set `k`: its name, or the set's id. No name is that of a set's id. */
const BUDGET = fragment`coalesce('=' || k.budget, '#' || k.id)`;

/** Day and month of the time on the client's clock, which differs from the time only in the sandbox. */
const dayOf = <Name extends string>(ms: Fragment<Name>) => fragment`
  date((${ms} + u.clock_ms) / 1000, 'unixepoch')`;
const monthOf = <Name extends string>(ms: Fragment<Name>) => fragment`
  date((${ms} + u.clock_ms) / 1000, 'unixepoch', 'start of month')`;

/** The limits `l` of the set, with the spending `p` of its budget in their currencies. */
const limitsOfSet = <Name extends string>(credentialId: Fragment<Name>) => fragment`
  FROM credentials k JOIN clients u ON u.id = k.client_id CROSS JOIN json_each(k.limits) l
  LEFT JOIN credential_spending p
    ON p.client_id = k.client_id AND p.budget = ${BUDGET} AND p.currency = l.value ->> 'currency'
  WHERE k.id = ${credentialId} AND k.limits IS NOT NULL`;

/** What is used of limit `l` in its period at the time. */
const usedAt = <Name extends string>(ms: Fragment<Name>) => fragment`
  CASE l.value ->> 'period' WHEN 'day' THEN iif(p.day >= ${dayOf(ms)}, p.day_minor, 0)
    WHEN 'month' THEN iif(p.day >= ${monthOf(ms)}, p.month_minor, 0) ELSE 0 END`;

/** The limits of a set at the time `nowMs`. Null for a set without limits. */
export const limitStatesOf = <Name extends string>(credentialId: Fragment<Name>) =>
  expression<Json<LimitState[]> | null>()`(SELECT nullif(json_group_array(
    json_set(l.value, '$.usedMinor', ${usedAt(fragment`${"nowMs"}`)})), '[]') ${limitsOfSet(credentialId)})`;

const IS_IN_CURRENCY = fragment`l.value ->> 'currency' = ${"currency"}`;

/**
 * The set has no limits, or `orderTotalMinor` exceeds none of them and one is in the order's currency. Placement has the
 * same rule as a value, `limitProblem`, because it knows the total only when it has read the offer.
 */
export const WITHIN_LIMITS = fragment`
  coalesce((SELECT max(${IS_IN_CURRENCY}) AND NOT max(${IS_IN_CURRENCY}
      AND ${"orderTotalMinor"} + ${usedAt(fragment`${"createdAtMs"}`)} > l.value ->> 'limitMinor')
    ${limitsOfSet(fragment`${"credentialId"}`)}), 1)`;

const limitOf = (period: SpendingPeriod) => fragment`
  (SELECT l.value ->> 'limitMinor' FROM json_each(k.limits) l
    WHERE l.value ->> 'currency' = o.currency AND l.value ->> 'period' = ${rawSql(`'${period}'`)})`;

/** Adds amounts to the spending of a budget. A new day or month starts at zero. */
const INSERT_SPENDING = fragment`
  INSERT INTO credential_spending
    (client_id, budget, currency, day, day_minor, month_minor, day_limit_minor, month_limit_minor)`;

/**
 * Counts the order `o` that `inserted` selects for its set, if the set has limits or shares a budget. An order that is
 * placed shortly after the end of a day, by its time, counts for the next one if that has begun.
 */
export const countSpending = <Name extends string>(inserted: Fragment<Name>) => fragment`
  ${INSERT_SPENDING}
  SELECT k.client_id, ${BUDGET}, o.currency, ${dayOf(fragment`o.created_at_ms`)},
    o.order_total_minor, o.order_total_minor, ${limitOf("day")}, ${limitOf("month")}
  FROM orders o JOIN credentials k ON k.id = o.credential_id JOIN clients u ON u.id = k.client_id
  WHERE ${inserted} AND (k.limits IS NOT NULL OR k.budget IS NOT NULL)
  ON CONFLICT (client_id, budget, currency) DO UPDATE SET
    day_minor = excluded.day_minor + iif(day >= excluded.day, day_minor, 0),
    month_minor = excluded.month_minor
      + iif(day >= date(excluded.day, 'start of month'), month_minor, 0),
    day = max(day, excluded.day), day_limit_minor = excluded.day_limit_minor,
    month_limit_minor = excluded.month_limit_minor`;

/**
 * Counts the orders of the month of a set `s` that gets limits, because those of a set without limits and budget are not
 * counted when they are placed. Reads the client's orders of the month.
 */
export const recountSpending = <Name extends string>(limited: Fragment<Name>) => fragment`
  ${INSERT_SPENDING}
  SELECT k.client_id, ${BUDGET}, o.currency, ${dayOf(fragment`${"nowMs"}`)},
    sum(iif(${dayOf(fragment`o.created_at_ms`)} >= ${dayOf(fragment`${"nowMs"}`)}, o.order_total_minor, 0)),
    sum(o.order_total_minor), NULL, NULL
  FROM credentials k JOIN clients u ON u.id = k.client_id
  CROSS JOIN orders o INDEXED BY orders_by_status ON o.client_id = k.client_id
    AND o.status IN ('created', 'paid', 'failed', 'cancieled')
    AND o.gift_order_method IN ('api-purchase', 'api-giftlink') AND o.credential_id = k.id
    AND o.created_at_ms >= unixepoch(${monthOf(fragment`${"nowMs"}`)}) * 1000 - u.clock_ms
  WHERE k.id IN (SELECT s.id ${limited}) AND k.limits IS NULL AND k.budget IS NULL
  GROUP BY o.currency
  ON CONFLICT (client_id, budget, currency) DO UPDATE SET day = excluded.day, day_minor = excluded.day_minor,
    month_minor = excluded.month_minor, day_limit_minor = NULL, month_limit_minor = NULL`;
