// Maps credential sets to the responses that credentials/contract.ts defines.
import type {
  CredentialListResponse,
  CredentialResponse,
  NewCredentialResponse,
  RevokedCredentialResponse,
} from "./contract.ts";
import { formatAmount } from "../../core/values/money.ts";
import { limitStates } from "./limits.ts";
import type { CreatedCredential } from "./create.ts";
import type { Credential } from "./queries.ts";

export const credentialResponse = (set: Credential, nowMs: number): CredentialResponse => ({
  credential_id: set.id,
  name: set.name,
  scope: set.scope,
  limits:
    limitStates(set.limits, nowMs)?.map(({ period, currency, ...limit }) => ({
      period,
      currency,
      amount: formatAmount(limit.limitMinor, currency),
      used: formatAmount(limit.usedMinor, currency),
      left: formatAmount(limit.leftMinor, currency),
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
  nowMs: number,
): CredentialListResponse => ({
  status: "success",
  credentials: sets.map((set) => ({
    ...credentialResponse(set, nowMs),
    last_used_on: set.lastUsedOn,
    current: set.id === usedId,
  })),
});

export const newCredentialResponse = (
  set: CreatedCredential,
  nowMs: number,
): NewCredentialResponse => ({
  ...credentialResponse(set, nowMs),
  api_key: set.apiKey,
  api_password: set.apiPassword,
});

export const revokedCredentialResponse = (
  set: Credential,
  revokedAtMs: number,
): RevokedCredentialResponse => ({
  ...credentialResponse(set, revokedAtMs),
  revoked_at: new Date(revokedAtMs).toISOString(),
});
