// What a gift costs, and what its end returns.
import { expression } from "../../platform/db/sql.ts";

/** What gift `s` costs. */
export const GIFT_COST = expression<number>()`(s.product_minor + s.shipping_minor + s.fee_minor)`;

/** What gift `s` of order `o` would return if it ended now. Zero if the order has no entry in a ledger. */
export const GIFT_REFUND = expression<number>()`
  iif(o.debit_sequence IS NULL AND o.owed_minor IS NULL, 0, ${GIFT_COST})`;
