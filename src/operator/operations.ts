// Everything that operators can do and see. The console, the commands and the operator API have all of it.
import { creditAdd } from "./credit/add.ts";
import { creditAlert } from "./credit/alert.ts";
import { creditLedger } from "./credit/ledger.ts";
import { creditList } from "./credit/list.ts";
import { creditShow } from "./credit/show.ts";
import { statement } from "./credit/statement.ts";
import { statementEntries } from "./credit/statement-entries.ts";
import { home } from "./health/home.ts";
import { auditListOf } from "./audit-log/list.ts";
import { clientAdd } from "./clients/add.ts";
import { clientResume, clientSuspend } from "./clients/change-status.ts";
import { clientList } from "./clients/list.ts";
import { clientSet } from "./clients/set.ts";
import { clientShow } from "./clients/show.ts";
import { collectionList } from "./collections/list.ts";
import { collectionRemove } from "./collections/remove.ts";
import { collectionSet } from "./collections/set.ts";
import { credentialIssue } from "./credentials/issue.ts";
import { credentialLimit } from "./credentials/limit.ts";
import { credentialRevoke } from "./credentials/revoke.ts";
import { catalogueAdd } from "./catalogue/add.ts";
import { catalogueList } from "./catalogue/list.ts";
import { cataloguePublish } from "./catalogue/publish-file.ts";
import { catalogueShow } from "./catalogue/show.ts";
import { stockAdjust } from "./catalogue/stock-adjust.ts";
import { stockList } from "./catalogue/stock-list.ts";
import { stockSet } from "./catalogue/stock-set.ts";
import { stockShow } from "./catalogue/stock-show.ts";
import { stockUpload } from "./catalogue/stock-upload.ts";
import { codeList, codeVoid } from "./codes/batches.ts";
import { codeReplace, codeShow } from "./codes/gift-code.ts";
import { codeUpload } from "./codes/upload.ts";
import type { Operation } from "./declaration/declare.ts";
import { emailList } from "./email/list.ts";
import { emailResend } from "./email/resend.ts";
import { giftShow } from "./gifts/show.ts";
import { emailStop } from "./email/stop.ts";
import { eventList } from "./events/list.ts";
import { healthShow } from "./health/show.ts";
import { orderCancel } from "./lifecycle/cancel-order.ts";
import { recipientCorrect } from "./lifecycle/correct-recipient.ts";
import { giftExtend } from "./lifecycle/extend-gift.ts";
import { shipmentList } from "./fulfilment/list.ts";
import { shipmentPicklist } from "./fulfilment/pick-list.ts";
import {
  shipmentCorrect,
  shipmentDeliver,
  shipmentFail,
  shipmentReopen,
  shipmentReship,
  shipmentReturn,
  shipmentShip,
} from "./fulfilment/steps.ts";
import { shipmentUpload } from "./fulfilment/upload.ts";
import { orderExtend } from "./lifecycle/extend-order.ts";
import { orderFail } from "./lifecycle/fail-order.ts";
import { orderPay } from "./lifecycle/pay-orders.ts";
import { orderRefund } from "./lifecycle/refund-order.ts";
import { giftRenew } from "./lifecycle/renew-gift.ts";
import { paymentUpload } from "./lifecycle/upload-payments.ts";
import { orderFind } from "./orders/find.ts";
import { giftList } from "./orders/list-gifts.ts";
import { paymentList } from "./orders/list-unpaid.ts";
import { orderList } from "./orders/list.ts";
import { orderShow } from "./orders/show.ts";
import { recipientErase } from "./privacy/erase.ts";
import { recipientExport } from "./privacy/export.ts";
import { restoreFinish } from "./recovery/finish.ts";
import { restorePrepare } from "./recovery/prepare.ts";
import { recipientShow } from "./privacy/show.ts";
import { webhookAdd } from "./webhooks/add.ts";
import { webhookDisable, webhookEnable } from "./webhooks/change-status.ts";
import { webhookList } from "./webhooks/list.ts";
import { webhookRedeliver } from "./webhooks/redeliver.ts";
import { webhookShow } from "./webhooks/show.ts";

export const OPERATIONS: readonly Operation[] = [
  home,
  orderList,
  orderShow,
  orderFind,
  orderCancel,
  orderExtend,
  orderPay,
  orderRefund,
  orderFail,
  paymentList,
  paymentUpload,
  giftList,
  giftShow,
  giftExtend,
  giftRenew,
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
  webhookAdd,
  webhookEnable,
  webhookDisable,
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
  restorePrepare,
  restoreFinish,
  creditList,
  creditShow,
  creditAdd,
  creditAlert,
  creditLedger,
  statement,
  statementEntries,
  catalogueList,
  catalogueShow,
  catalogueAdd,
  cataloguePublish,
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
