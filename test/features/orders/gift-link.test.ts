import { env } from "cloudflare:workers";
import fc from "fast-check";
import { expect, test } from "vitest";
import openapi from "../../../public/openapi.json";
import type { Bindings } from "../../../src/platform/env.ts";
import { toGiftId } from "../../../src/core/values/ids.ts";
import {
  giftUrls,
  newLink,
  readToken,
  renewedGiftUrl,
} from "../../../src/features/orders/gift-link.ts";
import { MAX_RECIPIENTS } from "../../../src/features/orders/contract.ts";
import { accept, changingAfterRead, createGift, readRecipient } from "../../support/gift.ts";
import { openShop, orderOf, recipients, simpleProduct } from "../../support/fixtures.ts";
import { type Answer, startWorker } from "../../support/worker.ts";
import { runs } from "../../support/runs.ts";
import { sql } from "../../support/sql.ts";
import { force } from "../../support/invariants.ts";

const deployment = { PUBLIC_URL: "https://gifts.example", GIFT_LINK_SECRET: "k".repeat(32) };
const elsewhere = [
  { ...deployment, GIFT_LINK_SECRET: "l".repeat(32) },
  { ...deployment, PUBLIC_URL: "https://sandbox.gifts.example" },
];

/** The order, and the tokens of its first `count` recipients. */
async function createTokens(id: number, count: number) {
  const order = { id, ...(await newLink(deployment)) };
  const urls = await giftUrls(deployment, order, count);
  return { order, tokens: urls.map((url) => url.slice(`${deployment.PUBLIC_URL}/redeem/`.length)) };
}

const orderIds = fc.integer({ min: 1, max: 9_000_000_000_000 });

interface LinkPosition {
  sequence: number;
  generation: number;
}

/** The parts of a token. */
function split(token = "") {
  const [id = "", rest = ""] = token.split("-");
  return { id, key: rest.slice(0, 4), nonce: rest.slice(4, 12), mac: rest.slice(12) };
}

test("a gift link's token opens its own gift, also the last one of the largest order", async () => {
  await fc.assert(
    fc.asyncProperty(
      orderIds,
      fc.integer({ min: 1, max: MAX_RECIPIENTS }),
      async (orderId, sequence) => {
        const { order, tokens } = await createTokens(orderId, MAX_RECIPIENTS);
        expect(new Set(tokens).size).toBe(MAX_RECIPIENTS);
        const key = { orderId, sequence, generation: 0, nonce: order.linkNonce };
        const token = tokens[sequence - 1] ?? "";
        expect(await readToken(deployment, token)).toEqual(key);
        expect(await readToken(deployment, token.toUpperCase())).toEqual(key);
      },
    ),
    { numRuns: runs(20) },
  );
});

