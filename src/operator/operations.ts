// Everything that operators can do and see. The console, the commands and the operator API have all of it.
import { catalogueAdd } from "./catalogue/add.ts";
import { catalogueList } from "./catalogue/list.ts";
import { cataloguePublish } from "./catalogue/publish-file.ts";
import { catalogueShow } from "./catalogue/show.ts";
import { stockAdjust } from "./catalogue/stock-adjust.ts";
import { stockList } from "./catalogue/stock-list.ts";
import { stockSet } from "./catalogue/stock-set.ts";
import { stockShow } from "./catalogue/stock-show.ts";
import { stockUpload } from "./catalogue/stock-upload.ts";
import type { Operation } from "./declaration/declare.ts";
import { giftExtend } from "./lifecycle/extend-gift.ts";
import { orderList } from "./orders/list.ts";
import { orderShow } from "./orders/show.ts";

export const OPERATIONS: readonly Operation[] = [
  orderList,
  orderShow,
  giftExtend,
  catalogueList,
  catalogueShow,
  catalogueAdd,
  cataloguePublish,
  stockList,
  stockShow,
  stockSet,
  stockAdjust,
  stockUpload,
];
