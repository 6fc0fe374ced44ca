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
  request: Omit<NewCredential, "digest">,
): Promise<CreatedCredential | null> {
  const { digest, ...secret } = await newSecret(ENVIRONMENT);
  const created = await insertCredential(DB, { ...request, digest });
  return created && { ...created, ...secret };
}

/** A new key and password, and their digest. */
export async function newSecret(environment: Bindings["ENVIRONMENT"]) {
  const apiKey = randomSecret(environment, "key");
  const apiPassword = randomSecret(environment, "password");
  return { apiKey, apiPassword, digest: await secretDigest(apiKey, apiPassword) };
}

/** 256 random bits. The prefix shows the environment of a leaked key. */
function randomSecret(environment: Bindings["ENVIRONMENT"], part: "key" | "password"): string {
  const bytes = crypto.getRandomValues(new Uint8Array(SECRET_BYTES));
  const text = btoa(String.fromCharCode(...bytes))
    .replaceAll("+", "-")
    .replaceAll("/", "_");
  return secretPrefix(environment, part) + text.replace("=", "");
}
