// Verifies the requests that a webhook endpoint receives, as Standard Webhooks 1.0.0 defines it.
import type { RegaloEvent } from "./events.ts";

export class WebhookVerificationError extends Error {
  override name = "WebhookVerificationError";
}

/**
 * Of a `Request`, or of a request in Node, such as `headers` or `rawHeaders`, or of an event in AWS Lambda. The case of the
 * names does not matter.
 */
type GivenHeaders =
  | Iterable<readonly [string, string]>
  // `Headers`, whose type is not iterable in every version of the libraries.
  | { forEach: (use: (value: string, name: string) => void) => void }
  | readonly string[]
  | Readonly<Record<string, string | readonly string[] | undefined>>;

const TOLERANCE_SECONDS = 300;

/**
 * The event in the body. `body` is what was received, not JSON that was parsed and written again. Errors:
 * `WebhookVerificationError` if a header is missing, if no signature is valid, or if the time differs from the clock by
 * more than 5 minutes.
 */
export async function verifyWebhook(
  secret: string,
  headers: GivenHeaders,
  body: string | Uint8Array,
): Promise<RegaloEvent> {
  const given = byName(headers);
  const get = (name: string) => {
    const value = given.get(name);
    if (value) return value;
    throw new WebhookVerificationError(`The header ${name} is missing.`);
  };
  const [id, timestamp, signatures] = [
    get("webhook-id"),
    get("webhook-timestamp"),
    get("webhook-signature"),
  ];
  // The condition is false for a timestamp that is not a number.
  if (!(Math.abs(Date.now() / 1_000 - Number(timestamp)) <= TOLERANCE_SECONDS)) {
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
  const signed = new TextEncoder().encode(`${id}.${timestamp}.${text}`);
  for (const signature of signatures.split(" ")) {
    if (!/^v1,[A-Za-z0-9+/]{43}=$/.test(signature)) continue;
    // The comparison takes the same time for every signature.
    if (await crypto.subtle.verify("HMAC", key, fromBase64(signature.slice(3)), signed)) {
      return JSON.parse(text) as RegaloEvent;
    }
  }
  throw new WebhookVerificationError("No signature is valid.");
}

/** The headers by their names in lower case. */
function byName(headers: GivenHeaders): Map<string, string> {
  const list: unknown[] = Symbol.iterator in headers ? [...headers] : Object.entries(headers);
  const pairs = typeof list[0] === "string" ? pairsOf(list) : (list as [string, unknown][]);
  return new Map(
    pairs.map(([name, value]) => [
      name.toLowerCase(),
      Array.isArray(value) ? value.join(" ") : typeof value === "string" ? value : "",
    ]),
  );
}

/** Node's `rawHeaders`: names and values in turn. */
const pairsOf = (list: unknown[]) =>
  list.flatMap((name, index): [string, unknown][] =>
    index % 2 === 0 ? [[String(name), list[index + 1]]] : [],
  );

const fromBase64 = (text: string) =>
  Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
