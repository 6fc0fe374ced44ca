// GET /api/report.
import { expect, test } from "vitest";
import type { ReportResponse } from "../../../src/features/report/contract.ts";
import { DAY_MS } from "../../../src/core/values/time.ts";
import { createClock } from "../../support/clock.ts";
import { errorOf } from "../../support/errors.ts";
import {
  createClient,
  createCredentials,
  orderOf,
  recipients,
  simpleProduct,
  type TestClient,
  unique,
} from "../../support/fixtures.ts";
import { openOperatorApi } from "../../operator/operator-api.ts";
import { sql } from "../../support/sql.ts";
import type { Credentials } from "../../support/worker.ts";

const clock = createClock();
const worker = clock.start();

const [tea, socks] = [simpleProduct(), simpleProduct()];
const create = () => createClient({ products: [tea, socks] });

async function place(client: Credentials, product = tea, qty = 1, changes: object = {}) {
  const { status, text, json } = await worker.post(client, "/api/gift-link", {
    ...orderOf(product),
    order_ref_id: `report-${String(unique())}`,
    recipient_details: recipients(qty),
    ...changes,
  });
  expect(status, text).toBe(200);
  return json.order_data.order_id as number;
}

const day = (ms: number) => new Date(ms).toISOString();
const read = (client: TestClient, [from, to]: readonly [number, number], more: object = {}) =>
  worker.get(
    client,
    `/api/report?${new URLSearchParams({ from: day(from), to: day(to), ...more }).toString()}`,
  );

const period = () => [clock.nowMs(), clock.nowMs() + DAY_MS] as const;

test("groups and filters campaigns whatever their spaces and Unicode form, and not whatever their case", async () => {
  const client = await create();
  const spellings = ["\u00c9t\u00e9 2026", "E\u0301te\u0301  2026", "\u00c9t\u00e9\u00a02026"];
  for (const campaign of spellings) await place(client, tea, 1, { campaign });
  await place(client, tea, 1, { campaign: "\u00e9t\u00e9 2026" });
  const { json } = await read(client, period(), { group_by: "campaign" });
  expect((json as ReportResponse).groups.map(({ group, gifts }) => [group, gifts])).toEqual([
    ["\u00c9t\u00e9 2026", 3],
    ["\u00e9t\u00e9 2026", 1],
  ]);
  const operators = await openOperatorApi();
  for (const campaign of spellings) {
    const query = new URLSearchParams({ campaign }).toString();
    const listed = await worker.get(client, `/api/orders?${query}`);
    expect(listed.json.orders).toHaveLength(3);
    const input = { client: client.clientId, campaign };
    expect((await operators.list("order list", input)).rows).toHaveLength(3);
    expect((await operators.list("gift list", input)).rows).toHaveLength(3);
  }
});

test("has the groups of an order, and null for what it does not have", async () => {
  const client = await create();
  const other = await createCredentials(client.clientId);
  await place(client, tea, 2, { campaign: "Spring" });
  await place(other, socks, 1);
  const sets = await sql(
    "SELECT id FROM credentials WHERE client_id = ? ORDER BY id",
    client.clientId,
  ).all<{ id: number }>();
  const groupsBy = async (group_by: string) => {
    const { json } = await read(client, period(), { group_by });
    return (json as ReportResponse).groups.map(({ group, gifts }) => [group, gifts]);
  };
  const sorted = (pairs: [number, number][]) =>
    pairs.sort(([a], [b]) => a - b).map(([id, gifts]) => [String(id), gifts]);
  expect(await groupsBy("campaign")).toEqual([
    [null, 1],
    ["Spring", 2],
  ]);
  expect(await groupsBy("product")).toEqual(
    sorted([
      [tea.product.id, 2],
      [socks.product.id, 1],
    ]),
  );
  expect(await groupsBy("credential")).toEqual(
    sets.results.map(({ id }, index) => [String(id), 2 - index]),
  );
  expect(await groupsBy("month")).toEqual([[day(clock.nowMs()).slice(0, 7), 3]]);
  expect(await groupsBy("country")).toEqual([["AU", 3]]);
});

test("has the orders of the period and of the client only, and reads no others", async () => {
  const [client, stranger] = [await create(), await create()];
  const between = async () => {
    const { json, meter } = await read(client, bounds);
    expect(meter.roundTrips).toBe(1);
    // The two days may be in two months.
    const orders = (json as ReportResponse).groups.reduce((sum, group) => sum + group.orders, 0);
    return [orders, meter.rowsRead] as const;
  };
  const bounds = [clock.nowMs() + DAY_MS, clock.nowMs() + 2 * DAY_MS] as const;
  await place(client);
  clock.advance(DAY_MS);
  await place(client, tea, 5);
  await place(stranger);
  clock.advance(DAY_MS - 1);
  await place(client, tea, 2);
  clock.advance(1);
  const later = period();
  await place(client, tea, 9);
  const first = await between();
  for (let n = 0; n < 4; n += 1) await place(client, tea, 9);
  expect(await between()).toEqual(first);
  const [orders, rowsRead] = first;
  expect(orders).toBe(2);
  // 3 more orders and 38 more gifts: an order is read from the index and from the table, and sorted.
  const { meter } = await read(client, later);
  expect(meter.rowsRead - rowsRead).toBeLessThanOrEqual(3 * 3 + 38);
});

test("counts the e-mails that were delivered and refused", async () => {
  const client = await create();
  const order = await place(client, tea, 2);
  for (const [number, status] of ["delivered", "bounced", "complained", "sent"].entries()) {
    await sql(
      `INSERT INTO emails (order_id, sequence, number, kind, status, due_ms, link_generation, attempts, attempted_at_ms)
       VALUES (?, ?, ?, 'invitation', ?, 1, 0, 1, 1)`,
      ...[order, 1 + (number % 2), number, status],
    ).run();
  }
  const { json } = await read(client, period());
  expect(json.groups).toMatchObject([{ emails_delivered: 2, emails_bounced: 1 }]);
});

test("is a table on request, in which no text is a formula", async () => {
  const client = await create();
  await place(client, tea, 1, { campaign: "=1+1" });
  const by = { group_by: "campaign" };
  const { headers, text } = await read(client, period(), { ...by, format: "csv" });
  const { json } = await read(client, period(), by);
  const [group] = (json as ReportResponse).groups;
  expect(headers.get("Content-Type")).toBe("text/csv; charset=utf-8");
  expect(text.split("\r\n")).toEqual([
    Object.keys(group ?? {}).join(","),
    ['"\'=1+1"', ...Object.values(group ?? {}).slice(1)].join(","),
    "",
  ]);
});

test.each<[string, Record<string, string>]>([
  ["from", { from: "yesterday" }],
  ["to", { from: "2026-10-01", to: "2026-10-01" }],
  ["to", { from: "2026-01-01", to: "2027-01-03" }],
  ["group_by", { group_by: "recipient" }],
  ["format", { format: "pdf" }],
])("refuses a wrong %s: %j", async (field, query) => {
  const client = await create();
  const answer = await read(client, period(), query);
  expect(errorOf(answer).errors?.map((error) => error.field)).toEqual([field]);
});
