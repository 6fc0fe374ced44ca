// The pages of clients and statements.
import { addAction } from "../../actions/routes.tsx";
import { createRoutes } from "../../router.ts";
import { addCredit, creditPage, setCreditAlert } from "./credit.tsx";
import { downloadStatement, statementPage } from "./statement.tsx";

export const clientPages = createRoutes()
  .get("/clients/:client/credit", "view", creditPage)
  .get("/clients/:client/statement", "view", statementPage)
  .get("/clients/:client/statement/csv", "view", downloadStatement);

addAction(clientPages, "/clients/:client/credit/add", addCredit);
addAction(clientPages, "/clients/:client/credit/alert", setCreditAlert);
