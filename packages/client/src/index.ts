// The package's exports.
export { type Account, type CallOptions, type Client, createClient } from "./client.ts";
export { RegaloError } from "./error.ts";
export type { Body, Item, PagedPath, Query, Result, Schemas } from "./types.ts";
export { verifyWebhook, WebhookVerificationError } from "./webhook.ts";
