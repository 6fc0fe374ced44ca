// Creates credential sets.
import type { Bindings } from "../../platform/env.ts";
import type { Database } from "../../platform/db/statement.ts";
import { secretDigest } from "../clients/credentials.ts";
import { type Credential, insertCredential, type NewCredential } from "./queries.ts";

const SECRET_BYTES = 32;

/** A set whose key and password are not stored. */
export interface CreatedCredential extends Credential {
  apiKey: string;
  apiPassword: string;
}

/** Creates a set. Null if the client has the maximum number. One round trip. */
export async function createCredential(
  { DB, ENVIRONMENT }: { DB: Database; ENVIRONMENT: Bindings["ENVIRONMENT"] },
  request: Omit<NewCredential, "digest">,
): Promise<CreatedCredential | null> {
  const apiKey = newSecret(ENVIRONMENT, "key");
  const apiPassword = newSecret(ENVIRONMENT, "password");
  const digest = await secretDigest(apiKey, apiPassword);
  const created = await insertCredential(DB, { ...request, digest });
  return created && { ...created, apiKey, apiPassword };
}

/** 256 random bits. The prefix shows the environment of a leaked key. */
function newSecret(environment: Bindings["ENVIRONMENT"], part: "key" | "password"): string {
  const bytes = crypto.getRandomValues(new Uint8Array(SECRET_BYTES));
  const text = btoa(String.fromCharCode(...bytes))
    .replaceAll("+", "-")
    .replaceAll("/", "_");
  return `regalo_${environment}_${part}_${text.replace("=", "")}`;
}
