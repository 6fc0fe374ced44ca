// Verifies credentials. Only a digest of each set is stored.
import { sha256Hex } from "../../core/values/digest.ts";
import type { Client, ClientCredential } from "./profile.ts";

const encoder = new TextEncoder();

/**
 * The credential sets that this isolate has accepted for a client record. They are dropped with the record, after some
 * seconds. Without them, computing the digest would take a tenth of the time of a cached catalogue page.
 */
export type AcceptedSecrets = WeakMap<Client, AcceptedSecret[]>;

interface AcceptedSecret {
  given: Uint8Array;
  credential: ClientCredential;
}

export interface Secret {
  apiKey: string;
  apiPassword: string;
}

/** How the keys or passwords of an environment begin. */
export const secretPrefix = (environment: string, part: "key" | "password"): string =>
  `regalo_${environment}_${part}_`;

/** SHA-256 of a credential set in hex. */
export function secretDigest(apiKey: string, apiPassword: string): Promise<string> {
  return sha256Hex(join(apiKey, apiPassword));
}

/** The set, if this isolate has accepted it for this record before, or of a valid token. Compares in constant time. */
export function acceptedBefore(
  client: Client,
  secret: Secret | Pick<ClientCredential, "id">,
  accepted: AcceptedSecrets,
): ClientCredential | undefined {
  if ("id" in secret) return client.credentials.find(({ id }) => id === secret.id);
  const given = encoder.encode(join(secret.apiKey, secret.apiPassword));
  return accepted.get(client)?.find((before) => equal(given, before.given))?.credential;
}

/** The set, if the credentials are valid. Adds it to `accepted`. Compares in constant time. */
export async function verifyAndRemember(
  client: Client,
  secret: Secret,
  accepted: AcceptedSecrets,
): Promise<ClientCredential | undefined> {
  const given = encoder.encode(join(secret.apiKey, secret.apiPassword));
  const digest = encoder.encode(await sha256Hex(given));
  const credential = client.credentials.find((active) =>
    equal(digest, encoder.encode(active.digest)),
  );
  if (credential && !acceptedBefore(client, secret, accepted)) {
    accepted.set(client, [...(accepted.get(client) ?? []), { given, credential }]);
  }
  return credential;
}

/** A header contains no line break, so two different sets never have the same text. */
function join(apiKey: string, apiPassword: string): string {
  return `${apiKey}\n${apiPassword}`;
}

function equal(a: Uint8Array, b: Uint8Array): boolean {
  return a.byteLength === b.byteLength && crypto.subtle.timingSafeEqual(a, b);
}
