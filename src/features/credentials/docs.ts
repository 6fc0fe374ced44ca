// Describes the endpoints with which clients manage their credentials.
import type { CreatedCredential } from "./create.ts";
import { formatDay, HOUR_MS } from "../../core/values/time.ts";
import { parseJson, toJson } from "../../platform/db/columns.ts";
import { type FeatureDocs, operation } from "../../platform/http/documentation.ts";
import { SAMPLE_ORDER } from "../events/docs.ts";
import * as contract from "./contract.ts";
import { storedLimits } from "./limits.ts";
import { MAX_CREDENTIALS } from "./queries.ts";
import {
  credentialListResponse,
  credentialResponse,
  newCredentialResponse,
  revokedCredentialResponse,
} from "./response.ts";

/** The ids of the demo client's set and of the next set in a new database. */
const FIRST_ID = 1;
const CREATED_ID = 5;

const SAMPLE_LIMITS = [
  { period: "order" as const, currency: "AUD" as const, amount: "200.00" },
  { period: "month" as const, currency: "AUD" as const, amount: "1000.00" },
];

const { createdAtMs } = SAMPLE_ORDER;
const first = {
  id: FIRST_ID,
  name: null,
  scope: "admin" as const,
  createdAtMs,
  revokedAtMs: null,
  lastUsedOn: formatDay(createdAtMs),
  limits: null,
  budget: null,
  own: 0 as const,
  keyEnd: "-key",
};
const created: CreatedCredential = {
  id: CREATED_ID,
  name: "Shop",
  scope: "order",
  createdAtMs: createdAtMs + HOUR_MS,
  revokedAtMs: null,
  lastUsedOn: null,
  limits: toJson(
    (parseJson(storedLimits(SAMPLE_LIMITS)) ?? []).map((limit) => ({ ...limit, usedMinor: 0 })),
  ),
  budget: "Shop",
  own: 1,
  keyEnd: "PjKw",
  apiKey: "regalo_sandbox_key_uJ0mYv3k5Wm2rVb8oQ1xTt7cZ4sLh6dNe9fAgIiPjKw",
  apiPassword: "regalo_sandbox_password_Bq2wEr4tYu6iOp8aSd0fGh1jKl3zXc5vBn7mQwErTyU",
};

export const credentialDocs: FeatureDocs = {
  tag: { name: "Credentials", description: "The credential sets of your client." },

  // The sample requests succeed one after another in a new database.
  operations: [
    operation(contract.listCredentials, {
      summary: "List credential sets",
      description: "Returns your active credential sets, oldest first, without their values.",
      returns: "The sets.",
      responses: { credentials: credentialListResponse([first, created], FIRST_ID) },
    }),
    operation(contract.createCredential, {
      summary: "Create a credential set",
      description: `Returns a new \`API-KEY\` and \`API-PASSWORD\` for your \`CLIENT-ID\`. We store only a digest of them, so
they are shown once. The set is accepted everywhere within a minute. You can have ${String(MAX_CREDENTIALS)} active sets.

Do not repeat this request if its response was lost, because each request creates a set. Find the set that you do not
have with [GET /api/credentials](#listCredentials), revoke it, and create another one.

For an agent or a team, create a set with \`own\`: it does not find orders of other sets. To replace a set and keep counting
what it has spent, give the new set the same \`budget\`.`,
      requests: {
        credential: {
          scope: "order",
          name: "Shop",
          limits: SAMPLE_LIMITS,
          budget: "Shop",
          own: true,
        },
      },
      returns: "The set and its values.",
      responses: { created: newCredentialResponse(created) },
    }),
    operation(contract.limitCredential, {
      summary: "Limit what a credential set can spend",
      description: `Replaces the limits of a set with the scope \`order\`, such as that of a team, a script or an AI agent. They apply to
the next order. An order above a limit is refused with \`spending_limit_exceeded\`, and [POST /api/quote](#quoteOrder) says so
beforehand. Orders that are placed at the same time never exceed a limit together. What is already used in the present
day and month stays used, and a cancelled order gives nothing back. The header \`Regalo-Spending-Left\` of a placement or a
quote shows what is left.

It is safe to repeat the request.`,
      requests: { limits: { credential_id: CREATED_ID, limits: SAMPLE_LIMITS } },
      returns: "The set with its limits.",
      responses: { limited: credentialResponse(created) },
    }),
    operation(contract.revokeCredential, {
      summary: "Revoke a credential set",
      description: `Requests with the set are refused with \`unauthorized\` everywhere within a minute. This cannot be undone.
Your last set with the scope \`admin\` cannot be revoked.

It is safe to repeat the request: the response is the same.`,
      requests: { credential: { credential_id: CREATED_ID } },
      returns: "The set is revoked.",
      responses: { revoked: revokedCredentialResponse(created, createdAtMs + 2 * HOUR_MS) },
    }),
  ],
};
