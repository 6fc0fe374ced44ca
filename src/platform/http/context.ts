// The bindings and variables of a request's Hono context. A feature may add variables to Hono's ContextVariableMap.
import type { Context } from "hono";
import { HonoBase } from "hono/hono-base";
import { RegExpRouter } from "hono/router/reg-exp-router";
import type { ErrorCode } from "../../core/api-error.ts";
import type { Scope } from "../../core/values/scopes.ts";
import type { TierAccess } from "../cache/tiered.ts";
import type { RequestSessions } from "../db/sessions.ts";
import type { Bindings } from "../env.ts";

export interface AppEnv {
  Bindings: Bindings;
  Variables: {
    requestId: string;
    /** When the request arrived. Code below the routes takes the time from here and reads no clock. */
    nowMs: number;
    /**
     * Whether a tool sends the request. It counts with the call of the tool, and all unknown parameters and fields are
     * refused.
     */
    isOfTool: boolean;
    /** The credential set of the request's access token. Null if it is not valid. Not set without a token. */
    granted?: Granted | null | undefined;
    /** The scope of the request's credentials. Set for all routes below /api. */
    scope?: Scope;
    /** The credential set, if only its own orders exist for the request. Otherwise null. Set for all routes below /api. */
    ownId: number | null;
    /**
     * Opens the request's database with a guard: a transaction fails if the credentials are revoked or the client is
     * suspended, although the cached record says otherwise. Set for all routes below /api.
     */
    guardedDatabase?: () => D1Database;
    /** Whether the deployment's configuration is valid. */
    isConfigured: boolean;
    /** The error code of the response, for the request log. */
    errorCode: ErrorCode;
    /** The D1 sessions. Not set for a request without a valid configuration. */
    sessions: RequestSessions;
    /** The number of D1 calls so far. Not set for a request without a valid configuration. */
    databaseCalls?: number;
  };
}

/** The credential set for which an access token stands, and the scope of the token, which may be smaller. */
export interface Granted {
  clientId: string;
  credentialId: number;
  scope: Scope;
}

/** Requests of tools, which the Worker sends to itself, with the sets of their access tokens. */
export const toolRequests = new WeakMap<Request, AppEnv["Variables"]["granted"]>();

/** The app itself, to which a handler sends a request. */
export type Api = (
  request: Request,
  env: Bindings,
  context: Context["executionCtx"],
) => Response | Promise<Response>;

/** Creates an empty app. Hono's default class contains three routers, of which one suffices. */
export const createRouter = () => new HonoBase<AppEnv>({ router: new RegExpRouter() });

export function cacheAccess(
  c: Context<AppEnv>,
): Pick<TierAccess<unknown>, "env" | "nowMs" | "waitUntil"> {
  return {
    env: c.env,
    nowMs: c.get("nowMs"),
    waitUntil: (work) => {
      c.executionCtx.waitUntil(work);
    },
  };
}
