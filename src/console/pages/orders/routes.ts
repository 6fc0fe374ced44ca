// The pages of recipients and e-mails.
import { addAction } from "../../actions/routes.tsx";
import { createRoutes } from "../../router.ts";
import { correctRecipient } from "./actions/correct.ts";
import { resendEmail, stopEmails } from "./actions/emails.ts";
import { eraseRecipient } from "./actions/erase.tsx";
import { downloadExport, exportPage } from "./actions/export.tsx";
import { emailList } from "./email-list.tsx";

export const orderPages = createRoutes()
  .get("/emails", "view", emailList)
  .get("/gifts/:gift/export", "gifts", exportPage)
  .post("/gifts/:gift/export", "gifts", downloadExport);

addAction(orderPages, "/gifts/:gift/resend", resendEmail);
addAction(orderPages, "/gifts/:gift/stop-emails", stopEmails);
addAction(orderPages, "/gifts/:gift/correct", correctRecipient);
addAction(orderPages, "/gifts/:gift/erase", eraseRecipient);
