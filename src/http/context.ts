// The bindings and variables of a request's Hono context.
import type { ErrorCode } from "../api-error.ts";
import type { Client } from "../clients/profile.ts";
import type { Bindings } from "../env.ts";

export interface AppEnv {
  Bindings: Bindings;
  Variables: {
    requestId: string;
    /** When the request arrived. Code below the routes takes the time from here and reads no clock. */
    nowMs: number;
    /** Whether the deployment's configuration is valid. */
    isConfigured: boolean;
    /** Set by `authenticate`, for all routes below /api. */
    client: Client;
    /** The error code of the response, for the request log. */
    errorCode: ErrorCode;
    /** The number of D1 calls so far. Not set for a request without a valid configuration. */
    databaseCalls?: number;
  };
}
