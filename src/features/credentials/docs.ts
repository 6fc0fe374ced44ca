// Describes the endpoints with which clients manage their credentials.
import type { CreatedCredential } from "./create.ts";
import { formatDay, HOUR_MS } from "../../core/values/time.ts";
import { described, type FeatureDocs, operation } from "../../platform/http/documentation.ts";
import { SAMPLE_ORDER } from "../events/docs.ts";
import * as contract from "./contract.ts";
import { MAX_CREDENTIALS } from "./queries.ts";
import {
  credentialListResponse,
  newCredentialResponse,
  revokedCredentialResponse,
} from "./response.ts";

const CREDENTIAL = {
  credential_id: "Identifies the credential set.",
  name: "Your name for the set. Null if there is none.",
  scope:
    "What the set permits. `read`: GET requests. `order`: also POST requests, except those that need `admin`. `admin`: everything.",
  created_at: "When the set was created, in UTC.",
};

/** The ids of the demo client's set and of the next set in a new database. */
const FIRST_ID = 1;
const CREATED_ID = 4;

const { createdAtMs } = SAMPLE_ORDER;
const first = {
  id: FIRST_ID,
  name: null,
  scope: "admin" as const,
  createdAtMs,
  revokedAtMs: null,
  lastUsedOn: formatDay(createdAtMs),
};
const created: CreatedCredential = {
  id: CREATED_ID,
  name: "Shop",
  scope: "order",
  createdAtMs: createdAtMs + HOUR_MS,
  revokedAtMs: null,
  lastUsedOn: null,
  apiKey: "regalo_sandbox_key_uJ0mYv3k5Wm2rVb8oQ1xTt7cZ4sLh6dNe9fAgIiPjKw",
  apiPassword: "regalo_sandbox_password_Bq2wEr4tYu6iOp8aSd0fGh1jKl3zXc5vBn7mQwErTyU",
};

export const credentialDocs: FeatureDocs = {
  tag: { name: "Credentials", description: "The credential sets of your client." },

  requests: {
    CredentialRequest: described(contract.CredentialRequest(), {
      _: "A new credential set. Unknown fields are ignored, unless they look misspelt.",
      scope: CREDENTIAL.scope,
      name: "Your name for the set, such as the program that uses it.",
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
      responses: { credentials: credentialListResponse([first, created], FIRST_ID) },
    }),
    operation(contract.createCredential, contract.NewCredentialResponse(), {
      summary: "Create a credential set",
      description: `Returns a new \`API-KEY\` and \`API-PASSWORD\` for your \`CLIENT-ID\`. We store only a digest of them, so
they are shown once. The set is accepted everywhere within a minute. You can have ${String(MAX_CREDENTIALS)} active sets.

Do not repeat this request if its response was lost, because each request creates a set. Find the set that you do not
have with [GET /api/credentials](#listCredentials), revoke it, and create another one.`,
      requests: { credential: { scope: "order", name: "Shop" } },
      returns: "The set and its values.",
      responses: { created: newCredentialResponse(created) },
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

  trials: {
    "A new credential set": [
      { shows: "the set with its `api_key` and `api_password`", json: { api_key: /^regalo_/ } },
      { request: "POST /api/credential", body: { scope: "read" } },
    ],
    "The last credential set with the scope `admin`": [
      "not_allowed_in_state",
      {
        request: "POST /api/credential/revoke",
        body: { credential_id: FIRST_ID },
        localOnly: true,
      },
    ],
    "A credential set that does not exist": [
      "not_found",
      { request: "POST /api/credential/revoke", body: { credential_id: 999_999 } },
    ],
  },
};
