// Clients' credit: an account for each currency, and the ledger whose sum is its balance. Orders take their
// part in the batch that places them (orders/store.ts).

/** The balance in minor units; 0 where there is no account. One round trip, to the primary: money. */
export async function readBalance(
  d1: D1Database,
  clientId: string,
  currency: string,
): Promise<number> {
  const account = await d1
    .prepare(
      `SELECT balance_minor AS balanceMinor FROM credit_accounts
       WHERE client_id = ?1 AND currency = ?2`,
    )
    .bind(clientId, currency)
    .first<{ balanceMinor: number }>();
  return account?.balanceMinor ?? 0;
}

export interface Adjustment {
  clientId: string;
  currency: string;
  /** Negative to take credit away. */
  amountMinor: number;
  /** Names this adjustment within the account: given again, nothing happens. */
  reference: string;
  note: string | null;
  nowMs: number;
}

/** Adds to the account, once for each reference. `false`: this reference was booked before. */
export async function adjustCredit(d1: D1Database, adjustment: Adjustment): Promise<boolean> {
  const { clientId, currency, amountMinor, reference, note, nowMs } = adjustment;
  const unbooked = `NOT EXISTS (SELECT 1 FROM credit_entries
    WHERE client_id = ?1 AND currency = ?2 AND reference = ?3)`;
  const [, , entry] = await d1.batch([
    d1
      .prepare(
        `INSERT OR IGNORE INTO credit_accounts (client_id, currency, balance_minor, entries)
         VALUES (?1, ?2, 0, 0)`,
      )
      .bind(clientId, currency),
    d1
      .prepare(
        `UPDATE credit_accounts SET balance_minor = balance_minor + ?4, entries = entries + 1
         WHERE client_id = ?1 AND currency = ?2 AND ${unbooked}`,
      )
      .bind(clientId, currency, reference, amountMinor),
    d1
      .prepare(
        `INSERT INTO credit_entries (client_id, currency, sequence, kind, amount_minor,
           balance_minor, reference, note, created_at_ms)
         SELECT client_id, currency, entries, 'adjustment', ?4, balance_minor, ?3, ?5, ?6
         FROM credit_accounts WHERE client_id = ?1 AND currency = ?2 AND ${unbooked}`,
      )
      .bind(clientId, currency, reference, amountMinor, note, nowMs),
  ]);
  return entry?.meta.changes === 1;
}

/** A client's accounts, by currency. */
export async function listAccounts(
  d1: D1Database,
  clientId: string,
): Promise<{ currency: string; balanceMinor: number; entries: number }[]> {
  const { results } = await d1
    .prepare(
      `SELECT currency, balance_minor AS balanceMinor, entries FROM credit_accounts
       WHERE client_id = ?1 ORDER BY currency`,
    )
    .bind(clientId)
    .all<{ currency: string; balanceMinor: number; entries: number }>();
  return results;
}

export interface LedgerEntry {
  sequence: number;
  kind: "adjustment" | "order" | "cancellation";
  amountMinor: number;
  /** What the entry left. */
  balanceMinor: number;
  orderId: number | null;
  reference: string | null;
  note: string | null;
  createdAtMs: number;
}

/** An account's latest entries, newest first; only the adjustment of `reference` when it is given. */
export async function listEntries(
  d1: D1Database,
  clientId: string,
  currency: string,
  { limit = 100, reference = null }: { limit?: number; reference?: string | null } = {},
): Promise<LedgerEntry[]> {
  const { results } = await d1
    .prepare(
      `SELECT sequence, kind, amount_minor AS amountMinor, balance_minor AS balanceMinor,
         order_id AS orderId, reference, note, created_at_ms AS createdAtMs
       FROM credit_entries WHERE client_id = ?1 AND currency = ?2
         AND (?3 IS NULL OR reference = ?3)
       ORDER BY sequence DESC LIMIT ?4`,
    )
    .bind(clientId, currency, reference, limit)
    .all<LedgerEntry>();
  return results;
}

/** Letters and digits in lower case: `INV-9`, `inv 9` and `Inv9` have the same key. */
const similarityKey = (reference: string) =>
  reference.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, "");

/**
 * The references booked in the account that differ from `reference` only in case, spaces or punctuation. Reads the
 * account's adjustments, not its orders.
 */
export async function findSimilarReferences(
  d1: D1Database,
  clientId: string,
  currency: string,
  reference: string,
): Promise<string[]> {
  const { results } = await d1
    .prepare(
      `SELECT reference FROM credit_entries
       WHERE client_id = ?1 AND currency = ?2 AND reference IS NOT NULL AND reference <> ?3`,
    )
    .bind(clientId, currency, reference)
    .all<{ reference: string }>();
  const key = similarityKey(reference);
  return results.map((row) => row.reference).filter((other) => similarityKey(other) === key);
}
