// Everything that operators can do and see. The console, the commands and the operator API have all of it.
import { creditAdd } from "./credit/add.ts";
import { creditAlert } from "./credit/alert.ts";
import { creditLedger } from "./credit/ledger.ts";
import { creditList } from "./credit/list.ts";
import { creditShow } from "./credit/show.ts";
import { statement } from "./credit/statement.ts";
import { statementEntries } from "./credit/statement-entries.ts";
import type { Operation } from "./declaration/declare.ts";
import { home } from "./health/home.ts";
import { giftExtend } from "./lifecycle/extend-gift.ts";
import { orderList } from "./orders/list.ts";
import { orderShow } from "./orders/show.ts";

export const OPERATIONS: readonly Operation[] = [
  home,
  orderList,
  orderShow,
  giftExtend,
  creditList,
  creditShow,
  creditAdd,
  creditAlert,
  creditLedger,
  statement,
  statementEntries,
];
