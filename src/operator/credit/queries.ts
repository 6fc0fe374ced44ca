// Clients' credit for the operator's commands: adjustments, accounts and ledger entries.
import { and, asc, desc, eq, isNotNull, lt, ne } from "drizzle-orm";
import { drizzle } from "drizzle-orm/d1";
import type { Currency } from "../../core/values/iso.ts";
import { creditAccounts, creditEntries } from "../../platform/db/schema.ts";
import { batch, fragment, statement } from "../../platform/db/statement.ts";

interface AdjustmentKey {
  clientId: string;
  currency: Currency;
  reference: string;
}

export interface Adjustment extends AdjustmentKey {
  /** Negative to take credit away. */
  amountMinor: number;
  note: string | null;
  nowMs: number;
}

// These statements are SQL text. The two that book an adjustment contain the guard: its reference is new.

const OPEN_ACCOUNT = statement<Pick<Adjustment, "clientId" | "currency">>()`
  INSERT OR IGNORE INTO credit_accounts (client_id, currency, balance_minor, entries)
  VALUES (${"clientId"}, ${"currency"}, 0, 0)`;

/** The account, unless the reference has been booked in it before. */
const ACCOUNT_WITHOUT_REFERENCE = fragment`
  client_id = ${"clientId"} AND currency = ${"currency"} AND NOT EXISTS (SELECT 1 FROM credit_entries
    WHERE client_id = ${"clientId"} AND currency = ${"currency"} AND reference = ${"reference"})`;

const UPDATE_BALANCE = statement<AdjustmentKey & Pick<Adjustment, "amountMinor">>()`
  UPDATE credit_accounts SET balance_minor = balance_minor + ${"amountMinor"}, entries = entries + 1
  WHERE ${ACCOUNT_WITHOUT_REFERENCE}`;

const INSERT_ADJUSTMENT = statement<Adjustment>()`
  INSERT INTO credit_entries (client_id, currency, sequence, kind, amount_minor, balance_minor,
    reference, note, created_at_ms)
  SELECT client_id, currency, entries, 'adjustment', ${"amountMinor"}, balance_minor,
    ${"reference"}, ${"note"}, ${"nowMs"}
  FROM credit_accounts WHERE ${ACCOUNT_WITHOUT_REFERENCE}`;

/**
 * Books the adjustment, once for each reference. `false` if the reference has been booked before. The first adjustment
 * in a currency opens the account.
 */
export async function adjustCredit(d1: D1Database, adjustment: Adjustment): Promise<boolean> {
  const { entry } = await batch(d1, {
    account: OPEN_ACCOUNT.bind(d1, adjustment),
    balance: UPDATE_BALANCE.bind(d1, adjustment),
    entry: INSERT_ADJUSTMENT.bind(d1, adjustment),
  });
  return entry.meta.changes === 1;
}

interface CreditAlert {
  clientId: string;
  currency: Currency;
  /** Null for no alert. */
  belowMinor: number | null;
}

const SET_ALERT = statement<CreditAlert>()`
  UPDATE credit_accounts SET alert_below_minor = ${"belowMinor"},
    alerted = CASE WHEN alert_below_minor IS ${"belowMinor"} THEN alerted ELSE 0 END
  WHERE client_id = ${"clientId"} AND currency = ${"currency"}`;

/**
 * Sets or removes the alert of an account. A balance that is already below a new amount is reported once. `false` if
 * there is no such account.
 */
export async function setCreditAlert(d1: D1Database, alert: CreditAlert): Promise<boolean> {
  const { meta } = await SET_ALERT.bind(d1, alert).run();
  return meta.changes === 1;
}

/** A client's accounts, by currency. */
export async function listAccounts(d1: D1Database, clientId: string) {
  return drizzle(d1)
    .select({
      currency: creditAccounts.currency,
      balanceMinor: creditAccounts.balanceMinor,
      entries: creditAccounts.entries,
      alertBelowMinor: creditAccounts.alertBelowMinor,
    })
    .from(creditAccounts)
    .where(eq(creditAccounts.clientId, clientId))
    .orderBy(asc(creditAccounts.currency));
}

const inAccount = (clientId: string, currency: Currency) =>
  and(eq(creditEntries.clientId, clientId), eq(creditEntries.currency, currency));

interface EntryFilter {
  limit?: number;
  /** Only the adjustment with this reference. */
  reference?: string;
  /** Only entries with a smaller sequence. */
  before?: number | undefined;
}

/** An account's latest entries, newest first. */
export async function listEntries(
  d1: D1Database,
  clientId: string,
  currency: Currency,
  { limit = 100, reference, before }: EntryFilter = {},
) {
  return drizzle(d1)
    .select({
      sequence: creditEntries.sequence,
      kind: creditEntries.kind,
      amountMinor: creditEntries.amountMinor,
      /** The balance after the entry. */
      balanceMinor: creditEntries.balanceMinor,
      orderId: creditEntries.orderId,
      reference: creditEntries.reference,
      note: creditEntries.note,
      createdAtMs: creditEntries.createdAtMs,
    })
    .from(creditEntries)
    .where(
      and(
        inAccount(clientId, currency),
        reference === undefined ? undefined : eq(creditEntries.reference, reference),
        before === undefined ? undefined : lt(creditEntries.sequence, before),
      ),
    )
    .orderBy(desc(creditEntries.sequence))
    .limit(limit);
}

/** The letters and digits of the reference, in lower case. `INV-9`, `inv 9` and `Inv9` have the same key. */
const similarityKey = (reference: string) =>
  reference.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, "");

/**
 * The references booked in the account that differ from `reference` only in case, spaces or punctuation. Reads the
 * account's adjustments, not its orders.
 */
export async function findSimilarReferences(
  d1: D1Database,
  clientId: string,
  currency: Currency,
  reference: string,
): Promise<string[]> {
  const booked = await drizzle(d1)
    .select({ reference: creditEntries.reference })
    .from(creditEntries)
    .where(
      and(
        inAccount(clientId, currency),
        isNotNull(creditEntries.reference),
        ne(creditEntries.reference, reference),
      ),
    );
  const key = similarityKey(reference);
  return booked
    .map((entry) => entry.reference ?? "")
    .filter((other) => similarityKey(other) === key);
}
