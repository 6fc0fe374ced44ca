// The pages of clients, payments and statements.
import { addAction } from "../../actions/routes.tsx";
import { createRoutes } from "../../router.ts";
import { changeClient, resumeClient, suspendClient } from "./change-client.tsx";
import { issueCredentials, revokeCredentials } from "./change-credentials.tsx";
import { clientPage, clientsPage } from "./client-pages.tsx";
import { addCredit, creditPage, setCreditAlert } from "./credit.tsx";
import { payOrder, payOrders, refundOrder, unpaidPage } from "./payments.tsx";
import { downloadStatement, statementPage } from "./statement.tsx";

export const clientPages = createRoutes()
  .get("/clients", "view", clientsPage)
  .get("/clients/:client", "view", clientPage)
  .get("/clients/:client/credit", "view", creditPage)
  .get("/clients/:client/statement", "view", statementPage)
  .get("/clients/:client/statement/csv", "view", downloadStatement)
  .get("/payments", "view", unpaidPage);

addAction(clientPages, "/payments/pay", payOrders);
addAction(clientPages, "/orders/:order/pay", payOrder);
addAction(clientPages, "/orders/:order/refund", refundOrder);
addAction(clientPages, "/clients/:client/credit/add", addCredit);
addAction(clientPages, "/clients/:client/credit/alert", setCreditAlert);
addAction(clientPages, "/clients/:client/settings", changeClient);
addAction(clientPages, "/clients/:client/suspend", suspendClient);
addAction(clientPages, "/clients/:client/resume", resumeClient);
addAction(clientPages, "/clients/:client/issue-credentials", issueCredentials);
addAction(clientPages, "/clients/:client/credentials/:set/revoke", revokeCredentials);
