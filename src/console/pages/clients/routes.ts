// The pages of clients, payments and statements.
import { addAction } from "../../actions/routes.tsx";
import { createRoutes } from "../../router.ts";
import { addCredit, creditPage, setCreditAlert } from "./credit.tsx";
import { payOrder, payOrders, refundOrder, unpaidPage } from "./payments.tsx";
import { downloadStatement, statementPage } from "./statement.tsx";

export const clientPages = createRoutes()
  .get("/clients/:client/credit", "view", creditPage)
  .get("/clients/:client/statement", "view", statementPage)
  .get("/clients/:client/statement/csv", "view", downloadStatement)
  .get("/payments", "view", unpaidPage);

addAction(clientPages, "/payments/pay", payOrders);
addAction(clientPages, "/orders/:order/pay", payOrder);
addAction(clientPages, "/orders/:order/refund", refundOrder);
addAction(clientPages, "/clients/:client/credit/add", addCredit);
addAction(clientPages, "/clients/:client/credit/alert", setCreditAlert);
