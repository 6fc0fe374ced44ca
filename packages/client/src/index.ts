// The package's exports.
export { type Account, type Attempt, type Client, createClient } from "./client.ts";
export { RegaloConnectionError, RegaloError } from "./error.ts";
export type { RegaloEvent } from "./events.ts";
export type { Body, CallOptions, Item, PagedPath, Query, Result, Schemas } from "./types.ts";
export { verifyWebhook, type WebhookOptions, WebhookVerificationError } from "./webhook.ts";
