// No code at any door except include=codes, the recipient's e-mail and the page on which it is revealed.
import { env } from "cloudflare:workers";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { EVENT_TYPES } from "../../../src/features/events/event.ts";
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

/** The kinds of gifts with codes, and the gifts: bought, bought for a partner who delivers the codes, and accepted. */
const KINDS = ["bought", "delivered by the partner", "accepted"] as const;
interface Placed {
  orderId: number;
  /** The path of the gift page, if its link is known. */
  page: string | undefined;
}
const placed = new Map<string, Placed>();
let shop: Awaited<ReturnType<typeof openShop>>;

const post = async (path: string, body: object) => {
  const answer = await worker.post(shop.client, path, body);
  expect(answer.status, answer.text).toBe(200);
  return answer.json;
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
  const bought = await post("/api/order", order());
  const delivered = await post("/api/order", order({ send_codes: false }));
  const linked = await post("/api/gift-link", order());
  const [{ suborder_id, gift_url }] = linked.recipient_return;
  await post("/api/sandbox/redeem-gift", { suborder_id });
  // As in production, which stores no message. The sandbox stores all of them.
  await runOutbox({ service });
  const linkOf = (text = "") => /https?:\S+\/redeem\/\S+/.exec(text)?.[0];
  const urls = [linkOf(service.sent[0]?.text), undefined, gift_url as string];
  [bought, delivered, linked].forEach(({ order_data }, index) => {
    const url = urls[index];
    placed.set(KINDS[index] as string, {
      orderId: order_data.order_id,
      page: url && new URL(url).pathname,
    });
  });
});

afterAll(() => vi.restoreAllMocks());

const giftOf = (kind: string) => placed.get(kind) as Placed;
const ALL_BUT_CODES = "metadata,thank_you,delivery_email,details,emails";
const tool = (name: string, args: object) =>
  worker.post(shop.client, "/mcp", {
    jsonrpc: "2.0",
    id: 1,
    method: "tools/call",
    params: { name, arguments: args },
  });

const partner = (path: (gift: Placed) => string) => async (gift: Placed) =>
  (await worker.get(shop.client, path(gift))).text;

/** What each door shows, as a text. */
const DOORS: Record<string, (gift: Placed) => Promise<string>> = {
  order: partner(({ orderId }) => `/api/order?order_id=${String(orderId)}`),
  "whole order": partner(
    ({ orderId }) => `/api/order?order_id=${String(orderId)}&include=${ALL_BUT_CODES}`,
  ),
  orders: partner(() => "/api/orders?expand=recipients"),
  recipients: partner(() => "/api/recipients?email=recipient0@example.com"),
  shipments: partner(() => "/api/shipments"),
  products: partner(() => "/api/products?include=details"),
  // Webhooks deliver what the feed shows.
  events: partner(() => "/api/events?after=0"),
  quote: async () => {
    const { product_id, currency, base_location } = orderOf(shop.product);
    return JSON.stringify(
      await post("/api/quote", { product_id, currency, base_location, qty: 1 }),
    );
  },
  "tool getOrder": async ({ orderId }) =>
    (await tool("getOrder", { order_id: orderId, include: "codes" })).text,
  "tool listSandboxEmails": async ({ orderId }) =>
    (await tool("listSandboxEmails", { suborder_id: orderId * 1000 + 1 })).text,
  page: async ({ page }) => (page === undefined ? "" : (await worker.fetch(page)).text),
};

test("the fixture: each gift has its code, which the partner reads and the recipient gets", async () => {
  for (const kind of KINDS) {
    const path = `/api/order?order_id=${String(giftOf(kind).orderId)}&include=codes`;
    expect((await worker.get(shop.client, path)).text).toContain(CANARY);
  }
  expect(service.sent.map(({ to }) => to)).toEqual(Array(2).fill("recipient0@example.com"));
  expect(await DOORS["tool getOrder"]?.(giftOf("bought"))).toContain("validation_error");
  const events = await DOORS["events"]?.(giftOf("bought"));
  expect(EVENT_TYPES.filter((type) => events?.includes(`"${type}"`))).toContain("gift.sent");
});

test.each(KINDS.flatMap((kind) => Object.keys(DOORS).map((door) => [kind, door] as const)))(
  "a gift that is %s: no code in %s",
  async (kind, door) => {
    expect(await DOORS[door]?.(giftOf(kind))).not.toContain(CANARY);
  },
);

test("no code in subjects of e-mails, the log, KV or a row of the database", async () => {
  expect(service.sent.map(({ subject }) => subject).join()).not.toContain(CANARY);
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
  const { orderId } = giftOf("accepted");
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
