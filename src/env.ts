// What the Worker is bound to, and what a request carries through it.
import type { Client } from "./clients/profile.ts";
import type { ErrorCode } from "./api-error.ts";
import type { Isolate } from "./isolate.ts";

export interface Bindings {
  DB: D1Database;
  KV: KVNamespace;
  RATE_LIMITER: RateLimit;
  ENVIRONMENT: "local" | "sandbox" | "production";
  /** Where callers reach this deployment, without a slash at the end. */
  PUBLIC_URL: string;
  /** Key of the gift links' tokens; whoever has it can open every gift. */
  GIFT_LINK_SECRET: string;
  /** The key before it, while links made with it are to be accepted. */
  GIFT_LINK_SECRET_PREVIOUS?: string;
}

export interface AppEnv {
  Bindings: Bindings;
  Variables: {
    requestId: string;
    /** The request's one moment: nothing below reads the clock again. */
    nowMs: number;
    isolate: Isolate;
    /** Set by `authenticate`: below it is always there. */
    client: Client;
    /** The code of the error that the request is answered with, if any. */
    errorCode: ErrorCode;
  };
}
