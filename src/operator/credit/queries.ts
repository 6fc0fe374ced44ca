// Clients' credit for the operator's commands: accounts and ledger entries.
import { and, asc, desc, eq, isNotNull, lt, ne } from "drizzle-orm";
import { drizzle } from "drizzle-orm/d1";
import type { Currency } from "../../core/values/iso.ts";
import { creditAccounts, creditEntries } from "../../platform/db/schema.ts";

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
