// Credentials never leave their holder: what is stored and compared is one digest of both.
import { sha256Hex } from "../digest.ts";
import type { Client } from "./profile.ts";

const encoder = new TextEncoder();

/**
 * What each record in the isolate was last found valid with. It lives as long as the record, seconds, and spares a
 * busy client's requests the digest, a tenth of a page from memory (decision 45).
 */
export type AcceptedSecrets = WeakMap<Client, Uint8Array>;

/** SHA-256 of a credential set in hex. */
export function secretDigest(apiKey: string, apiPassword: string): Promise<string> {
  return sha256Hex(join(apiKey, apiPassword));
}

/** Whether the client has these credentials; compares in constant time. */
export async function isSecretOf(
  client: Client,
  { apiKey, apiPassword }: { apiKey: string; apiPassword: string },
  accepted: AcceptedSecrets,
): Promise<boolean> {
  const given = encoder.encode(join(apiKey, apiPassword));
  if (equal(given, accepted.get(client))) return true;
  const digest = encoder.encode(await sha256Hex(given));
  if (!client.secretDigests.some((active) => equal(digest, encoder.encode(active)))) return false;
  accepted.set(client, given);
  return true;
}

/** Headers hold no line break, so no two sets run into one text. */
function join(apiKey: string, apiPassword: string): string {
  return `${apiKey}\n${apiPassword}`;
}

function equal(a: Uint8Array, b: Uint8Array | undefined): boolean {
  return a.byteLength === b?.byteLength && crypto.subtle.timingSafeEqual(a, b);
}
