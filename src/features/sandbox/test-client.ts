// Creates a client for tests. A sandbox cannot be emptied instead, because events, ledger entries and the audit log refer
// to orders and are never deleted.
import { ApiError } from "../../core/api-error.ts";
import { parseAmount } from "../../core/values/money.ts";
import type { Bindings } from "../../platform/env.ts";
import type { Client } from "../clients/profile.ts";
import { newSecret } from "../credentials/create.ts";
import { insertTestClient } from "./client-queries.ts";
import type { SandboxClientRequest } from "./contract.ts";

/** The maximum number of active test clients of a client. */
export const MAX_TEST_CLIENTS = 20;

/** The credit of a test client, which is enough for many gifts in each currency. */
const CREDIT = "1000000000";

export type TestClient = Awaited<ReturnType<typeof createTestClient>>;

/** Not safe to repeat. One round trip. Errors: `not_allowed_in_state`. */
export async function createTestClient(
  { DB, ENVIRONMENT }: Pick<Bindings, "DB" | "ENVIRONMENT">,
  {
    parent,
    usedId,
    name,
    billing = "credit",
  }: SandboxClientRequest & { parent: Client; usedId: number },
  nowMs: number,
) {
  const { digest, keyEnd, ...secret } = await newSecret(ENVIRONMENT);
  // At most 64 characters, as for all clients.
  const id = `${parent.id.slice(0, 53)}-t-${crypto.randomUUID().slice(0, 8)}`;
  const currency = parent.defaultCurrency;
  const creditMinor = parseAmount(CREDIT, currency) ?? 0;
  const {
    isCreated,
    grandparentId,
    activeClients = 0,
  } = await insertTestClient(DB, {
    clientId: id,
    parentId: parent.id,
    name: name ?? null,
    billing,
    max: MAX_TEST_CLIENTS,
    digest,
    keyEnd,
    usedId,
    currency,
    amountMinor: creditMinor,
    nowMs,
  });
  if (!isCreated) throw new ApiError("not_allowed_in_state", refusalOf(grandparentId));
  const remaining = MAX_TEST_CLIENTS - activeClients;
  return { id, ...secret, billing, currency, creditMinor, remaining };
}

const refusalOf = (grandparentId?: string | null) =>
  grandparentId
    ? `A test client cannot create clients. Use the credentials of ${grandparentId}.`
    : `You have ${String(MAX_TEST_CLIENTS)} test clients, the maximum. Remove one first.`;
