// Digital gifts that operators send: their codes, why one is refused, and what becomes of a code when its gift is reopened.
import { env } from "cloudflare:workers";
import { describe, expect, test } from "vitest";
import { type SealedCode, unseal } from "../../../src/features/codes/seal.ts";
import { changeShipments, MAX_SHIPMENTS } from "../../../src/features/fulfilment/change.ts";
import { OBSTACLES } from "../../../src/features/fulfilment/obstacles.ts";
import type { GivenCode } from "../../../src/features/fulfilment/shipment.ts";
import { readContent, sealCodes } from "../../../src/operator/code/content.ts";
import { meteredD1, newMeter } from "../../support/counting.ts";
import { eventsOf } from "../../support/events.ts";
import { failingBatches, LOST } from "../../support/faults.ts";
import {
  addCodesTo,
  type ClientOptions,
  codeProduct,
  openShop,
  orderOf,
  recipients,
  simpleProduct,
  stockOf,
} from "../../support/fixtures.ts";
import { changeParcels, givenCode } from "../../support/gift.ts";
import { plannedKinds } from "../../support/emails.ts";
import { sql } from "../../support/sql.ts";
import { startWorker } from "../../support/worker.ts";

const worker = startWorker();

const manual = () => simpleProduct({ delivery: "digital" }, { quantity: 5_000 });

/** Gifts that are bought outright. */
async function buy(count: number, item = manual(), { body = {}, ...options }: BuyOptions = {}) {
  const { client, product } = await openShop(item, options);
  const order = orderOf(product, { recipient_details: recipients(count), ...body });
  const { json } = await worker.post(client, "/api/order", order);
  const orderId: number = json.order_data.order_id;
  const gifts = Array.from({ length: count }, (_, n) => ({ orderId, sequence: n + 1 }));
  const cancel = () => worker.post(client, "/api/order/cancel", { order_id: orderId });
  const [gift = { orderId, sequence: 0 }] = gifts;
  return { client, orderId, product, gifts, gift, cancel };
}
type BuyOptions = ClientOptions & { body?: object };

const codesOf = async (orderId: number) =>
  (
    await sql(
      `SELECT sealed, key_id AS keyId, order_id AS orderId, sequence, batch, fingerprint, void_reason AS void
       FROM codes WHERE order_id = ? ORDER BY id`,
      orderId,
    ).all<SealedCode & { fingerprint: string | null }>()
  ).results;

const GIFT_ROW = "SELECT fulfilment, took_stock FROM gifts WHERE order_id = ? AND sequence = 1";
const giftRow = (orderId: number) => sql(GIFT_ROW, orderId).first();

const resultsOf = async (...args: Parameters<typeof changeParcels>) =>
  (await changeParcels(...args)).map(({ result }) => result);

test.each([
  ["of its code", { code: "ABC-1", pin: "12" }, {}, "code"],
  ["of a link", { url: "https://vendor.example/x" }, {}, "code"],
  ["that the partner delivers", { pin: "99" }, { body: { send_codes: false } }, null],
] as const)("a gift is sent with the text %s", async (_, content, options, kind) => {
  const { client, gift, orderId } = await buy(1, manual(), options);
  const code = await givenCode({ ...content });
  expect(await resultsOf("ship", [{ ...gift, code }])).toEqual(["sent"]);
  const [row] = await codesOf(orderId);
  if (!row) throw new Error("the gift has no code");
  expect(await unseal(env, row)).toEqual({ code: null, pin: null, url: null, ...content });
  expect(row).toMatchObject({ sequence: 1, batch: null, void: null });
  expect(row.fingerprint === null).toBe("url" in content);
  expect(await giftRow(orderId)).toMatchObject({ fulfilment: "shipped" });
  expect(await plannedKinds(orderId)).toEqual([kind]);
  const events = (await eventsOf(client)).map(({ type }) => type);
  expect(events.filter((type) => type === "gift.sent")).toHaveLength(1);
});

test("the same code again is unchanged, and another one is refused", async () => {
  const { gift, orderId } = await buy(1);
  const code = await givenCode();
  expect(await resultsOf("ship", [{ ...gift, code }])).toEqual(["sent"]);
  expect(await resultsOf("ship", [{ ...gift, code }])).toEqual(["unchanged"]);
  expect(await resultsOf("ship", [{ ...gift, code: await givenCode() }])).toEqual(["refused"]);
  expect(await codesOf(orderId)).toHaveLength(1);
});

/** The code of a gift or of the stock that others have. */
async function known(where: "gift" | "stock" | "void" | "link"): Promise<GivenCode> {
  const content =
    where === "link" ? { url: "https://vendor.example/x" } : { code: crypto.randomUUID() };
  const { gift, product } = await buy(1);
  if (where === "stock") await addCodesTo(product, [content]);
  else await changeParcels("ship", [{ ...gift, code: await givenCode(content) }]);
  if (where === "void") await changeParcels("reopen", [gift]);
  // Spaces, hyphens and the case make no difference.
  const { code } = content;
  return givenCode(
    code === undefined ? content : { code: code.toUpperCase().replaceAll("-", " ") },
  );
}

const expired = () => [{ expiresAtMs: 1 }];

test.each<
  [
    string,
    keyof typeof OBSTACLES | null,
    () => Promise<{
      item?: ReturnType<typeof manual>;
      code?: GivenCode | undefined;
      stock?: { expiresAtMs: number }[];
    }>,
  ]
