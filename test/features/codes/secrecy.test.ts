// No code at any door except include=codes, the recipient's e-mail and the page on which it is revealed.
import { env } from "cloudflare:workers";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { DAY_MS } from "../../../src/core/values/time.ts";
import { inputsOf } from "../../../src/operator/declaration/input.ts";
import { OPERATIONS } from "../../../src/operator/operations.ts";
import { openConsole } from "../../console/console.ts";
import { openOperatorApi } from "../../operator/operator-api.ts";
import { emailService, MAILING, resetOutbox, runOutbox } from "../../support/emails.ts";
import { addCodesTo, codeProduct, openShop, orderOf, recipients } from "../../support/fixtures.ts";
import { sql } from "../../support/sql.ts";
import { startWorker } from "../../support/worker.ts";

/** Part of each code, PIN and link. */
const CANARY = "canary-7f3a";
const canary = (n: number) => ({
  code: `${CANARY}-code-${String(n)}`,
  pin: `${CANARY}-pin`,
  url: `https://codes.example/${CANARY}`,
});

const worker = startWorker({ env: MAILING });
const logged: unknown[] = [];
const service = emailService();

/** The ids of the orders, by the kinds of gifts with codes. */
const orders = new Map<string, number>();
const KINDS = ["bought", "delivered by the partner", "accepted"] as const;
const orderOfKind = (kind: string) => orders.get(kind) ?? 0;
let shop: Awaited<ReturnType<typeof openShop>>;

const post = async (path: string, body: object) => {
  const answer = await worker.post(shop.client, path, body);
  expect(answer.status, answer.text).toBe(200);
  return answer;
};

beforeAll(async () => {
  for (const level of ["log", "info", "warn", "error", "debug"] as const) {
    vi.spyOn(console, level).mockImplementation((...parts) => void logged.push(parts));
  }
  await resetOutbox();
  shop = await openShop(codeProduct());
  await addCodesTo(shop.product, [1, 2, 3].map(canary));
  const order = (changes = {}) =>
    orderOf(shop.product, { recipient_details: recipients(1), ...changes });
  const placed = [
    await post("/api/order", order()),
    await post("/api/order", order({ send_codes: false })),
    await post("/api/gift-link", order()),
  ];
  placed.forEach(({ json }, index) => orders.set(KINDS[index] ?? "", json.order_data.order_id));
  const suborder_id = orderOfKind("accepted") * 1000 + 1;
  await post("/api/sandbox/event", { event: "gift.redeemed", suborder_id });
  // As in production, which stores no message. The sandbox stores all of them.
  await runOutbox({ service });
});

afterAll(() => vi.restoreAllMocks());

const tool = (name: string, args: object) =>
  post("/mcp", {
    jsonrpc: "2.0",
    id: 1,
    method: "tools/call",
    params: { name, arguments: args },
  });

const get = (path: string) => worker.get(shop.client, path);

/** The doors of partners. Webhooks deliver what the event feed shows. */
const DOORS: Record<string, (orderId: number) => Promise<{ text: string }>> = {
  order: (id) => get(`/api/order?order_id=${String(id)}`),
  "whole order": (id) =>
    get(
      `/api/order?order_id=${String(id)}&include=metadata,thank_you,delivery_email,details,emails`,
    ),
  orders: () => get("/api/orders?expand=recipients"),
  recipients: () => get("/api/recipients?email=recipient0@example.com"),
  shipments: () => get("/api/shipments"),
  products: () => get("/api/products?include=details"),
  events: () => get("/api/events?after=0"),
  "tool getOrder": (id) => tool("getOrder", { order_id: id, include: "codes" }),
  "tool listSandboxEmails": (id) => tool("listSandboxEmails", { suborder_id: id * 1000 + 1 }),
};

test.each(KINDS.flatMap((kind) => Object.keys(DOORS).map((door) => [kind, door] as const)))(
  "a gift that is %s: no code in %s",
  async (kind, door) => {
    expect((await DOORS[door]?.(orderOfKind(kind)))?.text).not.toContain(CANARY);
  },
);

test("no code in subjects of e-mails, the log, KV or a row of the database", async () => {
  expect(
    JSON.stringify(service.sent.map(({ subject, headers }) => [subject, headers])),
  ).not.toContain(CANARY);
  expect(JSON.stringify(logged)).not.toContain(CANARY);
  const { results: tables } = await sql(
    "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE '\\_cf%' ESCAPE '\\'",
  ).all<{ name: string }>();
  for (const { name } of tables) {
    const { results } = await sql(`SELECT * FROM "${name}"`).all();
    expect(JSON.stringify(results).includes(CANARY), name).toBe(false);
  }
  const { keys } = await env.KV.list();
  for (const { name } of keys)
    expect(`${name}${String(await env.KV.get(name))}`).not.toContain(CANARY);
});

/** Their answers contain codes, and the reading is recorded. */
const SHOWING = ["code show", "recipient export"];

test("no code in the lists and views of operators, their files and the home page", async () => {
  const api = await openOperatorApi(["engineer"], await openConsole({ env: MAILING }));
  const orderId = orderOfKind("accepted");
  const given: Partial<Record<string, string>> = {
    order: `GO-${String(orderId).padStart(5, "0")}`,
    gift: `GO-${String(orderId).padStart(5, "0")}-1`,
    client: shop.client.clientId,
    product: String(shop.product.product.id),
    catalogue: shop.client.catalogue,
    time: new Date(Date.now() - DAY_MS).toISOString(),
  };
  const shown: string[] = [];
  for (const operation of OPERATIONS) {
    if (operation.type === "change" || SHOWING.includes(operation.name)) continue;
    const required = Object.entries(inputsOf(operation)).filter(([, field]) => !field.isOptional);
    if (required.some(([, { type }]) => !(type in given))) continue;
    const input = Object.fromEntries(required.map(([name, { type }]) => [name, given[type]]));
    const answers = [await api.call(operation.name, input)];
    if (operation.type === "list") {
      const headers = { Accept: "text/csv", "Content-Type": "application/json" };
      const init = { headers, body: JSON.stringify(input) };
      answers.push(await api.call(operation.name, input, {}, init));
    }
    for (const { status, html } of answers) {
      if (status === 200) shown.push(operation.name);
      expect(html.includes(CANARY), operation.name).toBe(false);
    }
  }
  for (const name of ["home", "gift show", "order show", "order list"]) {
    expect(shown).toContain(name);
  }
});
