// Issues credential sets.
import { refusal } from "../../core/api-error.ts";
import { plural } from "../../core/values/plural.ts";
import { SCOPES } from "../../core/values/scopes.ts";
import { createCredentialSet } from "../../features/credentials/create.ts";
import { MAX_CREDENTIALS } from "../../features/credentials/queries.ts";
import { invalidated } from "../client/invalidate.ts";
import { requireClient } from "../client/require-client.ts";
import { change } from "../declaration/declare.ts";
import * as kinds from "../declaration/kinds.ts";

/** The answer is the only place that has the values. One transaction. */
export const credentialIssue = change({
  name: "credential issue",
  title: "Issue credentials",
  description: `Shows a new credential set once. A client can have ${MAX_CREDENTIALS} active sets.`,
  permission: "credentials",
  input: {
    client: kinds.client("Client"),
    scope: kinds.choice("Scope", SCOPES, {
      hint: "read permits GET requests, order also placing and changing orders, and admin all requests.",
    }),
    name: kinds.optional(
      kinds.text("Name", { max: 60, hint: "Such as the program that uses the set." }),
    ),
    budget: kinds.optional(
      kinds.text("Budget", {
        max: 60,
        hint: "Limits count the orders of all sets with this budget.",
      }),
    ),
    own: kinds.optional(kinds.flag("Only its own orders")),
  },
  examples: ["acme --scope order --env sandbox"],
  plan: async ({ DB }, { client: clientId, scope, name = null, budget = null, own = false }) => {
    if (scope !== "order" && (budget !== null || own))
      throw refusal("only a set with the scope order has a budget or is restricted.");
    const { name: company, activeCredentials } = await requireClient(DB, clientId);
    if (activeCredentials >= MAX_CREDENTIALS) throw tooMany(clientId);
    const active = plural(activeCredentials, "active set");
    return {
      clientId,
      scope,
      name,
      budget,
      own,
      will: `issue a credential set with the scope ${scope}${own ? ", restricted to its own orders," : ""} for ${clientId} (${company}), which has ${active}`,
      subjects: [{ type: "credential", keys: [clientId] }],
    };
  },
  result: {
    facts: {
      set: kinds.id("Set"),
      client_id: kinds.secret("CLIENT-ID"),
      api_key: kinds.secret("API-KEY"),
      api_password: kinds.secret("API-PASSWORD"),
    },
  },
  run: async (context, { clientId, scope, name, budget, own }) => {
    const { nowMs } = context;
    const set = { clientId, scope, name, budget, own, limits: null, usedId: null, nowMs };
    const created = await createCredentialSet(context, set);
    if (!created) throw tooMany(clientId);
    return {
      text: "The values are shown only now. They are not stored.",
      facts: {
        set: created.id,
        client_id: clientId,
        api_key: created.apiKey,
        api_password: created.apiPassword,
      },
      ...(await invalidated(context, clientId)),
    };
  },
});

const tooMany = (clientId: string) =>
  refusal(
    `client ${clientId} already has ${String(MAX_CREDENTIALS)} active sets. Revoke one first.`,
  );
