// Everything that operators can do and see. The console, the commands and the operator API have all of it.
import { creditAdd } from "./credit/add.ts";
import { creditAlert } from "./credit/alert.ts";
import { creditLedger } from "./credit/ledger.ts";
import { creditList } from "./credit/list.ts";
import { creditShow } from "./credit/show.ts";
import { statementClose } from "./statement/close.ts";
import { statementList } from "./statement/list.ts";
import { statementShow } from "./statement/show.ts";
import { statementEntries } from "./statement/entries.ts";
import { homeShow } from "./home/show.ts";
import { auditListOf } from "./audit/list.ts";
import { clientAdd } from "./client/add.ts";
import { clientSuspend } from "./client/suspend.ts";
import { clientList } from "./client/list.ts";
import { clientSet } from "./client/set.ts";
import { clientShow } from "./client/show.ts";
import { collectionList } from "./collection/list.ts";
import { collectionRemove } from "./collection/remove.ts";
import { collectionSet } from "./collection/set.ts";
import { credentialIssue } from "./credential/issue.ts";
import { credentialLimit } from "./credential/limit.ts";
import { credentialRevoke } from "./credential/revoke.ts";
import { catalogueAdd } from "./catalogue/add.ts";
import { catalogueList } from "./catalogue/list.ts";
import { cataloguePublish } from "./catalogue/publish.ts";
import { catalogueProducts } from "./catalogue/products.ts";
import { catalogueRepublish } from "./catalogue/republish.ts";
import { catalogueShow } from "./catalogue/show.ts";
import { stockAdjust } from "./stock/adjust.ts";
import { stockList } from "./stock/list.ts";
import { stockSet } from "./stock/set.ts";
import { stockShow } from "./stock/show.ts";
import { stockUpload } from "./stock/upload.ts";
import { codeList } from "./code/list.ts";
import { codeShow } from "./code/show.ts";
import { codeUpload } from "./code/upload.ts";
import type { Operation } from "./declaration/declare.ts";
import { emailList } from "./email/list.ts";
import { emailResend } from "./email/resend.ts";
import { giftShow } from "./gift/show.ts";
import { emailStop } from "./email/stop.ts";
import { eventList } from "./event/list.ts";
import { healthShow } from "./health/show.ts";
import { orderCancel } from "./order/cancel.ts";
import { recipientCorrect } from "./recipient/correct.ts";
import { giftExtend } from "./gift/extend.ts";
import { shipmentList } from "./shipment/list.ts";
import { shipmentPicklist } from "./shipment/picklist.ts";
import { shipmentFail } from "./shipment/fail.ts";
import { shipmentReship } from "./shipment/reship.ts";
import { shipmentReturn } from "./shipment/return.ts";
import { shipmentUpload } from "./shipment/upload.ts";
import { regionBegin } from "./region/begin.ts";
import { orderExtend } from "./order/extend.ts";
import { orderFail } from "./order/fail.ts";
import { orderNote } from "./order/note.ts";
import { orderPay } from "./order/pay.ts";
import { orderRefund } from "./order/refund.ts";
import { giftSwap } from "./gift/swap.ts";
import { giftNote } from "./gift/note.ts";
import { giftRenew } from "./gift/renew.ts";
import { paymentUpload } from "./payment/upload.ts";
import { orderFind } from "./order/find.ts";
import { giftList } from "./gift/list.ts";
import { paymentList } from "./payment/list.ts";
import { orderList } from "./order/list.ts";
import { orderShow } from "./order/show.ts";
import { recipientErase } from "./recipient/erase.ts";
import { recipientExport } from "./recipient/export.ts";
import { reportShow } from "./report/show.ts";
import { restoreFinish } from "./restore/finish.ts";
import { restoreList } from "./restore/list.ts";
import { recipientShow } from "./recipient/show.ts";
import { vendorList } from "./vendor/list.ts";
import { vendorSet } from "./vendor/set.ts";
import { vendorShow } from "./vendor/show.ts";
import { webhookList } from "./webhook/list.ts";
import { webhookRedeliver } from "./webhook/redeliver.ts";
import { webhookShow } from "./webhook/show.ts";
import { codeVoid } from "./code/void.ts";
import { codeReplace } from "./code/replace.ts";
import { clientResume } from "./client/resume.ts";
import { shipmentShip } from "./shipment/ship.ts";
import { shipmentDeliver } from "./shipment/deliver.ts";
import { shipmentReopen } from "./shipment/reopen.ts";
import { shipmentCorrect } from "./shipment/correct.ts";

export const OPERATIONS: readonly Operation[] = [
  homeShow,
  orderList,
  orderShow,
  orderFind,
  orderCancel,
  orderExtend,
  orderPay,
  orderRefund,
  orderFail,
  orderNote,
  paymentList,
  paymentUpload,
  giftList,
  giftShow,
  giftExtend,
  giftRenew,
  giftSwap,
  giftNote,
  shipmentList,
  shipmentPicklist,
  shipmentShip,
  shipmentDeliver,
  shipmentCorrect,
  shipmentFail,
  shipmentReopen,
  shipmentReship,
  shipmentReturn,
  shipmentUpload,
  vendorList,
  vendorShow,
  vendorSet,
  collectionList,
  collectionSet,
  collectionRemove,
  clientList,
  clientShow,
  clientAdd,
  clientSet,
  clientSuspend,
  clientResume,
  credentialIssue,
  credentialLimit,
  credentialRevoke,
  webhookList,
  webhookShow,
  webhookRedeliver,
  eventList,
  recipientShow,
  recipientCorrect,
  recipientExport,
  recipientErase,
  emailList,
  emailResend,
  emailStop,
  auditListOf((name) => OPERATIONS.some((operation) => operation.name === name)),
  healthShow,
  restoreList,
  restoreFinish,
  regionBegin,
  creditList,
  creditShow,
  creditAdd,
  creditAlert,
  creditLedger,
  statementList,
  statementClose,
  statementShow,
  statementEntries,
  reportShow,
  catalogueList,
  catalogueShow,
  catalogueProducts,
  catalogueAdd,
  cataloguePublish,
  catalogueRepublish,
  stockList,
  stockShow,
  stockSet,
  stockAdjust,
  stockUpload,
  codeList,
  codeUpload,
  codeShow,
  codeReplace,
  codeVoid,
];
