import { env } from "cloudflare:workers";
import { describe, expect, test } from "vitest";
import {
  addClient,
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

  test("are revoked once, and only together with their client's id", async () => {
    const { clientId } = await createClient();
    const other = await createClient();
    const [set] = await listCredentials(env.DB, clientId);
    const id = set?.id ?? 0;
    expect(await revokeCredential(env.DB, other.clientId, id, NOW_MS)).toBe(false);
    expect(await revokeCredential(env.DB, clientId, id, NOW_MS)).toBe(true);
    expect(await revokeCredential(env.DB, clientId, id, NOW_MS)).toBe(false);
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
      ].map((set) => ({ ...set, name: null, scope: "admin" })),
    );
    expect(await listClients(env.DB, { id: clientId })).toMatchObject([{ activeCredentials: 2 }]);
  });

  test("are limited for each client separately", async () => {
    const [first, second] = [await createClient(), await createClient()];
    expect(await addCredential(env.DB, first.clientId, fresh(), NOW_MS)).not.toBeNull();
    expect(await addCredential(env.DB, second.clientId, fresh(), NOW_MS)).not.toBeNull();
  });

  test("are issued to existing clients only", async () => {
    expect(await addCredential(env.DB, "unknown", fresh(), NOW_MS)).toBeNull();
  });
});

const COLOURS = { primaryColor: "#112233", secondaryColor: "#445566" };
const BRANDING = { ...COLOURS, logo: "/a.svg", claimLogo: "/b.svg" };

describe("clients", () => {
  test("have unique ids: a second client with the same id is refused, and nothing changes", async () => {
    const { clientId, catalogueId } = await createClient({ name: "The First" });
    const terms = { billing: "invoice", defaultCurrency: "EUR", feeBasisPoints: 0 } as const;
    const second = { ...terms, id: clientId, name: "The Second", catalogueId, createdAtMs: NOW_MS };
    expect(await addClient(env.DB, second)).toBe(false);
    expect(await listClients(env.DB, { id: clientId })).toMatchObject([
      { name: "The First", billing: "credit", activeCredentials: 1 },
    ]);
  });

  test("are listed with their profiles and their catalogues' names", async () => {
    const client = await createClient({ createdAtMs: NOW_MS, branding: BRANDING });
    const { clientId: id, catalogue } = client;
    expect(await listClients(env.DB, { id })).toMatchObject([
      {
        id,
        name: `Company ${id}`,
        status: "active",
        feeBasisPoints: 400,
        catalogue,
        branding: BRANDING,
        mayCancel: true,
        createdAtMs: NOW_MS,
        activeCredentials: 1,
      },
    ]);
  });

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

  test("are changed in the given fields only", async () => {
    const { clientId, catalogue } = await createClient({ name: "Before" });
    expect(await updateClient(env.DB, clientId, { status: "suspended" })).toBe(true);
    expect(await updateClient(env.DB, "unknown", { status: "suspended" })).toBe(false);
    expect(await listClients(env.DB, { id: clientId })).toMatchObject([
      { name: "Before", status: "suspended", catalogue },
    ]);
  });
});
