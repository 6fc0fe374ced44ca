// The pages of orders, gifts and e-mails.
import { addAction } from "../../actions/routes.tsx";
import { createRoutes } from "../../router.ts";
import { cancelGift, cancelOrder } from "./actions/cancel.tsx";
import { correctRecipient } from "./actions/correct.ts";
import { resendEmail, stopEmails } from "./actions/emails.ts";
import { eraseRecipient } from "./actions/erase.tsx";
import { downloadExport, exportPage } from "./actions/export.tsx";
import { extendOrder } from "./actions/extend-order.ts";
import { renewGift } from "./actions/renew.tsx";
import { emailList } from "./email-list.tsx";
import { giftPage } from "./gift-page.tsx";
import { orderList } from "./order-list.tsx";
import { orderPage } from "./order-page.tsx";
import { search, searchPage } from "./search.tsx";

export const orderPages = createRoutes()
  .get("/search", "view", searchPage)
  .post("/search", "view", search)
  .get("/emails", "view", emailList)
  .get("/orders", "view", orderList)
  .get("/orders/:order", "view", orderPage)
  .get("/gifts/:gift", "view", giftPage)
  .get("/gifts/:gift/export", "gifts", exportPage)
  .post("/gifts/:gift/export", "gifts", downloadExport);

addAction(orderPages, "/orders/:order/cancel", cancelOrder);
addAction(orderPages, "/orders/:order/extend", extendOrder);
addAction(orderPages, "/gifts/:gift/cancel", cancelGift);
addAction(orderPages, "/gifts/:gift/renew", renewGift);
addAction(orderPages, "/gifts/:gift/resend", resendEmail);
addAction(orderPages, "/gifts/:gift/stop-emails", stopEmails);
addAction(orderPages, "/gifts/:gift/correct", correctRecipient);
addAction(orderPages, "/gifts/:gift/erase", eraseRecipient);
