// A client with its settings, credit, credential sets and webhook endpoints.
import { readBalances } from "../../features/credit/queries.ts";
import { listClientWebhooks } from "../../features/webhooks/queries.ts";
import { shownUrl } from "../../features/webhooks/url.ts";
import { view } from "../declaration/declare.ts";
import * as kinds from "../declaration/kinds.ts";
import { listCredentials } from "./queries.ts";
import { requireClient } from "./require-client.ts";
import { SETTING_FACTS, settingValues } from "./settings.ts";

const CREDENTIAL_SET = {
  set: kinds.id("Set"),
  name: kinds.text("Name"),
  scope: kinds.text("Scope"),
  issued: kinds.time("Issued"),
  last_used: kinds.day("Last used"),
};

/** Four round trips at the same time. */
export const clientShow = view({
  name: "client show",
  title: "Client",
  permission: "view",
  input: { client: kinds.client("Client") },
  examples: ["acme"],
  shape: {
    facts: {
      status: kinds.status("Status"),
      since: kinds.time("Client since"),
      parent: kinds.client("Test client of"),
      ...SETTING_FACTS,
    },
    lists: {
      accounts: {
        title: "Credit",
        empty: "The client has no credit account.",
        columns: { currency: kinds.text("Currency"), balance: kinds.money("Balance") },
        actions: ["credit add"],
      },
      credentials: {
        title: "Credential sets",
        empty: "The client has no credential sets. Issue one, so that it can call the API.",
        columns: CREDENTIAL_SET,
        actions: ["credential issue", "credential revoke"],
      },
      revoked: {
        title: "Revoked credential sets",
        columns: { ...CREDENTIAL_SET, revoked: kinds.time("Revoked") },
      },
      webhooks: {
        title: "Webhook endpoints",
        empty: "The client has no webhook endpoints.",
        columns: {
          webhook: kinds.webhook("Webhook"),
          address: kinds.text("URL"),
          status: kinds.status("Status"),
          reason: kinds.text("Disabled because", { beside: "status" }),
          failing_since: kinds.time("Failing since"),
        },
        actions: ["webhook add"],
      },
    },
  },
  read: async ({ DB }, { client: clientId }) => {
    const [client, sets, balances, webhooks] = await Promise.all([
      requireClient(DB, clientId),
      listCredentials(DB, clientId),
      readBalances(DB, clientId),
      listClientWebhooks(DB, clientId),
    ]);
    const { status, createdAtMs: since, parentId: parent } = client;
    const rows = sets.map((set) => ({
      set: set.id,
      name: set.name,
      scope: set.scope,
      issued: set.createdAtMs,
      last_used: set.lastUsedOn,
      revoked: set.revokedAtMs,
    }));
    const revoked = rows.filter((row) => row.revoked !== null);
    return {
      facts: { ...settingValues(client), status, since, parent },
      lists: {
        accounts: balances.map(({ currency, balanceMinor }) => ({
          currency,
          balance: { minor: balanceMinor, currency },
        })),
        credentials: rows.filter((row) => row.revoked === null),
        ...(revoked.length > 0 && { revoked }),
        webhooks: webhooks.map((webhook) => ({
          webhook: webhook.id,
          address: shownUrl(webhook.url),
          status: webhook.status,
          reason: webhook.disabledReason,
          failing_since: webhook.failingSinceMs,
        })),
      },
      actions: [
        "client set",
        status === "active" ? "client suspend" : "client resume",
        ...[
          "order list",
          "shipment list",
          "payment list",
          "event list",
          "credit show",
          "statement",
        ],
      ],
    };
  },
});
