// Taking clients on: their profiles and their credentials, for the operator's commands.
import { drizzle } from "drizzle-orm/d1";
import { clients, credentials } from "../db/schema.ts";
import { secretDigest } from "./secrets.ts";

export type NewClient = typeof clients.$inferInsert;

/** Adds the client unless its id is taken. */
export async function addClient(d1: D1Database, client: NewClient): Promise<void> {
  await drizzle(d1).insert(clients).values(client).onConflictDoNothing();
}

/** Makes a credential set valid; only its digest is kept. */
export async function addCredential(
  d1: D1Database,
  clientId: string,
  { apiKey, apiPassword }: { apiKey: string; apiPassword: string },
  nowMs: number,
): Promise<void> {
  await drizzle(d1)
    .insert(credentials)
    .values({
      clientId,
      secretDigest: await secretDigest(apiKey, apiPassword),
      createdAtMs: nowMs,
    });
}
