// Everything that operators can do and see. The console, the commands and the operator API have all of it.
import { auditList } from "./audit-log/list.ts";
import type { Operation } from "./declaration/declare.ts";
import { emailList } from "./email/list.ts";
import { emailResend } from "./email/resend.ts";
import { emailStop } from "./email/stop.ts";
import { healthShow } from "./health/show.ts";
import { recipientCorrect } from "./lifecycle/correct-recipient.ts";
import { giftExtend } from "./lifecycle/extend-gift.ts";
import { orderList } from "./orders/list.ts";
import { orderShow } from "./orders/show.ts";
import { recipientErase } from "./privacy/erase.ts";
import { recipientExport } from "./privacy/export.ts";
import { restoreFinish } from "./recovery/finish.ts";
import { restorePrepare } from "./recovery/prepare.ts";

export const OPERATIONS: readonly Operation[] = [
  orderList,
  orderShow,
  giftExtend,
  recipientCorrect,
  recipientExport,
  recipientErase,
  emailList,
  emailResend,
  emailStop,
  auditList,
  healthShow,
  restorePrepare,
  restoreFinish,
];
