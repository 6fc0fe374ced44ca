// Maps credential sets to the responses that credentials/contract.ts defines.
import type {
  CredentialListResponse,
  CredentialResponse,
  NewCredentialResponse,
  RevokedCredentialResponse,
} from "./contract.ts";
import { formatAmount } from "../../core/values/money.ts";
import { parseJson } from "../../platform/db/columns.ts";
import { leftMinorOf } from "./limits.ts";
import type { CreatedCredential } from "./create.ts";
import type { Credential } from "./queries.ts";

export const credentialResponse = (set: Credential): CredentialResponse => ({
  credential_id: set.id,
  name: set.name,
  scope: set.scope,
  limits:
    parseJson(set.limits)?.map((limit) => ({
      period: limit.period,
      currency: limit.currency,
      amount: formatAmount(limit.limitMinor, limit.currency),
      used: formatAmount(limit.usedMinor, limit.currency),
      left: formatAmount(leftMinorOf(limit), limit.currency),
    })) ?? null,
  budget: set.budget,
  own: set.own === 1,
  api_key_end: set.keyEnd,
  created_at: new Date(set.createdAtMs).toISOString(),
});

/** `usedId` is the set of the request. */
export const credentialListResponse = (
  sets: Credential[],
  usedId: number,
): CredentialListResponse => ({
  status: "success",
  credentials: sets.map((set) => ({
    ...credentialResponse(set),
    last_used_on: set.lastUsedOn,
    current: set.id === usedId,
  })),
});

export const newCredentialResponse = (set: CreatedCredential): NewCredentialResponse => ({
  ...credentialResponse(set),
  api_key: set.apiKey,
  api_password: set.apiPassword,
});

export const revokedCredentialResponse = (
  set: Credential,
  revokedAtMs: number,
): RevokedCredentialResponse => ({
  ...credentialResponse(set),
  revoked_at: new Date(revokedAtMs).toISOString(),
});
