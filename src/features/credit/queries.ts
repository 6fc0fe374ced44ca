// The statement that reads a balance. The statements that debit an account are in orders/queries.ts.
import type { Currency } from "../../core/values/iso.ts";
import { type Database, statement } from "../../platform/db/statement.ts";

interface AccountKey {
  clientId: string;
  currency: Currency;
}

const SELECT_BALANCE = statement<AccountKey, { balanceMinor: number }>()`
  SELECT balance_minor AS balanceMinor FROM credit_accounts
  WHERE client_id = ${"clientId"} AND currency = ${"currency"}`;

/** The balance in minor units, 0 if the client has no account. One round trip, to the primary. */
export async function readBalance(db: Database, account: AccountKey): Promise<number> {
  const row = await SELECT_BALANCE.first(db, account);
  return row?.balanceMinor ?? 0;
}
