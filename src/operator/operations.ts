// Everything that operators can do and see. The console, the commands and the operator API have all of it.
import type { Operation } from "./declaration/declare.ts";
import { giftExtend } from "./lifecycle/extend-gift.ts";
import { shipmentList } from "./fulfilment/list.ts";
import { shipmentPicklist } from "./fulfilment/pick-list.ts";
import {
  shipmentCorrect,
  shipmentDeliver,
  shipmentReopen,
  shipmentShip,
} from "./fulfilment/steps.ts";
import { shipmentUpload } from "./fulfilment/upload.ts";
import { orderList } from "./orders/list.ts";
import { orderShow } from "./orders/show.ts";

export const OPERATIONS: readonly Operation[] = [
  orderList,
  orderShow,
  giftExtend,
  shipmentList,
  shipmentPicklist,
  shipmentShip,
  shipmentDeliver,
  shipmentCorrect,
  shipmentReopen,
  shipmentUpload,
];
