// Statements that must not compile. `npm run check:other` fails if one of the lines marked below compiles.
/* eslint-disable @typescript-eslint/no-unused-expressions */
import { type Database, fragment, sql } from "../../../src/platform/db/sql.ts";

declare const db: Database;

// @ts-expect-error: `clientID` is not a parameter.
sql<{ clientId: string }>()`SELECT ${"clientID"}`;

// @ts-expect-error: the template does not use `currency`.
sql<{ clientId: string; currency: string }>()`SELECT ${"clientId"}`;

// @ts-expect-error: the template has no parameters.
sql<{ clientId: string }>()`SELECT 1`;

const WITH_CURRENCY = fragment`currency = ${"currency"}`;

// @ts-expect-error: the fragment uses `currency`, which is not a parameter.
sql<{ clientId: string }>()`SELECT ${"clientId"} WHERE ${WITH_CURRENCY}`;

// @ts-expect-error: neither the template nor the fragment uses `clientId`.
sql<{ clientId: string; currency: string }>()`SELECT 1 WHERE ${WITH_CURRENCY}`;

// @ts-expect-error: D1 does not bind booleans.
sql<{ active: boolean }>();

// @ts-expect-error: undefined is not a value; SQL has NULL.
sql<{ note: string | undefined }>();

interface BalanceKey {
  clientId: string;
  minimum: number;
}
const SELECT_BALANCE = sql<BalanceKey, { balanceMinor: number }>()`
  SELECT ${"clientId"}, ${"minimum"}`;

// These compile.
SELECT_BALANCE.bind(db, { clientId: "acme", minimum: 1 });
sql<BalanceKey & { currency: string }>()`${WITH_CURRENCY} ${"clientId"} ${"minimum"}`;

// @ts-expect-error: a value is missing.
SELECT_BALANCE.bind(db, { clientId: "acme" });

// @ts-expect-error: `minimum` is a number.
SELECT_BALANCE.bind(db, { clientId: "acme", minimum: "1" });

// @ts-expect-error: `clientId` is never null.
void SELECT_BALANCE.first(db, { clientId: null, minimum: 1 });

// @ts-expect-error: `currency` is not a parameter.
void SELECT_BALANCE.all(db, { clientId: "acme", minimum: 1, currency: "AUD" });

export async function rowsAreTyped(): Promise<void> {
  const row = await SELECT_BALANCE.first(db, { clientId: "acme", minimum: 1 });
  // @ts-expect-error: there may be no row.
  row.balanceMinor.toFixed();
  // @ts-expect-error: the row has no `balance`.
  row?.balance.toFixed();
}
