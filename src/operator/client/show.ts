// A client with its settings, credit, credential sets and webhook endpoints.
import { limitText } from "../../features/credentials/limits.ts";
import { listClientWebhooks } from "../../features/webhooks/queries.ts";
import { shownUrl } from "../../features/webhooks/url.ts";
import { amountText } from "../../core/values/money.ts";
import { view } from "../declaration/declare.ts";
import * as kinds from "../declaration/kinds.ts";
import { readMoney } from "./money-queries.ts";
import { listClientCredentials } from "./queries.ts";
import { requireClient } from "./require-client.ts";
import { SETTING_FACTS, SETTING_HEADINGS, clientSettingValues } from "./settings.ts";

const amounts = (label: string) => kinds.many(kinds.money(label));

const CREDENTIAL_SET = {
  set: kinds.from("id", kinds.id("Set")),
  name: kinds.text("Name"),
  scope: kinds.text("Scope"),
  key: kinds.from("keyEnd", kinds.text("Key ends with")),
  limits: kinds.text("Limits"),
  budget: kinds.text("Budget", { beside: "limits" }),
  own: kinds.flag("Only its own orders"),
  issued: kinds.from("createdAtMs", kinds.time("Issued")),
  last_used: kinds.from("lastUsedOn", kinds.day("Last used")),
};

/** Four round trips at the same time. */
export const clientShow = view({
  name: "client show",
  title: "Client",
  permission: "view",
  input: { client: kinds.client("Client") },
  examples: ["acme"],
  shape: {
    headings: { balance: "Money", status: "Account", ...SETTING_HEADINGS },
    facts: {
      balance: amounts("Balance"),
      owed: amounts("Owed for orders on invoice"),
      open_gifts: amounts("Amount of open gifts"),
      orders: kinds.count("Orders of this month (UTC)"),
      ordered: amounts("Ordered this month (UTC)"),
      status: kinds.status("Status"),
      since: kinds.from("createdAtMs", kinds.time("Client since")),
      parent: kinds.from("parentId", kinds.client("Test client of")),
      ...SETTING_FACTS,
    },
    lists: {
      accounts: {
        title: "Credit",
        empty: "The client has no credit account.",
        columns: { currency: kinds.text("Currency"), balance: kinds.money("Balance") },
        rowActions: ["credit add"],
      },
      credentials: {
        title: "Credential sets",
        empty: "The client has no credential sets. Issue one, so that it can call the API.",
        columns: CREDENTIAL_SET,
        actions: ["credential issue"],
        rowActions: ["credential limit", "credential revoke"],
      },
      revoked: {
        title: "Revoked credential sets",
        columns: { ...CREDENTIAL_SET, revoked: kinds.from("revokedAtMs", kinds.time("Revoked")) },
      },
      webhooks: {
        title: "Webhook endpoints",
        empty: "The client has no webhook endpoints.",
        columns: {
          webhook: kinds.from("id", kinds.webhook("Webhook")),
          description: kinds.text("Description"),
          address: kinds.text("URL"),
          status: kinds.status("Status"),
          reason: kinds.from(
            "disabledReason",
            kinds.text("Disabled because", { beside: "status" }),
          ),
          failing_since: kinds.from("failingSinceMs", kinds.time("Failing since")),
        },
      },
    },
  },
  read: async ({ DB, nowMs }, { client: clientId }) => {
    const [client, sets, { balances, owed, open, month, orders }, webhooks] = await Promise.all([
      requireClient(DB, clientId),
      listClientCredentials(DB, clientId),
      readMoney(DB, clientId, nowMs),
      listClientWebhooks(DB, clientId),
    ]);
    const { status, createdAtMs, parentId } = client;
    const shown = sets.map((set) => ({ ...set, limits: set.limits && limitText(set.limits) }));
    const revoked = shown.filter(({ revokedAtMs }) => revokedAtMs !== null);
    const credit = balances.map(({ minor, currency }) => amountText(minor, currency));
    const account =
      client.billing === "invoice"
        ? "Pays by invoice"
        : `Credit: ${credit.join(" and ") || "none"}`;
    return {
      headline: `${client.name} (${clientId})`,
      text: `${status === "active" ? "" : "Suspended. "}${account}.`,
      facts: {
        ...clientSettingValues(client),
        status,
        createdAtMs,
        parentId,
        orders,
        balance: someOf(balances),
        owed: someOf(owed),
        open_gifts: someOf(open),
        ordered: someOf(month),
      },
      lists: {
        accounts: balances.map((balance) => ({ currency: balance.currency, balance })),
        credentials: shown.filter(({ revokedAtMs }) => revokedAtMs === null),
        ...(revoked.length > 0 && { revoked }),
        webhooks: webhooks.map((webhook) => ({ ...webhook, address: shownUrl(webhook.url) })),
      },
      actions: [
        ...["order list", "shipment list", "payment list", "credit show", "statement", "report"],
        ...["event list", "client set"],
        status === "active" ? "client suspend" : "client resume",
      ],
    };
  },
});

/** Null without any amount, for which pages have no row. */
const someOf = <Sum extends { minor: number }>(sums: Sum[]) => {
  const some = sums.filter(({ minor }) => minor !== 0);
  return some.length > 0 ? some : null;
};
