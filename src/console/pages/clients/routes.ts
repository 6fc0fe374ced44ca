// The pages of clients and payments.
import { addAction } from "../../actions/routes.tsx";
import { createRoutes } from "../../router.ts";
import { changeClient, resumeClient, suspendClient } from "./change-client.tsx";
import { issueCredentials, revokeCredentials } from "./change-credentials.tsx";
import { clientPage, clientsPage } from "./client-pages.tsx";
import { payOrder, payOrders, refundOrder, unpaidPage } from "./payments.tsx";

export const clientPages = createRoutes()
  .get("/clients", "view", clientsPage)
  .get("/clients/:client", "view", clientPage)
  .get("/payments", "view", unpaidPage);

addAction(clientPages, "/payments/pay", payOrders);
addAction(clientPages, "/orders/:order/pay", payOrder);
addAction(clientPages, "/orders/:order/refund", refundOrder);
addAction(clientPages, "/clients/:client/settings", changeClient);
addAction(clientPages, "/clients/:client/suspend", suspendClient);
addAction(clientPages, "/clients/:client/resume", resumeClient);
addAction(clientPages, "/clients/:client/issue-credentials", issueCredentials);
addAction(clientPages, "/clients/:client/credentials/:set/revoke", revokeCredentials);
