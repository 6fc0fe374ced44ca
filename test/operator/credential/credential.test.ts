// The operations `credential issue` and `credential revoke`.
import { env } from "cloudflare:workers";
import { describe, expect, test } from "vitest";
import { listAudit } from "../../../src/operator/audit/queries.ts";
import { listClientCredentials } from "../../../src/operator/client/queries.ts";
import { openConsole } from "../../console/console.ts";
import { createClient, createCredentials } from "../../support/fixtures.ts";
import { sql } from "../../support/sql.ts";
import { startWorker } from "../../support/worker.ts";
import { openOperatorApi } from "../operator-api.ts";

const api = await openOperatorApi();

const auditOf = (clientId: string) => listAudit(env.DB, { clientId, limit: 9 });

describe("credential issue", () => {
  test("shows values that work with their scope, once", async () => {
    const { clientId } = await createClient();
    const input = { client: clientId, scope: "read", name: "Reports" };
    const { digest } = await api.plan("credential issue", input);
    const query = { digest, request_id: crypto.randomUUID() };
    const answer = await api.call("credential issue", input, query);
    const { set, api_key: apiKey, api_password: apiPassword } = JSON.parse(answer.html).facts;
    expect(answer.headers.get("Cache-Control")).toBe("private, no-store");
    const issued = { clientId, apiKey, apiPassword };
    expect((await startWorker().get(issued, "/api/credit-balance")).status).toBe(200);
    const refused = await startWorker().post(issued, "/api/order", {});
    expect(refused.json.code).toBe("insufficient_scope");
    const repeated = await api.call("credential issue", input, query);
    expect(JSON.parse(repeated.html).repeated).toEqual([`credential ${set}`]);
    expect(repeated.html).not.toContain(apiKey);
    const entries = await auditOf(clientId);
    expect(entries).toMatchObject([{ action: "credential issue", subject: String(set) }]);
    expect(JSON.stringify(entries)).not.toContain("regalo_local");
    const shown = await api.call("client show", { client: clientId });
    expect(shown.html).toContain("Reports");
    expect(shown.html).not.toContain("regalo_local");
  });

  test("refuses a 21st active set, also of requests at the same time", async () => {
    const { clientId: client } = await createClient();
    for (let set = 2; set <= 19; set++) await createCredentials(client);
    const answers = await api.confirmTwice("credential issue", { client, scope: "read" });
    expect(answers.map(({ status }) => status)).toEqual([200, 409]);
    expect(await listClientCredentials(env.DB, client)).toHaveLength(20);
    const refused = await api.refusal("credential issue", { client, scope: "read" });
    expect(refused).toMatchObject({ status: 409 });
    const unscoped = await api.refusal("credential issue", { client });
    expect(unscoped).toMatchObject({ status: 400, fields: ["scope"] });
  });

  test("shows the values if KV cannot be reached", async () => {
    const { clientId: client } = await createClient();
    const KV = { delete: () => Promise.reject(new Error("unreachable")) } as unknown as KVNamespace;
    const offline = await openOperatorApi(["engineer"], await openConsole({ env: { KV } }));
    const { facts, warnings } = await offline.run("credential issue", { client, scope: "read" });
    expect(facts["api_key"]).toMatch(/^regalo_local_key_[\w-]{43}$/);
    expect(warnings).toHaveLength(1);
  });
});

describe("credential revoke", () => {
  test("works for a client whose revoked sets are longer than a row of the database", async () => {
    const { clientId: client } = await createClient();
    const limits = JSON.stringify(["x".repeat(3_900)]);
    await sql(
      `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 700)
       INSERT INTO credentials (client_id, secret_digest, scope, created_at_ms, revoked_at_ms, key_end, limits)
       SELECT ?, 'digest ' || i, 'order', 1, 2, 'abcd', ? FROM n`,
      client,
      limits,
    ).run();
    const { facts } = await api.run("credential issue", { client, scope: "read" });
    await api.run("credential revoke", { client, set: facts["set"], reason: "Ticket 7" });
    expect(await auditOf(client)).toMatchObject([
      { action: "credential revoke", subject: String(facts["set"] as number) },
      { action: "credential issue" },
    ]);
  });

  test("revokes an active set of the client, with a reason", async () => {
    const client = await createClient();
    const other = await createClient();
    const [first] = await listClientCredentials(env.DB, client.clientId);
    const input = { client: client.clientId, set: first?.id, reason: "Leaked" };
    const foreign = { ...input, client: other.clientId };
    expect(await api.refusal("credential revoke", foreign)).toMatchObject({ status: 404 });
    await api.run("credential revoke", input);
    expect((await startWorker().get(client, "/api/credit-balance")).status).toBe(401);
    expect(await auditOf(client.clientId)).toMatchObject([{ subject: String(first?.id) }]);
    expect(await api.refusal("credential revoke", input)).toMatchObject({ status: 404 });
  });
});