test("a gift link's token has the form of the example in the OpenAPI document", async () => {
  const { tokens } = await createTokens(42, 2);
  const { examples } =
    openapi.paths["/api/gift-link"].post.responses["200"].content["application/json"];
  const documented = examples.giftLinks.value.recipient_return.map(({ gift_url }) => gift_url);
  const shapeOf = (url = "") => url.replace(/.*\//, "").replaceAll(/[0-9a-v](?=.{0,35}$)/g, "x");
  expect(documented.map(shapeOf)).toEqual(tokens.map(shapeOf));
});

test("a gift link's token is always the same for an order, since recipients keep their links", async () => {
  const order = { id: 42, linkNonce: "0123abuv", linkKeyId: null };
  // Computed with another implementation of HKDF (RFC 5869) and base32hex (RFC 4648).
  const urls = [
    "https://gifts.example/redeem/42001-gbr30123abuvbsejuu0h1huvu6j5gr1glucu",
    "https://gifts.example/redeem/42002-gbr30123abuvp4ucmfca95lgtkb15nabfr9p",
  ];
  expect(await giftUrls(deployment, order, 2)).toEqual(urls);
  expect((await giftUrls(deployment, order, 7)).slice(0, 2)).toEqual(urls);
});

test("a gift link's token is different for a different order with the same id", async () => {
  const [first, second] = [await createTokens(42, 1), await createTokens(42, 1)];
  expect(split(first.tokens[0]).nonce).not.toBe(split(second.tokens[0]).nonce);
  expect(split(first.tokens[0]).mac).not.toBe(split(second.tokens[0]).mac);
});

test("a gift link's token is invalid if a part of it belongs to another token", async () => {
  await fc.assert(
    fc.asyncProperty(orderIds, orderIds, async (orderId, other) => {
      fc.pre(orderId !== other);
      const [first, second] = (await createTokens(orderId, 2)).tokens.map(split);
      const [stranger] = (await createTokens(orderId, 1)).tokens.map(split);
      if (!first || !second || !stranger) throw new Error("unreachable");
      const forged = [
        { ...first, id: second.id },
        { ...first, id: String(toGiftId(orderId, 3)) },
        { ...first, id: String(toGiftId(other, 1)) },
        { ...first, key: first.key === "0000" ? "0001" : "0000" },
        { ...first, nonce: stranger.nonce },
        { ...first, mac: second.mac },
        { ...first, mac: stranger.mac },
      ];
      for (const { id, key, nonce, mac } of forged) {
        expect(await readToken(deployment, `${id}-${key}${nonce}${mac}`)).toBeNull();
      }
      const { id, key, nonce, mac } = first;
      for (const where of elsewhere) {
        expect(await readToken(where, `${id}-${key}${nonce}${mac}`)).toBeNull();
      }
    }),
  );
});

test("a gift link's token opens the last gift with a MAC, and is refused beyond it", async () => {
  const { order, tokens } = await createTokens(42, 544);
  const last = { orderId: 42, sequence: 544, generation: 0, nonce: order.linkNonce };
  expect(await readToken(deployment, tokens[543] ?? "")).toEqual(last);
  const { key, nonce, mac } = split(tokens[543]);
  for (const sequence of [0, 545, 999]) {
    const token = `${String(toGiftId(42, sequence))}-${key}${nonce}${mac}`;
    expect(await readToken(deployment, token)).toBeNull();
  }
});

type LinkedOrder = { id: number } & Awaited<ReturnType<typeof newLink>>;

const renewedToken = async (order: LinkedOrder, position: LinkPosition) =>
  (await renewedGiftUrl(deployment, order, position)).slice(
    `${deployment.PUBLIC_URL}/redeem/`.length,
  );

/** Tokens with parts of another generation, gift, order or of the first link. */
async function forgeriesOf(
  order: LinkedOrder,
  { sequence, generation }: LinkPosition,
  other: number,
): Promise<string[]> {
  const token = await renewedToken(order, { sequence, generation });
  const stranger = { id: order.id, ...(await newLink(deployment)) };
  const strangers = await renewedToken(stranger, { sequence, generation });
  const [id = "", number = "", tail = ""] = token.split("-");
  const [, , strangersTail = ""] = strangers.split("-");
  const neighbour = toGiftId(order.id, sequence === 1 ? 2 : sequence - 1);
  const first = (await giftUrls(deployment, order, sequence)).at(-1) ?? "";
  const firstTail = first.slice(first.lastIndexOf("-") + 1);
  return [
    `${id}-${String(other)}-${tail}`,
    `${id}-${tail}`,
    `${id}-0-${tail}`,
    `${id}-0${number}-${tail}`,
    `${id}-${number}-${firstTail}`,
    `${String(neighbour)}-${number}-${tail}`,
    `${id}-${number}-${tail.slice(0, 4)}${strangersTail.slice(4, 12)}${tail.slice(12)}`,
    `${id}-${number}-${strangersTail.slice(0, 12)}${tail.slice(12)}`,
    `${id}-1000-${tail}`,
    token.slice(0, -1),
    `${token}0`,
  ];
}

test("a gift link's token of a renewed link is valid for its own generation, gift and nonce only", async () => {
  const sequences = fc.integer({ min: 1, max: MAX_RECIPIENTS });
  const generations = fc.uniqueArray(fc.integer({ min: 1, max: 999 }), {
    minLength: 2,
    maxLength: 2,
  });
  await fc.assert(
    fc.asyncProperty(
      orderIds,
      sequences,
      generations,
      async (orderId, sequence, [n = 1, other = 2]) => {
        const order = { id: orderId, ...(await newLink(deployment)) };
        const position = { sequence, generation: n };
        const token = await renewedToken(order, position);
        expect(token).toMatch(/^[1-9]\d*-[1-9]\d{0,2}-[0-9a-v]{36}$/);
        const key = { orderId, ...position, nonce: order.linkNonce };
        expect(await readToken(deployment, token)).toEqual(key);
        expect(await readToken(deployment, `${token.toUpperCase()}.`)).toEqual(key);
        for (const text of await forgeriesOf(order, position, other)) {
          expect([text, await readToken(deployment, text)]).toEqual([text, null]);
        }
        for (const where of elsewhere) expect(await readToken(where, token)).toBeNull();
      },
    ),
    { numRuns: runs(50) },
  );
});

test("a gift link's token is refused with a prefix or with a part missing", async () => {
  const [token = ""] = (await createTokens(42, 1)).tokens;
  expect(await readToken(deployment, token)).not.toBeNull();
  for (const other of [`x${token}`, `0${token}`, ` ${token}`, token.slice(1), token.slice(0, -1)]) {
    expect(await readToken(deployment, other)).toBeNull();
  }
});

const tail = (path: string) => path.slice("/redeem/".length);

/** Checks that the link opens nothing. The response is the same for all reasons. */
async function expectUnknown(answers: Answer[]): Promise<void> {
  const unknown = await startWorker().fetch("/redeem/unknown");
  expect(unknown.status).toBe(404);
  for (const { status, text } of answers) expect([status, text]).toEqual([404, unknown.text]);
}

/** Deletes the order, as in a restored database. It must be billed by invoice. */
const forgetOrder = (orderId: number) =>
  force(
    ["events", "invoice_entries"],
    [
      ...["events", "invoice_entries", "gifts"].map(
        (table) => `DELETE FROM ${table} WHERE order_id = ${String(orderId)}`,
      ),
      `DELETE FROM orders WHERE id = ${String(orderId)}`,
    ],
  );

test("after the database is restored an old link does not open a new order with the same id", async () => {
  const worker = startWorker();
  const lost = await createGift(worker, [simpleProduct()], {}, { billing: "invoice" });
  await forgetOrder(lost.orderId);
  const gift = await createGift(worker, [simpleProduct()]);
  expect(gift.orderId).toBe(lost.orderId);

  const get = await worker.fetch(lost.path);
  const post = await accept(worker, lost.path);
  await expectUnknown([get, post, await worker.fetch(`${lost.path}?gifts`)]);
  // The replica, and then the primary, because the replica might lag behind.
  expect([get.meter.roundTrips, post.meter.roundTrips]).toEqual([2, 2]);
  expect(await readRecipient(worker, gift)).toMatchObject({ redemption_status: null });
  expect((await worker.fetch(gift.path)).status).toBe(200);
  expect((await accept(worker, gift.path)).status).toBe(303);
});

test("after the database is restored a redemption that began before does not redeem a new order with the same id", async () => {
  const gift = await createGift(startWorker(), [simpleProduct()]);
  // Between read and write of the page the row becomes that of another order.
  const change = "UPDATE orders SET link_nonce = 'another0' WHERE id = ?";
  const DB = changingAfterRead(() => sql(change, gift.orderId).run());
  await expectUnknown([await accept(startWorker({ env: { DB } }), gift.path)]);
  expect(await readRecipient(startWorker(), gift)).toMatchObject({ redemption_status: null });
});

const OLD = env.GIFT_LINK_SECRET;
const NEW = "another secret of the tests, long enough to be a key";
const deployed = (current: string, previous?: string) =>
  startWorker({
    env: {
      GIFT_LINK_SECRET: current,
      ...(previous !== undefined && { GIFT_LINK_SECRET_PREVIOUS: previous }),
    } satisfies Partial<Bindings>,
  });

async function placeGift() {
  const { product, client } = await openShop();
  const body = orderOf(product, { recipient_details: recipients(2) });
  const placed = await deployed(OLD).post(client, "/api/gift-link", body);
  const query = `/api/order?order_ref_id=${body.order_ref_id}`;
  return { product, client, body, query, placed, path: pathOf(placed) };
}

const pathOf = ({ json }: Answer) => new URL(json.recipient_return[0].gift_url as string).pathname;

test("when GIFT_LINK_SECRET is rotated an order keeps its links and responses while its secret is the previous one", async () => {
  const { client, body, query, placed, path } = await placeGift();
  const read = await deployed(OLD).get(client, query);
  for (const worker of [deployed(NEW, OLD), deployed(OLD, NEW)]) {
    expect((await worker.fetch(path)).status).toBe(200);
    expect((await worker.post(client, "/api/gift-link", body)).text).toBe(placed.text);
    expect((await worker.get(client, query)).text).toBe(read.text);
  }
  expect((await accept(deployed(NEW, OLD), path)).status).toBe(303);
});

test("when GIFT_LINK_SECRET is rotated links of both secrets open gifts if the secrets have the same key id", async () => {
  const secrets = new Map<string, string>();
  const [first, second] = await (async () => {
    for (let n = 0; ; n++) {
      const secret = `secret number ${n}, long enough to be a key`;
      const { linkKeyId } = await newLink({ ...deployment, GIFT_LINK_SECRET: secret });
      const other = secrets.get(linkKeyId ?? "");
      if (other !== undefined) return [other, secret];
      secrets.set(linkKeyId ?? "", secret);
    }
  })();
  const { product, client } = await openShop();
  const paths = await Promise.all(
    [first, second].map(async (secret) =>
      pathOf(await deployed(secret).post(client, "/api/gift-link", orderOf(product))),
    ),
  );
  for (const path of paths) {
    expect((await deployed(second, first).fetch(path)).status).toBe(200);
  }
});

test("when GIFT_LINK_SECRET is rotated new orders get links of the new secret, which a deployment rolled back accepts too", async () => {
  const { product, client } = await placeGift();
  const path = pathOf(await deployed(NEW, OLD).post(client, "/api/gift-link", orderOf(product)));
  await expectUnknown([await deployed(OLD).fetch(path)]);
  for (const worker of [deployed(NEW), deployed(NEW, OLD), deployed(OLD, NEW)]) {
    expect((await worker.fetch(path)).status).toBe(200);
  }
});

test("when GIFT_LINK_SECRET is rotated an order without its secret loses its old links, and is shown with new ones", async () => {
  const { client, body, query, placed, path } = await placeGift();
  const worker = deployed(NEW);
  const opened = await worker.fetch(path);
  await expectUnknown([opened, await accept(worker, path)]);
  expect(opened.meter.roundTrips).toBe(0);

  const replay = await worker.post(client, "/api/gift-link", body);
  expect(replay.headers.get("Idempotent-Replayed")).toBe("true");
  expect(replay.json).toMatchObject({
    order_data: placed.json.order_data,
    order_totals: placed.json.order_totals,
  });
  const renewed = pathOf(replay);
  expect(renewed).not.toBe(path);
  const { json } = await worker.get(client, query);
  expect(json.recipients[0].recipient_details.gift_url).toContain(renewed);
  expect((await worker.fetch(renewed)).status).toBe(200);
  expect((await accept(worker, renewed)).status).toBe(303);
});

test("when GIFT_LINK_SECRET is rotated a forged token is refused without a query for each secret", async () => {
  const { product, client, path } = await placeGift();
  const worker = deployed(NEW, OLD);
  const placed = await worker.post(client, "/api/gift-link", orderOf(product));
  const [old, current] = [split(tail(path)), split(tail(pathOf(placed)))];
  const answers: Answer[] = [];
  for (const { id, key, nonce, mac } of [
    { ...old, key: current.key },
    { ...current, key: old.key },
    { ...old, nonce: current.nonce },
    { ...current, mac: old.mac },
  ]) {
    const forged = `/redeem/${id}-${key}${nonce}${mac}`;
    answers.push(await worker.fetch(forged), await accept(worker, forged));
  }
  await expectUnknown(answers);
  expect(answers.map(({ meter }) => meter.roundTrips)).toEqual(Array(8).fill(0));
});
