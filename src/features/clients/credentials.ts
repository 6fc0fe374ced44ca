// Verifies credentials. Only a digest of each set is stored.
import { sha256Hex } from "../../core/values/digest.ts";
import type { Client } from "./profile.ts";

const encoder = new TextEncoder();

/**
 * The credential sets that this isolate has accepted for a client record. They are dropped with the record, after some
 * seconds. Without them, computing the digest would take a tenth of the time of a cached catalogue page.
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

/** Whether this isolate has accepted the credentials for this record before. Compares in constant time. */
export function wasAccepted(client: Client, secret: Secret, accepted: AcceptedSecrets): boolean {
  const given = encoder.encode(join(secret.apiKey, secret.apiPassword));
  return (accepted.get(client) ?? []).some((before) => equal(given, before));
}

/** Whether the credentials are valid. Adds valid ones to `accepted`. Compares in constant time. */
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

/** A header contains no line break, so two different sets never have the same text. */
function join(apiKey: string, apiPassword: string): string {
  return `${apiKey}\n${apiPassword}`;
}

function equal(a: Uint8Array, b: Uint8Array): boolean {
  return a.byteLength === b.byteLength && crypto.subtle.timingSafeEqual(a, b);
}
