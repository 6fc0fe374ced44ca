// A webhook endpoint that an operator names.
import { notFound } from "../../core/api-error.ts";
import { findEndpoint } from "./queries.ts";

export type WebhookEndpoint = Awaited<ReturnType<typeof requireWebhook>>;

/** Errors: `not_found`. */
export async function requireWebhook(d1: D1Database, webhookId: number) {
  const endpoint = await findEndpoint(d1, webhookId);
  if (!endpoint) throw notFound(`there is no webhook ${String(webhookId)}.`);
  return endpoint;
}

/** The types of events that an endpoint gets, as text. */
export const eventTypesText = (types: readonly string[] | null) => types?.join(", ") ?? "all";
