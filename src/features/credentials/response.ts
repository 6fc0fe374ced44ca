// Maps credential sets to the responses that credentials/contract.ts defines.
import type {
  CredentialListResponse,
  CredentialResponse,
  NewCredentialResponse,
  RevokedCredentialResponse,
} from "./contract.ts";
import type { CreatedCredential } from "./create.ts";
import type { Credential } from "./queries.ts";

const credentialResponse = ({ id, name, scope, createdAtMs }: Credential): CredentialResponse => ({
  credential_id: id,
  name,
  scope,
  created_at: new Date(createdAtMs).toISOString(),
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
