// Creates credential sets.
import type { Bindings } from "../../platform/env.ts";
import type { Database } from "../../platform/db/sql.ts";
import { secretDigest, secretPrefix } from "../clients/credentials.ts";
import { type Credential, insertCredential, type NewCredential } from "./queries.ts";

const SECRET_BYTES = 32;

/** A set whose key and password are not stored. */
export interface CreatedCredential extends Credential {
  apiKey: string;
  apiPassword: string;
}

/**
 * Creates a set. It has no idempotency key, because the secret could not be returned again: after a lost response, the
 * client revokes the set that it does not have. Null if the client has the maximum number. One round trip.
 */
export async function createCredentialSet(
  { DB, ENVIRONMENT }: { DB: Database; ENVIRONMENT: Bindings["ENVIRONMENT"] },
  request: Omit<NewCredential, "digest" | "keyEnd">,
): Promise<CreatedCredential | null> {
  const { digest, keyEnd, ...secret } = await newSecret(ENVIRONMENT);
  const created = await insertCredential(DB, { ...request, digest, keyEnd });
  return created && { ...created, ...secret };
}

/** The part of a key that people see. */
export const keyEndOf = (apiKey: string): string => apiKey.slice(-4);

/** A new key and password, and what is stored of them. */
export async function newSecret(environment: Bindings["ENVIRONMENT"]) {
  const apiKey = randomSecret(environment, "key");
  const apiPassword = randomSecret(environment, "password");
  const digest = await secretDigest(apiKey, apiPassword);
  return { apiKey, apiPassword, digest, keyEnd: keyEndOf(apiKey) };
}

/** 256 random bits. The prefix shows the environment of a leaked key. */
function randomSecret(environment: Bindings["ENVIRONMENT"], part: "key" | "password"): string {
  const bytes = crypto.getRandomValues(new Uint8Array(SECRET_BYTES));
  const text = btoa(String.fromCharCode(...bytes))
    .replaceAll("+", "-")
    .replaceAll("/", "_");
  return secretPrefix(environment, part) + text.replace("=", "");
}
