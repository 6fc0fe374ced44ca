// Verifies the requests that a webhook endpoint receives, as Standard Webhooks 1.0.0 defines it.
import type { Schemas } from "./types.ts";

export class WebhookVerificationError extends Error {
  override name = "WebhookVerificationError";
}

/** Of a `Request`, or of a request in Node. */
type GivenHeaders = Headers | Readonly<Record<string, string | string[] | undefined>>;

const TOLERANCE_SECONDS = 300;

/**
 * The event in the body. `body` is what was received, not JSON that was parsed and written again. Errors:
 * `WebhookVerificationError` if no signature is valid, or the time differs from the clock by more than 5 minutes.
 */
export async function verifyWebhook(
  secret: string,
  headers: GivenHeaders,
  body: string | Uint8Array,
): Promise<Schemas["Event"]> {
  const get = (name: string) =>
    String((headers instanceof Headers ? headers.get(name) : headers[name]) ?? "");
  const timestamp = get("webhook-timestamp");
  // The condition is false for a timestamp that is not a number.
  if (!(Math.abs(Date.now() / 1_000 - Number(timestamp || NaN)) <= TOLERANCE_SECONDS)) {
    throw new WebhookVerificationError("The timestamp is too old or too new.");
  }
  const key = await crypto.subtle.importKey(
    "raw",
    fromBase64(secret.replace(/^whsec_/, "")),
    { name: "HMAC", hash: "SHA-256" },
    false,
    ["verify"],
  );
  const text = typeof body === "string" ? body : new TextDecoder().decode(body);
  const signed = new TextEncoder().encode(`${get("webhook-id")}.${timestamp}.${text}`);
  for (const signature of get("webhook-signature").split(" ")) {
    if (!/^v1,[A-Za-z0-9+/]{43}=$/.test(signature)) continue;
    // The comparison takes the same time for every signature.
    if (await crypto.subtle.verify("HMAC", key, fromBase64(signature.slice(3)), signed)) {
      return JSON.parse(text) as Schemas["Event"];
    }
  }
  throw new WebhookVerificationError("No signature is valid.");
}

const fromBase64 = (text: string) =>
  Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