>([
  ["without a code", "noCode", () => Promise.resolve({ code: undefined })],
  ["with the code of a gift", "knownCode", async () => ({ code: await known("gift") })],
  ["with a code of the stock", "knownCode", async () => ({ code: await known("stock") })],
  ["with a void code", "knownCode", async () => ({ code: await known("void") })],
  ["with the link of a gift", null, async () => ({ code: await known("link") })],
  ["in a parcel", "physical", async () => ({ item: simpleProduct(), code: await givenCode() })],
  [
    "from the stock",
    "fromStock",
    async () => ({ item: codeProduct(), stock: expired(), code: await givenCode() }),
  ],
])("a gift %s: %s", async (_, obstacle, given) => {
  const { item, code, stock } = await given();
  const shop = item ?? manual();
  if (stock) await openShop(shop).then(() => addCodesTo(shop, stock));
  const { gift, orderId } = await buy(1, shop);
  const other = await buy(1);
  const requested = [
    { ...gift, code },
    { ...other.gift, code: await givenCode() },
  ];
  const [outcome, second] = await changeParcels("ship", requested);
  expect(outcome).toMatchObject(
    obstacle === null ? { result: "sent" } : { result: "refused", reason: OBSTACLES[obstacle] },
  );
  expect(second).toMatchObject({ result: "sent" });
  expect(await codesOf(orderId)).toHaveLength(obstacle === null ? 1 : 0);
});

test("one of two gifts gets a code that is given to both at the same time", async () => {
  const { gifts } = await buy(2);
  const code = await givenCode();
  const both = await Promise.all(gifts.map((gift) => resultsOf("ship", [{ ...gift, code }])));
  expect(both.flat().sort()).toEqual(["refused", "sent"]);
});

test.each(["before the commit", "after the commit"] as const)(
  "an answer lost %s sends the gift once",
  async (when) => {
    const { gift, orderId, client } = await buy(1);
    const db = failingBatches(new Error(LOST), when, 2);
    const request = { clientId: null, requestId: crypto.randomUUID(), nowMs: Date.now() };
    const requested = [{ ...gift, code: await givenCode({ url: "https://vendor.example/x" }) }];
    expect(await changeShipments(db, "ship", requested, request)).toMatchObject([
      { result: "sent" },
    ]);
    expect(await codesOf(orderId)).toHaveLength(1);
    const sent = (await eventsOf(client)).filter(({ type }) => type === "gift.sent");
    expect(sent).toHaveLength(1);
  },
);

test(`${String(MAX_SHIPMENTS)} gifts are sent in one round trip, with rows in proportion`, async () => {
  const { gifts } = await buy(MAX_SHIPMENTS);
  const coded = gifts.map((gift) => ({
    ...gift,
    content: readContent({ code: crypto.randomUUID() }),
  }));
  await sealCodes(env, coded, 0);
  const meter = newMeter();
  const request = { clientId: null, requestId: crypto.randomUUID(), nowMs: Date.now() };
  const outcomes = await changeShipments(meteredD1(env.DB, meter), "ship", coded, request);
  expect(new Set(outcomes.map(({ result }) => result))).toEqual(new Set(["sent"]));
  expect(meter.roundTrips).toBe(1);
  expect(meter.rowsRead).toBeLessThan(55 * MAX_SHIPMENTS);
  expect(meter.rowsWritten).toBeLessThan(16 * MAX_SHIPMENTS);
});

describe("a gift that is reopened", () => {
  test.each([
    ["by an operator", manual(), 4_999],
    ["from the stock", codeProduct(), 1],
  ] as const)("after it was sent %s has no code, and returns no stock", async (_, item, left) => {
    const isManual = item.product.digital?.delivery === "manual";
    if (!isManual) await openShop(item).then(() => addCodesTo(item, 2));
    const { gift, orderId, cancel, product } = await buy(1, item);
    if (isManual) await changeParcels("ship", [gift]);
    const { id } = product.product;
    expect(await giftRow(orderId)).toMatchObject({ fulfilment: "shipped" });
    expect(await plannedKinds(orderId)).toEqual(["code"]);
    expect(await resultsOf("reopen", [gift])).toEqual(["reopened"]);
    expect(await codesOf(orderId)).toMatchObject([{ void: "reopened" }]);
    expect(await stockOf(id)).toBe(left);
    const took_stock = isManual ? null : 0;
    expect(await giftRow(orderId)).toMatchObject({ fulfilment: null, took_stock });
    const again = await buy(1, item);
    if (isManual) await changeParcels("ship", [again.gift]);
    expect(await resultsOf("reopen", [again.gift])).toEqual(["reopened"]);
    const code = await givenCode();
    expect(await resultsOf("ship", [{ ...again.gift, code }])).toEqual(["sent"]);
    const before = await stockOf(id);
    expect((await cancel()).status).toBe(200);
    expect(await stockOf(id)).toBe((before ?? 0) + (isManual ? 1 : 0));
  });

  test("stays sent if its order was cancelled meanwhile", async () => {
    const { gifts, gift, cancel, orderId } = await buy(2);
    await changeParcels("ship", [gift]);
    expect((await cancel()).status).toBe(200);
    expect(await changeParcels("reopen", gifts)).toMatchObject([
      { result: "refused", reason: OBSTACLES.orderCancelled },
      { result: "unchanged" },
    ]);
    expect(await codesOf(orderId)).toMatchObject([{ void: null }]);
  });
});
