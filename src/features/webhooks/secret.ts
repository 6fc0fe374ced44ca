// Secrets of webhook endpoints and signatures, as Standard Webhooks 1.0.0 defines them. No secret is stored: each one is
// derived from WEBHOOK_SECRET, the endpoint's id and a nonce (DECISIONS.md: Webhook secrets are derived).
import { fromBase64, toBase64 } from "../../core/values/base64.ts";
import type { Webhook } from "./queries.ts";

const PREFIX = "whsec_";
const NONCE_BYTES = 16;

const encoder = new TextEncoder();

/** A random nonce in hex. An endpoint gets a new one when its secret is rotated. */
export function newNonce(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(NONCE_BYTES));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** `whsec_` and 32 bytes in base64. The same input always gives the same secret. */
export async function webhookSecret(
  masterSecret: string,
  webhookId: number,
  nonce: string,
): Promise<string> {
  // No part contains a line break, so two different inputs never have the same text.
  const text = `regalo webhook secret\n${String(webhookId)}\n${nonce}`;
  return PREFIX + toBase64(await hmac(encoder.encode(masterSecret), text));
}

/** The columns from which an endpoint's secrets are derived. */
type WebhookNonces = Pick<
  Webhook,
  "id" | "secretNonce" | "previousSecretNonce" | "previousSecretUntilMs"
>;

/** The secrets that sign a delivery: the current one, and after a rotation also the previous one until its end. */
export function activeSecrets(
  masterSecret: string,
  { id, secretNonce, previousSecretNonce, previousSecretUntilMs }: WebhookNonces,
  nowMs: number,
): Promise<string[]> {
  const hasPrevious = previousSecretNonce !== null && (previousSecretUntilMs ?? 0) > nowMs;
  const nonces = hasPrevious ? [secretNonce, previousSecretNonce] : [secretNonce];
  return Promise.all(nonces.map((nonce) => webhookSecret(masterSecret, id, nonce)));
}

/**
 * The three headers of a request that sends `body`. `webhook-signature` has one signature for each of `secrets`. `id`
 * must not contain a period.
 */
export async function signatureHeaders(
  secrets: string[],
  id: string,
  timestampSeconds: number,
  body: string,
): Promise<Record<string, string>> {
  const timestamp = String(timestampSeconds);
  const signatures = await Promise.all(
    secrets.map(async (secret) => {
      const key = fromBase64(secret.slice(PREFIX.length));
      return `v1,${toBase64(await hmac(key, `${id}.${timestamp}.${body}`))}`;
    }),
  );
  return {
    "webhook-id": id,
    "webhook-timestamp": timestamp,
    "webhook-signature": signatures.join(" "),
  };
}

async function hmac(key: Uint8Array, text: string): Promise<Uint8Array> {
  const algorithm = { name: "HMAC", hash: "SHA-256" };
  const imported = await crypto.subtle.importKey("raw", key, algorithm, false, ["sign"]);
  return new Uint8Array(await crypto.subtle.sign("HMAC", imported, encoder.encode(text)));
}
