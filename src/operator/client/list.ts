// The list of clients.
import { list } from "../declaration/declare.ts";
import * as kinds from "../declaration/kinds.ts";
import { listClients } from "./queries.ts";

/** One round trip. */
export const clientList = list({
  name: "client list",
  title: "Clients",
  permission: "view",
  input: {
    low_credit: kinds.optional(kinds.flag("Only clients with an account below its alert")),
  },
  columns: {
    client: kinds.from("id", kinds.client("Client")),
    name: kinds.text("Name"),
    status: kinds.status("Status"),
    billing: kinds.text("Billing"),
    fee: kinds.from("feeBasisPoints", kinds.percent("Fee")),
    catalogue: kinds.catalogue("Catalogue"),
    currency: kinds.from("defaultCurrency", kinds.text("Currency")),
    credentials: kinds.from("activeCredentials", kinds.count("Active credential sets")),
    since: kinds.from("createdAtMs", kinds.time("Client since")),
  },
  actions: ["client add"],
  first: () => ({ id: "" }),
  read: ({ DB }, { low_credit: hasLowCredit }, { after, limit }) =>
    listClients(DB, { after: after.id, hasLowCredit, limit }),
  row: (client) => client,
});
