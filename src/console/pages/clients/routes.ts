// The pages of clients and statements.
import { addAction } from "../../actions/routes.tsx";
import { createRoutes } from "../../router.ts";
import { changeClient, resumeClient, suspendClient } from "./change-client.tsx";
import { issueCredentials, revokeCredentials } from "./change-credentials.tsx";
import { clientPage, clientsPage } from "./client-pages.tsx";
import { addCredit, creditPage, setCreditAlert } from "./credit.tsx";
import { downloadStatement, statementPage } from "./statement.tsx";

export const clientPages = createRoutes()
  .get("/clients", "view", clientsPage)
  .get("/clients/:client", "view", clientPage)
  .get("/clients/:client/credit", "view", creditPage)
  .get("/clients/:client/statement", "view", statementPage)
  .get("/clients/:client/statement/csv", "view", downloadStatement);

addAction(clientPages, "/clients/:client/credit/add", addCredit);
addAction(clientPages, "/clients/:client/credit/alert", setCreditAlert);
addAction(clientPages, "/clients/:client/settings", changeClient);
addAction(clientPages, "/clients/:client/suspend", suspendClient);
addAction(clientPages, "/clients/:client/resume", resumeClient);
addAction(clientPages, "/clients/:client/issue-credentials", issueCredentials);
addAction(clientPages, "/clients/:client/credentials/:set/revoke", revokeCredentials);
