// Everything that operators can do and see. The console, the commands and the operator API have all of it.
import { auditList } from "./audit-log/list.ts";
import type { Operation } from "./declaration/declare.ts";
import { clientAdd } from "./clients/add.ts";
import { clientResume, clientSuspend } from "./clients/change-status.ts";
import { clientList } from "./clients/list.ts";
import { clientSet } from "./clients/set.ts";
import { clientShow } from "./clients/show.ts";
import { credentialIssue } from "./credentials/issue.ts";
import { credentialRevoke } from "./credentials/revoke.ts";
import { eventList } from "./events/list.ts";
import { giftExtend } from "./lifecycle/extend-gift.ts";
import { orderList } from "./orders/list.ts";
import { orderShow } from "./orders/show.ts";
import { webhookAdd } from "./webhooks/add.ts";
import { webhookDisable, webhookEnable } from "./webhooks/change-status.ts";
import { webhookList } from "./webhooks/list.ts";
import { webhookRedeliver } from "./webhooks/redeliver.ts";
import { webhookShow } from "./webhooks/show.ts";
import { emailList } from "./email/list.ts";
import { emailResend } from "./email/resend.ts";
import { emailStop } from "./email/stop.ts";
import { healthShow } from "./health/show.ts";
import { recipientCorrect } from "./lifecycle/correct-recipient.ts";
import { recipientErase } from "./privacy/erase.ts";
import { recipientExport } from "./privacy/export.ts";
import { restoreFinish } from "./recovery/finish.ts";
import { restorePrepare } from "./recovery/prepare.ts";

export const OPERATIONS: readonly Operation[] = [
  orderList,
  orderShow,
  giftExtend,
  clientList,
  clientShow,
  clientAdd,
  clientSet,
  clientSuspend,
  clientResume,
  credentialIssue,
  credentialRevoke,
  webhookList,
  webhookShow,
  webhookAdd,
  webhookEnable,
  webhookDisable,
  webhookRedeliver,
  eventList,
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
