// The list of the audit log.
import { env } from "cloudflare:workers";
import { describe, expect, test } from "vitest";
import { orderNumber, toGiftNumber } from "../../../src/core/values/ids.ts";
import { openConsole } from "../../console/console.ts";
import { createClient, simpleProduct, unique } from "../../support/fixtures.ts";
import { createGift } from "../../support/gift.ts";
import { sql } from "../../support/sql.ts";
import { startWorker } from "../../support/worker.ts";
import { openOperatorApi } from "../operator-api.ts";

interface Entry {
  actor?: string;
  createdAtMs?: number;
  orderId?: number | null;
  reason?: string;
}

/** Adds entries of this client. */
async function addEntries(clientId: string, ...entries: Entry[]): Promise<void> {
  await env.DB.batch(
    entries.map(({ actor = "ada", createdAtMs = 1_000, orderId = null, reason = null }) =>
      sql(
        `INSERT INTO audit_entries (created_at_ms, actor, action, subject_type, subject, client_id,
           order_id, reason, before, after)
         VALUES (?, ?, 'client set', 'client', ?3, ?3, ?, ?, '{"name":"before"}', '{"name":"after"}')`,
        createdAtMs,
        actor,
        clientId,
        orderId,
        reason,
      ),
    ),
  );
}

describe("audit list", async () => {
  const opened = await openConsole();
  const api = await openOperatorApi(["finance"], opened);
  const reasonsOf = async (input: object) =>
    (await api.list("audit list", { ...input })).rows.map(({ reason }) => reason);

  test("has the changes of a client, of an order, of an operator and of a time, newest first", async () => {
    const { orderId, client } = await createGift(startWorker(), [simpleProduct()]);
    const { clientId } = client;
    const day = (text: string) => Date.parse(`${text}T00:00:00Z`);
    const operator = `operator${String(unique())}@regalo.example`;
    await addEntries(
      clientId,
      { reason: "April", createdAtMs: day("2026-05-01") - 1 },
      { reason: "May", createdAtMs: day("2026-05-01"), orderId },
      { reason: "June", createdAtMs: day("2026-06-01"), actor: operator },
    );
    const { rows } = await api.list("audit list", { client: clientId });
    expect(rows).toMatchObject([
      { reason: "June", operator, action: "client set", change: "name from before to after" },
      { reason: "May", order: orderNumber(orderId), object: clientId, object_type: "client" },
      { reason: "April", at: "2026-04-30T23:59:59.999Z" },
    ]);
    expect(await reasonsOf({ order: orderNumber(orderId) })).toEqual(["May"]);
    expect(await reasonsOf({ client: clientId, action: "client add" })).toEqual([]);
    await api.view("order show", { order: orderNumber(orderId) });
    const of = { order: orderNumber(orderId) };
    expect(await reasonsOf(of)).toEqual(["May"]);
    const readings = await api.list("audit list", { ...of, show: "readings" });
    expect(readings.rows).toMatchObject([{ action: "order show" }]);
    expect(await reasonsOf({ ...of, show: "all" })).toEqual([null, "May"]);
    expect(await reasonsOf({ order: toGiftNumber(orderId, 1) })).toEqual(["May"]);
    expect(await reasonsOf({ operator })).toEqual(["June"]);
    expect(await reasonsOf({ operator: "unknown", action: "restore finish" })).toEqual([]);
    for (const [unknown, status] of [
      [{ action: "gift extnd" }, 400],
      [{ order: "GO-99000399" }, 404],
    ] as const) {
      expect(await api.refusal("audit list", unknown)).toMatchObject({ status });
    }
    const since = { client: clientId, since: "2026-05-01" };
    expect(await reasonsOf(since)).toEqual(["June", "May"]);
    expect(await reasonsOf({ ...since, until: "2026-06-01" })).toEqual(["May"]);
  });

  test("has each entry on one page, also those of the same time, and reads no others", async () => {
    const { clientId } = await createClient();
    const entries = Array.from({ length: 30 }, (_, i) => ({
      reason: `reason ${String(i)}`,
      createdAtMs: Math.floor(i / 17),
    }));
    await addEntries(clientId, ...entries);
    const seen: unknown[] = [];
    let after: string | undefined;
    do {
      const query = { limit: "7", ...(after && { after }) };
      const { html, meter } = await api.call("audit list", { client: clientId }, query);
      expect(meter.roundTrips).toBe(1);
      expect(meter.rowsRead).toBeLessThanOrEqual(3 * 8);
      const page = JSON.parse(html);
      seen.push(...page.rows.map(({ reason }: { reason: string }) => reason));
      after = page.next ?? undefined;
    } while (after !== undefined);
    expect(seen).toEqual(entries.map(({ reason }) => reason).reverse());
  });

  test("is a page without the names of operators in addresses", async () => {
    const { clientId } = await createClient();
    const operator = `operator${String(unique())}@regalo.example`;
    const hostile = { actor: operator, reason: "<script>alert(1)</script>" };
    await addEntries(clientId, ...Array<Entry>(60).fill(hostile));
    const user = await opened.signIn("finance");
    const page = await user.submit(await user.get("/audit/list"), "Show", { operator });
    expect(page.text).toContain("<script>alert(1)</script>");
    expect(page.html).not.toContain("<script>alert");
    expect(page.html).not.toMatch(/(?:href|action)="[^"]*(?:@|%40)/);
    const next = await user.submit(page, "Next page");
    expect(next.text.split("name from before to after")).toHaveLength(11);
    const get = await user.fetch(`/operations/audit/list?operator=${operator}`);
    expect(get.status).toBe(405);
  });
});
