// Reports balances below the amount of their alert, as events `credit.low`.
import { batch, type Database, fragment, sql } from "../../platform/db/sql.ts";
import { INSERT_EVENT, lastSequenceOf } from "../events/queries.ts";

/** The maximum number of accounts that one call reports. Later calls report the others. */
const MAX_ACCOUNTS = 100;

interface AlertParams {
  nowMs: number;
  limit: number;
}

/**
 * The accounts to report, numbered for each client. All statements of the batch select the same accounts, because
 * `alerted` changes last. The index `credit_accounts_with_alert` has all accounts with an alert.
 */
const LOW_ACCOUNTS = fragment`
  SELECT client_id, currency, balance_minor, alert_below_minor,
    row_number() OVER (PARTITION BY client_id ORDER BY currency) AS number
  FROM (SELECT client_id, currency, balance_minor, alert_below_minor
    FROM credit_accounts INDEXED BY credit_accounts_with_alert
    WHERE alert_below_minor IS NOT NULL AND balance_minor < alert_below_minor AND alerted = 0
    ORDER BY client_id, currency LIMIT ${"limit"})`;

// SQLite evaluates the whole SELECT before it inserts the first row, because the SELECT reads `events`. The maximum is
// therefore that before the insertion, for all accounts of a client.
const INSERT_LOW_EVENTS = sql<AlertParams>()`
  ${INSERT_EVENT}
  SELECT low.client_id, low.number + ${lastSequenceOf(fragment`low.client_id`)},
    'credit.low', NULL, NULL,
    json_object('currency', low.currency, 'balanceMinor', low.balance_minor,
      'alertBelowMinor', low.alert_below_minor),
    ${"nowMs"}
  FROM (${LOW_ACCOUNTS}) low
  ORDER BY low.client_id, low.number`;

const SET_ALERTED = sql<Pick<AlertParams, "limit">>()`
  UPDATE credit_accounts SET alerted = 1
  WHERE (client_id, currency) IN (SELECT client_id, currency FROM (${LOW_ACCOUNTS}))`;

const RESET_ALERTED = sql<Pick<AlertParams, "limit">>()`
  UPDATE credit_accounts SET alerted = 0
  WHERE (client_id, currency) IN (SELECT client_id, currency
    FROM credit_accounts INDEXED BY credit_accounts_with_alert
    WHERE alert_below_minor IS NOT NULL AND balance_minor >= alert_below_minor AND alerted = 1
    LIMIT ${"limit"})`;

/**
 * Inserts an event `credit.low` for each account whose balance has fallen below the amount of its alert since it was
 * last at or above it. The cron handler calls it, so that placing an order writes no row for it. One transaction, one
 * round trip. A repeated call inserts no second event.
 */
export async function reportLowCredit(db: Database, nowMs: number): Promise<void> {
  const params = { nowMs, limit: MAX_ACCOUNTS };
  await batch(db, {
    reset: RESET_ALERTED.bind(db, params),
    events: INSERT_LOW_EVENTS.bind(db, params),
    alerted: SET_ALERTED.bind(db, params),
  });
}
