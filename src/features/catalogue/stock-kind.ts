// What an order or a gift takes of the stock, as `took_stock` stores it.
import { rawSql } from "../../platform/db/sql.ts";

/** What is taken of stock `k`: 0 nothing, because it is not tracked, 1 pieces, 2 codes. In the sandbox, codes are not tracked. */
export const TAKEN_STOCK = rawSql<0 | 1 | 2>(
  "iif(k.code_days IS NOT NULL, 2, k.quantity IS NOT NULL)",
);

/** What may return to the table `stock`: 1 pieces, 2 codes. A stock that is not tracked stays so. */
export const STOCK_KIND = rawSql<1 | 2>("iif(stock.code_days IS NULL, 1, 2)");
