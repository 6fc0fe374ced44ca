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
  // `Headers`, whose type is not iterable in every version of the libraries, or the request of Express.
  | { get: (name: string) => unknown }
  | readonly string[]
  | Readonly<Record<string, string | readonly string[] | undefined>>;

export interface WebhookOptions {
  /** By how much the time of a request may differ from the clock. The default is 300 seconds. */
  toleranceSeconds?: number;
}

/**
 * The event in the body. `body` is what was received, not JSON that was parsed and written again. Errors:
 * `WebhookVerificationError` if a header is missing, if no signature is valid, if the time differs too much from the
 * clock, or if the secret or the body has another form.
 */
export async function verifyWebhook(
  secret: string,
  headers: GivenHeaders,
  body: string | Uint8Array | ArrayBuffer,
  { toleranceSeconds = 300 }: WebhookOptions = {},
): Promise<RegaloEvent> {
  const secretBytes = bytesOf(secret);
  const text = textOf(body);
  const get = readerOf(Object(headers) as GivenHeaders);
  const [id, timestamp, signatures] = [
    get("webhook-id"),
    get("webhook-timestamp"),
    get("webhook-signature"),
  ];
  // The condition is false for a timestamp that is not a number.
  if (!(Math.abs(Date.now() / 1_000 - Number(timestamp)) <= toleranceSeconds)) {
    throw new WebhookVerificationError("The timestamp is too old or too new.");
  }
  const key = await crypto.subtle.importKey(
    "raw",
    secretBytes,
    { name: "HMAC", hash: "SHA-256" },
    false,
    ["verify"],
  );
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

function bytesOf(secret: unknown) {
  const text = typeof secret === "string" ? secret.trim().replace(/^whsec_/, "") : "";
  if (text === "") throw new WebhookVerificationError("The secret is missing.");
  if (text.startsWith(btoa("whsec_"))) {
    throw new WebhookVerificationError("The secret is encoded in base64 once more: decode it.");
  }
  try {
    return fromBase64(text);
  } catch {
    throw new WebhookVerificationError("The secret must be whsec_ followed by base64.");
  }
}

/** The body as text. An `ArrayBuffer` of another realm is not an instance of the class here, so its name is compared. */
function textOf(body: unknown): string {
  if (typeof body === "string" && body !== "") return body;
  if (ArrayBuffer.isView(body) || Object.prototype.toString.call(body) === "[object ArrayBuffer]") {
    return new TextDecoder().decode(body as ArrayBuffer);
  }
  throw new WebhookVerificationError(
    body == null || body === ""
      ? "The body is missing."
      : "The body must be the text or the bytes that were received, not an object that was parsed from them.",
  );
}

/** Reads headers by their names in lower case. Errors: `WebhookVerificationError` if one is missing. */
function readerOf(headers: GivenHeaders): (name: string) => string {
  const list: unknown[] = Symbol.iterator in headers ? [...headers] : Object.entries(headers);
  const pairs = typeof list[0] === "string" ? pairsOf(list) : (list as [unknown, unknown][]);
  return (name) => {
    const listed = pairs.find(([each]) => String(each).toLowerCase() === name)?.[1];
    // The object may find a header that it does not list.
    const hasGet = !listed && "get" in headers && typeof headers.get === "function";
    const value: unknown = hasGet ? headers.get(name) : listed;
    const text = Array.isArray(value) ? value.join(" ") : value;
    if (typeof text === "string" && text !== "") return text;
    throw new WebhookVerificationError(`The header ${name} is missing.`);
  };
}

/** Node's `rawHeaders`: names and values in turn. */
const pairsOf = (list: unknown[]) =>
  list.flatMap((name, index): [string, unknown][] =>
    index % 2 === 0 ? [[String(name), list[index + 1]]] : [],
  );

const fromBase64 = (text: string) =>
  Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
