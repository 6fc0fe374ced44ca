// Clients' credit for operators: accounts and ledger entries.
import { and, asc, desc, eq, getTableColumns, gt, isNotNull, lt, ne, sql } from "drizzle-orm";
import { drizzle } from "drizzle-orm/d1";
import type { Currency } from "../../core/values/iso.ts";
import { clients, creditAccounts, creditEntries } from "../../platform/db/schema.ts";

interface AccountFilter {
  currency?: Currency | undefined;
  /** Only accounts whose balance is below the amount of their alert. */
  isLow?: boolean | undefined;
  /** Only accounts after this one. */
  after?: { clientId: string; currency: string } | undefined;
  limit?: number;
}

/** More than there are currencies. */
const MAX_ACCOUNTS = 200;

/** A client's accounts, or those of all clients, by client and currency. */
export async function listAccounts(
  d1: D1Database,
  clientId: string | undefined,
  { currency, isLow = false, after, limit = MAX_ACCOUNTS }: AccountFilter = {},
) {
  const { alertBelowMinor, balanceMinor } = creditAccounts;
  return drizzle(d1)
    .select()
    .from(creditAccounts)
    .where(
      and(
        clientId === undefined ? undefined : eq(creditAccounts.clientId, clientId),
        currency === undefined ? undefined : eq(creditAccounts.currency, currency),
        isLow ? and(isNotNull(alertBelowMinor), lt(balanceMinor, alertBelowMinor)) : undefined,
        after &&
          sql`(${creditAccounts.clientId}, ${creditAccounts.currency}) > (${after.clientId}, ${after.currency})`,
      ),
    )
    .orderBy(asc(creditAccounts.clientId), asc(creditAccounts.currency))
    .limit(limit);
}

export type ListedAccount = Awaited<ReturnType<typeof listAccounts>>[number];

const inAccount = (clientId: string, currency: Currency) =>
  and(eq(creditEntries.clientId, clientId), eq(creditEntries.currency, currency));

export type ListedEntry = typeof creditEntries.$inferSelect;

/** An account's latest entries, newest first. Without a currency, those of the account in the client's currency. */
export async function listEntries(
  d1: D1Database,
  clientId: string,
  currency: Currency | undefined,
  { after, limit }: { after?: Pick<ListedEntry, "sequence"> | undefined; limit: number },
) {
  const db = drizzle(d1);
  const ofClient = db
    .select({ currency: clients.defaultCurrency })
    .from(clients)
    .where(eq(clients.id, clientId));
  return db
    .select()
    .from(creditEntries)
    .where(
      and(
        eq(creditEntries.clientId, clientId),
        eq(creditEntries.currency, currency ?? sql`(${ofClient})`),
        after && lt(creditEntries.sequence, after.sequence),
      ),
    )
    .orderBy(desc(creditEntries.sequence))
    .limit(limit);
}

/** The latest entries of each of a client's accounts, at most `perAccount` of each, newest first. */
export async function listNewestEntries(d1: D1Database, clientId: string, perAccount: number) {
  // The sequence of an account's last entry is the number of its entries. The cross join reads the accounts first.
  return drizzle(d1)
    .select(getTableColumns(creditEntries))
    .from(creditAccounts)
    .crossJoin(creditEntries)
    .where(
      and(
        eq(creditAccounts.clientId, clientId),
        eq(creditEntries.clientId, creditAccounts.clientId),
        eq(creditEntries.currency, creditAccounts.currency),
        gt(creditEntries.sequence, sql`${creditAccounts.entries} - ${perAccount}`),
      ),
    )
    .orderBy(desc(creditEntries.createdAtMs), desc(creditEntries.sequence));
}

/** The letters and digits of the reference, in lower case. `INV-9`, `inv 9` and `Inv9` have the same key. */
const similarityKey = (reference: string) =>
  reference.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, "");

/**
 * The references booked in the account that differ from `reference` only in case, spaces or punctuation. Reads the
 * account's adjustments, not its orders.
 */
export async function listSimilarReferences(
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
