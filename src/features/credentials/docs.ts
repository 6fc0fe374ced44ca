// Describes the endpoints with which clients manage their credentials.
import type { CreatedCredential } from "./create.ts";
import { formatDay, HOUR_MS } from "../../core/values/time.ts";
import { toJson } from "../../platform/db/columns.ts";
import { described, type FeatureDocs, operation } from "../../platform/http/documentation.ts";
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

const CREDENTIAL = {
  credential_id: "Identifies the credential set.",
  name: "Your name for the set. Null if there is none.",
  scope:
    "What the set permits. `read`: GET requests. `order`: also POST requests, except those that need `admin`. `admin`: everything.",
  limits:
    "The limits of its orders, and what is used and left of them. With limits, the set cannot order in other currencies. A cancelled order gives nothing back in its period. Null without limits.",
  created_at: "When the set was created, in UTC.",
};

const LIMIT = {
  period:
    "`order`: the total of one order. `day`, `month`: of all orders since it has begun, in UTC.",
  currency: "The currency of the amounts.",
  amount: "The limit, such as `500.00`.",
};

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
  spending: toJson([]),
};
const created: CreatedCredential = {
  id: CREATED_ID,
  name: "Shop",
  scope: "order",
  createdAtMs: createdAtMs + HOUR_MS,
  revokedAtMs: null,
  lastUsedOn: null,
  limits: storedLimits(SAMPLE_LIMITS),
  spending: toJson([]),
  apiKey: "regalo_sandbox_key_uJ0mYv3k5Wm2rVb8oQ1xTt7cZ4sLh6dNe9fAgIiPjKw",
  apiPassword: "regalo_sandbox_password_Bq2wEr4tYu6iOp8aSd0fGh1jKl3zXc5vBn7mQwErTyU",
};

export const credentialDocs: FeatureDocs = {
  tag: { name: "Credentials", description: "The credential sets of your client." },

  requests: {
    CredentialRequest: described(contract.CredentialRequest(), {
      _: "A new credential set. Unknown fields are ignored, unless they look misspelt or misplaced.",
      scope: CREDENTIAL.scope,
      name: "Your name for the set, such as the program that uses it.",
      limits: "Limits of its orders. Only for the scope `order`.",
    }),
    LimitsRequest: described(contract.LimitsRequest(), {
      _: "New limits of a credential set. Unknown fields are ignored, unless they look misspelt or misplaced.",
      credential_id: "The set's id.",
      limits: "All its limits. They replace the present ones. An empty list removes them.",
    }),
    SpendingLimitRequest: described(contract.SpendingLimitRequest(), {
      _: "A spending limit.",
      ...LIMIT,
    }),
    CredentialSelection: described(contract.CredentialSelection(), {
      _: "One of your credential sets.",
      credential_id: "The set's id.",
    }),
  },

  responses: {
    Credential: described(contract.ListedCredentialResponse(), {
      _: "An active credential set: an `API-KEY` and its `API-PASSWORD`.",
      ...CREDENTIAL,
      last_used_on: "The day of the last request with the set, in UTC. Null if there was none.",
      current: "True for the set of this request.",
    }),
    SpendingLimit: described(contract.SpendingLimitResponse(), {
      _: "A spending limit, and what is used and left of it.",
      ...LIMIT,
      used: "The totals of the orders in the present period since the set has limits. `0.00` for `order`.",
      left: "What can still be spent.",
    }),
    CredentialList: described(contract.CredentialListResponse(), {
      _: "All your active credential sets.",
      credentials: "The sets, oldest first.",
    }),
    NewCredential: described(contract.NewCredentialResponse(), {
      _: "A new credential set with its values, which cannot be read again.",
      ...CREDENTIAL,
      api_key: "The value of the header `API-KEY`.",
      api_password: "The value of the header `API-PASSWORD`.",
    }),
    LimitedCredential: described(contract.CredentialResponse(), {
      _: "A credential set with its new limits.",
      ...CREDENTIAL,
    }),
    RevokedCredential: described(contract.RevokedCredentialResponse(), {
      _: "A revoked credential set.",
      ...CREDENTIAL,
      revoked_at: "When the set was revoked, in UTC.",
    }),
  },

  // The sample requests succeed one after another in a new database.
  operations: [
    operation(contract.listCredentials, contract.CredentialListResponse(), {
      summary: "List credential sets",
      description: "Returns your active credential sets, oldest first, without their values.",
      returns: "The sets.",
      responses: { credentials: credentialListResponse([first, created], FIRST_ID, createdAtMs) },
    }),
    operation(contract.createCredential, contract.NewCredentialResponse(), {
      summary: "Create a credential set",
      description: `Returns a new \`API-KEY\` and \`API-PASSWORD\` for your \`CLIENT-ID\`. We store only a digest of them, so
they are shown once. The set is accepted everywhere within a minute. You can have ${String(MAX_CREDENTIALS)} active sets.

Do not repeat this request if its response was lost, because each request creates a set. Find the set that you do not
have with [GET /api/credentials](#listCredentials), revoke it, and create another one.`,
      requests: { credential: { scope: "order", name: "Shop", limits: SAMPLE_LIMITS } },
      returns: "The set and its values.",
      responses: { created: newCredentialResponse(created, created.createdAtMs) },
    }),
    operation(contract.limitCredential, contract.CredentialResponse(), {
      summary: "Limit what a credential set can spend",
      description: `Replaces the limits of a set with the scope \`order\`, such as that of a team, a script or an AI agent. They apply to
the next order. An order above a limit is refused with \`spending_limit_exceeded\`, and [POST /api/quote](#quoteOrder) says so
beforehand. Orders that are placed at the same time never exceed a limit together. What is already used in the present
day and month stays used, and a cancelled order gives nothing back. The header \`Regalo-Spending-Left\` of a placement or a
quote shows what is left.

It is safe to repeat the request.`,
      requests: { limits: { credential_id: CREATED_ID, limits: SAMPLE_LIMITS } },
      returns: "The set with its limits.",
      responses: { limited: credentialResponse(created, createdAtMs + HOUR_MS) },
    }),
    operation(contract.revokeCredential, contract.RevokedCredentialResponse(), {
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
