// A webhook endpoint that an operator names.
import { Refusal } from "../refusal.ts";
import { listWebhooksOfAll } from "./queries.ts";

export type ListedWebhook = Awaited<ReturnType<typeof requireWebhook>>;

/** Errors: `Refusal` if there is no such endpoint. */
export async function requireWebhook(d1: D1Database, webhookId: number) {
  const [webhook] = await listWebhooksOfAll(d1, { webhookId });
  if (!webhook) throw unknownWebhook(webhookId);
  return webhook;
}

export const unknownWebhook = (webhookId: number) =>
  new Refusal(`there is no webhook ${String(webhookId)}.`);

/** The origin of the endpoint's URL. Its path and its query may contain a token. */
export function shownUrl(url: string): string {
  const { origin, pathname, search } = new URL(url);
  return pathname === "/" && search === "" ? origin : `${origin}/…`;
}

/** `webhook 12 of acme, https://acme.example/…` */
export const endpointText = ({ id, clientId, url }: ListedWebhook) =>
  `webhook ${String(id)} of ${clientId}, ${shownUrl(url)}`;
