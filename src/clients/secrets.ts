// Credentials never leave their holder: what is stored and compared is one digest of both.
import { sha256Hex } from "../digest.ts";
import type { Client } from "./profile.ts";

const encoder = new TextEncoder();

/**
 * The credential sets that each record in the isolate was found valid with. They live as long as the record, seconds,
 * and spare a busy client's requests the digest, a tenth of a page from memory (decision 45).
 */
export type AcceptedSecrets = WeakMap<Client, Uint8Array[]>;

interface Secret {
  apiKey: string;
  apiPassword: string;
}

/** SHA-256 of a credential set in hex. */
export function secretDigest(apiKey: string, apiPassword: string): Promise<string> {
  return sha256Hex(join(apiKey, apiPassword));
}

/** Whether the client's record was found valid with these credentials before; compares in constant time. */
export function wasAccepted(client: Client, secret: Secret, accepted: AcceptedSecrets): boolean {
  const given = encoder.encode(join(secret.apiKey, secret.apiPassword));
  return (accepted.get(client) ?? []).some((before) => equal(given, before));
}

/** Whether the client has these credentials, compared in constant time; if so, they are remembered. */
export async function verifyAndRemember(
  client: Client,
  secret: Secret,
  accepted: AcceptedSecrets,
): Promise<boolean> {
  const given = encoder.encode(join(secret.apiKey, secret.apiPassword));
  const digest = encoder.encode(await sha256Hex(given));
  if (!client.secretDigests.some((active) => equal(digest, encoder.encode(active)))) return false;
  if (!wasAccepted(client, secret, accepted)) {
    accepted.set(client, [...(accepted.get(client) ?? []), given]);
  }
  return true;
}

/** Headers hold no line break, so no two sets run into one text. */
function join(apiKey: string, apiPassword: string): string {
  return `${apiKey}\n${apiPassword}`;
}

function equal(a: Uint8Array, b: Uint8Array): boolean {
  return a.byteLength === b.byteLength && crypto.subtle.timingSafeEqual(a, b);
}
