// The endpoints with which clients manage their credentials, with the schemas of their requests and responses.
import * as z from "zod/mini";
import { BODY_ERRORS } from "../../core/api-error.ts";
import { lazy } from "../../core/lazy.ts";
import { id, line, optional, positive } from "../../core/validation/fields.ts";
import { SCOPES } from "../../core/values/scopes.ts";
import { endpoint, responseType } from "../../platform/http/endpoint.ts";

export const CredentialRequest = lazy(() =>
  z.object({ scope: z.enum(SCOPES), name: optional(line(60)) }),
);
export type CredentialRequest = z.infer<ReturnType<typeof CredentialRequest>>;

export const CredentialSelection = lazy(() => z.object({ credential_id: id() }));

const CredentialResponse = /* @__PURE__ */ lazy(() =>
  z.object({
    credential_id: positive(),
    name: z.nullable(z.string()),
    scope: z.enum(SCOPES),
    created_at: z.iso.datetime(),
  }),
);
export type CredentialResponse = z.infer<ReturnType<typeof CredentialResponse>>;

export const ListedCredentialResponse = /* @__PURE__ */ lazy(() =>
  z.extend(CredentialResponse(), {
    last_used_on: z.nullable(z.iso.date()),
    current: z.boolean(),
  }),
);

export const CredentialListResponse = /* @__PURE__ */ lazy(() =>
  z.object({ status: z.literal("success"), credentials: z.array(ListedCredentialResponse()) }),
);
export type CredentialListResponse = z.infer<ReturnType<typeof CredentialListResponse>>;

export const NewCredentialResponse = /* @__PURE__ */ lazy(() =>
  z.extend(CredentialResponse(), { api_key: z.string(), api_password: z.string() }),
);
export type NewCredentialResponse = z.infer<ReturnType<typeof NewCredentialResponse>>;

export const RevokedCredentialResponse = /* @__PURE__ */ lazy(() =>
  z.extend(CredentialResponse(), { revoked_at: z.iso.datetime() }),
);
export type RevokedCredentialResponse = z.infer<ReturnType<typeof RevokedCredentialResponse>>;

export const listCredentials = endpoint({
  operationId: "listCredentials",
  method: "GET",
  path: "/api/credentials",
  near: true,
  response: responseType<typeof CredentialListResponse>(),
  errors: ["validation_error"],
});

export const createCredential = endpoint({
  operationId: "createCredential",
  method: "POST",
  scope: "admin",
  path: "/api/credential",
  body: CredentialRequest,
  response: responseType<typeof NewCredentialResponse>(),
  errors: [...BODY_ERRORS, "not_allowed_in_state"],
});

export const revokeCredential = endpoint({
  operationId: "revokeCredential",
  method: "POST",
  scope: "admin",
  path: "/api/credential/revoke",
  body: CredentialSelection,
  response: responseType<typeof RevokedCredentialResponse>(),
  errors: [...BODY_ERRORS, "not_found", "not_allowed_in_state"],
});
