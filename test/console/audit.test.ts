// The page of the audit log.
import { env } from "cloudflare:workers";
import { beforeAll, expect, test } from "vitest";
import { orderNumber } from "../../src/core/values/ids.ts";
import { listActors, listAudit } from "../../src/operator/audit/queries.ts";
import { type ConsoleUser, openConsole, type TestConsole } from "./console.ts";
import { createClient, unique } from "../support/fixtures.ts";
import { sql } from "../support/sql.ts";

let testConsole: TestConsole;
let finance: ConsoleUser;

beforeAll(async () => {
  testConsole = await openConsole();
  finance = await testConsole.signIn("finance");
});

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

const newOperator = () => `operator${String(unique())}@regalo.example`;

test("shows the changes of a client, newest first", async () => {
  const { clientId } = await createClient();
  const reasons = ["oldest", "<script>alert(1)</script>", "newest"];
  await addEntries(clientId, ...reasons.map((reason, i) => ({ reason, createdAtMs: i * 1_000 })));
  const page = await finance.get(`/audit?client=${clientId}`);
  expect(page.status).toBe(200);
  const [oldest = 0, hostile = 0, newest = 0] = reasons.map((text) => page.text.indexOf(text));
  expect(newest).toBeGreaterThan(0);
  expect([newest < hostile, hostile < oldest]).toEqual([true, true]);
  expect(page.html).not.toContain("<script>alert");
  expect(page.text).toContain("name: before -> after");
  expect(page.meter.roundTrips).toBe(2);
});

test("shows each entry on one page, also those of the same time", async () => {
  const { clientId } = await createClient();
  const entries = Array.from({ length: 120 }, (_, i) => ({
    reason: `reason ${String(i)}!`,
    createdAtMs: Math.floor(i / 70),
  }));
  await addEntries(clientId, ...entries);
  const seen: string[] = [];
  let path: string | null = `/audit?client=${clientId}`;
  while (path !== null) {
    const page = await finance.get(path);
    expect(page.html.length).toBeLessThan(60_000);
    seen.push(...[...page.html.matchAll(/reason \d+!/g)].map(([text]) => text));
    const next: string | undefined = /rel="next" href="([^"]+)"/.exec(page.html)?.[1];
    path = next === undefined ? null : `/audit${next.replaceAll("&amp;", "&")}`;
  }
  expect(seen).toEqual(entries.map(({ reason }) => reason).reverse());
});

test("reads no more entries than it shows", async () => {
  const { clientId } = await createClient();
  await addEntries(clientId, ...Array<Entry>(300).fill({ createdAtMs: 5 }));
  const [first] = await listAudit(env.DB, { clientId, limit: 1 });
  expect(first).toBeDefined();
  const page = await finance.get(`/audit?client=${clientId}`);
  // Two lookups for each operator.
  const operators = (await listActors(env.DB, 999)).length;
  expect(page.meter.rowsRead).toBeLessThan(4 * 51 + 8 * operators);
});

test("shows the changes of one operator, whose name is not in the address", async () => {
  const { clientId } = await createClient();
  const [one, other] = [newOperator(), newOperator()];
  await addEntries(
    clientId,
    { actor: one, reason: "first one" },
    { actor: other, reason: "other" },
  );
  await addEntries(clientId, { actor: one, reason: "second one" });
  const all = await finance.get(`/audit?client=${clientId}`);
  const [, entry = ""] = new RegExp(`value="(\\d+)"[^>]*>${one}`).exec(all.html) ?? [];
  const page = await finance.get(`/audit?client=&order=&by=${entry}&since=&until=`);
  expect(page.text).toContain("first one");
  expect(page.text).toContain("second one");
  expect(page.text).not.toContain("other ");
  expect(page.html).not.toMatch(/href="[^"]*@/);
});

test("shows the changes of an order and of a time", async () => {
  const { clientId } = await createClient();
  const day = (text: string) => Date.parse(`${text}T00:00:00Z`);
  await addEntries(
    clientId,
    { reason: "before May", createdAtMs: day("2026-05-01") - 1 },
    { reason: "in May", createdAtMs: day("2026-05-01") },
    { reason: "in June", createdAtMs: day("2026-06-01") },
  );
  const page = await finance.get(`/audit?client=${clientId}&since=2026-05-01&until=2026-06-01`);
  expect(["before May", "in May", "in June"].map((text) => page.text.includes(text))).toEqual([
    false,
    true,
    false,
  ]);
  const order = await finance.get(`/audit?order=${orderNumber(999_999_999)}`);
  expect(order.text).toContain("No changes match");
});

test("refuses filters that cannot be read", async () => {
  for (const query of ["since=yesterday", "order=42x", "by=ada", "after=newest"]) {
    const page = await finance.get(`/audit?${query}`);
    expect([query, page.status, page.text]).toEqual([
      query,
      400,
      expect.stringContaining("must be"),
    ]);
  }
});

test("is shown to roles with the permission only", async () => {
  const support = await testConsole.signIn("support");
  expect((await support.get("/audit")).status).toBe(403);
});
