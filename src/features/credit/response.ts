// Maps balances and entries to the responses that credit/contract.ts defines.
import type { Currency } from "../../core/values/iso.ts";
import { amountAsNumber, formatAmount, formatCurrency } from "../../core/values/money.ts";
import type {
  CreditBalanceListResponse,
  CreditBalanceResponse,
  CreditEntryListResponse,
  CreditEntryResponse,
} from "./contract.ts";
import type { Balance, CreditEntry } from "./queries.ts";

export function creditBalanceResponse(
  balanceMinor: number,
  currency: Currency,
): CreditBalanceResponse {
  return {
    credit_balance: amountAsNumber(balanceMinor, currency),
    currency,
    credit_balance_formatted: formatCurrency(balanceMinor, currency),
  };
}

export const creditBalanceListResponse = (
  balances: readonly Balance[],
): CreditBalanceListResponse => ({
  status: "success",
  credit_balances: balances.map(({ balanceMinor, currency }) =>
    creditBalanceResponse(balanceMinor, currency),
  ),
});

/** A page of the entries. `after` is that of the request, and `last` is the sequence of the account's last entry. */
export function creditEntryListResponse(
  entries: readonly CreditEntry[],
  { currency, after, last }: { currency: Currency; after: number; last: number },
): CreditEntryListResponse {
  const nextAfter = entries.at(-1)?.sequence ?? after;
  return {
    status: "success",
    currency,
    credit_entries: entries.map((entry) => ({
      sequence: entry.sequence,
      kind: kindOf(entry),
      amount: formatAmount(entry.amountMinor, currency),
      balance: formatAmount(entry.balanceMinor, currency),
      order_id: entry.orderId,
      order_ref_id: entry.orderRefId,
      reference: entry.reference,
      created_at: new Date(entry.createdAtMs).toISOString(),
    })),
    next_after: nextAfter,
    has_more: nextAfter < last,
  };
}

export const adjustmentName = (amountMinor: number) => (amountMinor < 0 ? "correction" : "top_up");

function kindOf({ kind, amountMinor }: CreditEntry): CreditEntryResponse["kind"] {
  if (kind === "adjustment") return adjustmentName(amountMinor);
  return kind === "order" ? "order" : "refund";
}
