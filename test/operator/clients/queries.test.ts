import { env } from "cloudflare:workers";
import { describe, expect, test } from "vitest";
import {
  addCredential,
  listClients,
  listCredentials,
  revokeCredential,
  updateClient,
} from "../../../src/operator/clients/queries.ts";
import { kvKey } from "../../../src/platform/cache/tiered.ts";
import { CLIENT_KEY_PREFIX, forgetClient } from "../../../src/features/clients/cache.ts";
import { createClient, createCredentials, unique } from "../../support/fixtures.ts";
import { sql } from "../../support/sql.ts";
import { startWorker } from "../../support/worker.ts";

const NOW_MS = 1_000;
const fresh = () => ({ apiKey: `k${String(unique())}`, apiPassword: "p" });

describe("credentials", () => {
  test("are at most five active sets, also if several are issued at once", async () => {
    const { clientId } = await createClient();
    const ids = await Promise.all(
      Array.from({ length: 8 }, () => addCredential(env.DB, clientId, fresh(), NOW_MS)),
    );
    expect(ids.filter((id) => id !== null)).toHaveLength(4);
    const [first] = await listCredentials(env.DB, clientId);
    expect(await revokeCredential(env.DB, clientId, first?.id ?? 0, NOW_MS)).toBe(true);
    expect(await addCredential(env.DB, clientId, fresh(), NOW_MS)).toEqual(expect.any(Number));
  });

  test("can be rotated without interruption, and a revoked set is refused after the client has expired in KV", async () => {
    const old = await createClient();
    const isolate = () => startWorker();
    const rotated = await createCredentials(old.clientId);
    await forgetClient(env, old.clientId);
    expect((await isolate().get(old, "/api/credit-balance")).status).toBe(200);
    expect((await isolate().get(rotated, "/api/credit-balance")).status).toBe(200);

    const [set] = await listCredentials(env.DB, old.clientId);
    await revokeCredential(env.DB, old.clientId, set?.id ?? 0, NOW_MS);
    expect(await env.KV.get(kvKey(env, CLIENT_KEY_PREFIX + old.clientId))).not.toBeNull();
    await forgetClient(env, old.clientId);
    expect((await isolate().get(old, "/api/credit-balance")).status).toBe(401);
    expect((await isolate().get(rotated, "/api/credit-balance")).status).toBe(200);
  });

  test("are listed with their scopes and times only, active ones oldest first, then revoked ones", async () => {
    const { clientId } = await createClient();
    const [first] = await listCredentials(env.DB, clientId);
    const second = await addCredential(env.DB, clientId, fresh(), 2_000);
    await revokeCredential(env.DB, clientId, first?.id ?? 0, 3_000);
    const third = await addCredential(env.DB, clientId, fresh(), 4_000);
    expect(await listCredentials(env.DB, clientId)).toEqual(
      [
        { id: second, createdAtMs: 2_000, revokedAtMs: null, lastUsedOn: null },
        { id: third, createdAtMs: 4_000, revokedAtMs: null, lastUsedOn: null },
        { ...first, revokedAtMs: 3_000 },
      ].map((set) => ({ ...set, name: null, scope: "admin", limits: null })),
    );
    expect(await listClients(env.DB, { id: clientId })).toMatchObject([{ activeCredentials: 2 }]);
  });
});

describe("clients", () => {
  test("are listed by their ids, also suspended ones and those without credentials", async () => {
    const later = await createClient({ id: `b-${String(unique())}` });
    const earlier = await createClient({ id: `a-${String(unique())}`, status: "suspended" });
    await sql("DELETE FROM credentials WHERE client_id = ?", earlier.clientId).run();
    const listed = await listClients(env.DB);
    expect(listed.map(({ id }) => id)).toEqual(listed.map(({ id }) => id).toSorted());
    const own = [earlier.clientId, later.clientId];
    expect(listed.filter(({ id }) => own.includes(id))).toMatchObject([
      { status: "suspended", branding: null, activeCredentials: 0 },
      { status: "active", activeCredentials: 1 },
    ]);
  });

  test("are changed without an effect on other clients", async () => {
    const [client, other] = [await createClient(), await createClient()];
    const before = await listClients(env.DB, { id: other.clientId });
    await updateClient(env.DB, client.clientId, { name: "Changed", feeBasisPoints: 1 });
    expect(await listClients(env.DB, { id: client.clientId })).toMatchObject([
      { name: "Changed", feeBasisPoints: 1 },
    ]);
    expect(await listClients(env.DB, { id: other.clientId })).toEqual(before);
  });
});
