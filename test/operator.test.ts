import { env } from "cloudflare:workers";
import { describe, expect, test } from "vitest";
import {
  addClient,
  addCredential,
  listClients,
  listCredentials,
  revokeCredential,
  updateClient,
} from "../src/clients/manage.ts";
import { CLIENT_KEY_PREFIX, forgetClient } from "../src/clients/store.ts";
import { mintClient, mintCredentials, unique } from "./support/mint.ts";
import { startWorker } from "./support/worker.ts";

const NOW_MS = 1_000;
const fresh = () => ({ apiKey: `k${String(unique())}`, apiPassword: "p" });

describe("credentials", () => {
  test("are at most two active sets, also when several are issued at once", async () => {
    const { clientId } = await mintClient();
    const ids = await Promise.all(
      Array.from({ length: 5 }, () => addCredential(env.DB, clientId, fresh(), NOW_MS)),
    );
    expect(ids.filter((id) => id !== null)).toHaveLength(1);
    const [first] = await listCredentials(env.DB, clientId);
    expect(await revokeCredential(env.DB, clientId, first?.id ?? 0, NOW_MS)).toBe(true);
    expect(await addCredential(env.DB, clientId, fresh(), NOW_MS)).toEqual(expect.any(Number));
  });

  test("are revoked once, and only by naming their client", async () => {
    const { clientId } = await mintClient();
    const other = await mintClient();
    const [set] = await listCredentials(env.DB, clientId);
    const id = set?.id ?? 0;
    expect(await revokeCredential(env.DB, other.clientId, id, NOW_MS)).toBe(false);
    expect(await revokeCredential(env.DB, clientId, id, NOW_MS)).toBe(true);
    expect(await revokeCredential(env.DB, clientId, id, NOW_MS)).toBe(false);
  });

  test("rotate without a gap, and a revoked set opens nothing once KV has forgotten it", async () => {
    const old = await mintClient();
    const isolate = () => startWorker();
    const rotated = await mintCredentials(old.clientId);
    await forgetClient(env.KV, old.clientId);
    expect((await isolate().get(old, "/api/credit-balance")).status).toBe(200);
    expect((await isolate().get(rotated, "/api/credit-balance")).status).toBe(200);

    const [set] = await listCredentials(env.DB, old.clientId);
    await revokeCredential(env.DB, old.clientId, set?.id ?? 0, NOW_MS);
    expect(await env.KV.get(CLIENT_KEY_PREFIX + old.clientId)).not.toBeNull();
    await forgetClient(env.KV, old.clientId);
    expect((await isolate().get(old, "/api/credit-balance")).status).toBe(401);
    expect((await isolate().get(rotated, "/api/credit-balance")).status).toBe(200);
  });

  test("are for clients that are there", async () => {
    expect(await addCredential(env.DB, "nobody", fresh(), NOW_MS)).toBeNull();
  });
});

describe("clients", () => {
  test("keep their id: a second one with it is refused and changes nothing", async () => {
    const { clientId, catalogueId } = await mintClient({ name: "The First" });
    const second = {
      id: clientId,
      name: "The Second",
      billing: "invoice" as const,
      feeBasisPoints: 0,
      defaultCurrency: "EUR",
      catalogueId,
      createdAtMs: NOW_MS,
    };
    expect(await addClient(env.DB, second)).toBe(false);
    expect(await listClients(env.DB, clientId)).toMatchObject([
      { name: "The First", billing: "credit", activeCredentials: 1 },
    ]);
  });

  test("are changed in what is given and in nothing else", async () => {
    const { clientId, catalogue } = await mintClient({ name: "Before" });
    expect(await updateClient(env.DB, clientId, { status: "suspended" })).toBe(true);
    expect(await updateClient(env.DB, "nobody", { status: "suspended" })).toBe(false);
    expect(await listClients(env.DB, clientId)).toMatchObject([
      { name: "Before", status: "suspended", catalogue },
    ]);
  });
});
