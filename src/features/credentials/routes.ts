// The handlers with which clients manage their credentials.
import type { Context } from "hono";
import { ApiError } from "../../core/api-error.ts";
import type { AppEnv } from "../../platform/http/context.ts";
import { handle, routes } from "../../platform/http/endpoint.ts";
import type { ClientCache } from "../clients/cache.ts";
import { ownerOf } from "../clients/authenticate.ts";
import { nudgeAfterResponse } from "../webhooks/nudge.ts";
import * as contract from "./contract.ts";
import { createCredentialSet } from "./create.ts";
import { storedLimits } from "./limits.ts";
import { listActive, markRevoked, MAX_CREDENTIALS, setLimits } from "./queries.ts";
import {
  credentialListResponse,
  credentialResponse,
  newCredentialResponse,
  revokedCredentialResponse,
} from "./response.ts";

export const credentialRoutes = (clients: ClientCache) => {
  /** The cached record of the client contains its active sets. */
  const afterChange = (c: Context<AppEnv>) => {
    c.executionCtx.waitUntil(clients.forget(c.get("client").id, c.env));
    nudgeAfterResponse(c.env.WEBHOOK_QUEUE, c.executionCtx, c.get("client").webhookIds);
  };

  return routes(
    handle(contract.listCredentials, async (c) => {
      const sets = await listActive(c.env.DB, ownerOf(c), c.get("nowMs"));
      return credentialListResponse(sets, c.get("credentialId"));
    }),

    handle(contract.createCredential, async (c, { body: { name = null, limits = [], ...set } }) => {
      const request = { ...requestOf(c), ...set, name, limits: storedLimits(limits) };
      const created = await createCredentialSet(c.env, request);
      if (!created) throw new ApiError("not_allowed_in_state", TOO_MANY);
      afterChange(c);
      return newCredentialResponse(created);
    }),

    handle(
      contract.limitCredential,
      async (c, { body: { credential_id: credentialId, limits } }) => {
        const request = { ...requestOf(c), credentialId, limits: storedLimits(limits) };
        const set = await setLimits(c.env.DB, request);
        if (!set || set.revokedAtMs !== null) throw noSuchSet();
        if (set.scope !== "order") throw new ApiError("not_allowed_in_state", NOT_FOR_ORDERS);
        nudgeAfterResponse(c.env.WEBHOOK_QUEUE, c.executionCtx, c.get("client").webhookIds);
        return credentialResponse(set);
      },
    ),

    handle(contract.revokeCredential, async (c, { body: { credential_id: credentialId } }) => {
      const { set } = await markRevoked(c.env.DB, { ...requestOf(c), credentialId });
      if (!set) throw noSuchSet();
      if (set.revokedAtMs === null) throw new ApiError("not_allowed_in_state", LAST_ADMIN);
      afterChange(c);
      return revokedCredentialResponse(set, set.revokedAtMs);
    }),
  );
};

const noSuchSet = () => new ApiError("not_found", "You have no such credential set.");
const NOT_FOR_ORDERS =
  "Only a credential set with the scope order has limits. One with the scope admin could create another set.";
const TOO_MANY = `You have ${String(MAX_CREDENTIALS)} credential sets, the maximum. Revoke one first.`;
const LAST_ADMIN =
  "This is your last credential set with the scope admin. Create another one first.";

const requestOf = (c: Context<AppEnv>) => ({
  clientId: c.get("client").id,
  usedId: c.get("credentialId"),
  nowMs: c.get("nowMs"),
});
