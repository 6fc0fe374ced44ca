// POST /api/order/correct: what it changes, what it leaves unchanged, and the requests that are refused.
import { env } from "cloudflare:workers";
import { describe, expect, test } from "vitest";
import { writeErasure } from "../../src/features/privacy/queries.ts";
import { DAY_MS } from "../../src/core/values/time.ts";
import { errorOf } from "../support/errors.ts";
import { failingBatches, LOST } from "../support/faults.ts";
import {
  ADDRESS,
  type ClientOptions,
  createClient,
  openShop,
  orderOf,
  recipients,
  simpleProduct,
  type TestClient,
} from "../support/fixtures.ts";
import { accept, changeParcels, createGift, decline } from "../support/gift.ts";
import { listOrders } from "../support/listed-orders.ts";
import type { CorrectionResponse } from "../../src/features/lifecycle/contract.ts";
import { Placement } from "../support/shapes.ts";
import { databaseState } from "../support/state.ts";
import { transition } from "../support/transition.ts";
import { expectReplay, startWorker } from "../support/worker.ts";
import { MAILING, placeGifts, plannedKinds, runOutbox } from "../support/emails.ts";
import { eventsOf } from "../support/events.ts";
import { sql } from "../support/sql.ts";

const worker = startWorker();
const PATH = "/api/order/correct";

const MOVED = {
  address_line_1: "9 Elm Row",
  suburb: "Fitzroy",
  postcode_zipcode: "3065",
  country: "Australia",
};

/** The address as responses show it. */
const shown = (address: object) => ({
  address_line_1: null,
  address_line_2: null,
  suburb: null,
  state: null,
  postcode_zipcode: null,
  country: null,
  ...address,
});

interface Bought {
  client: TestClient;
  orderId: number;
  id: number;
}

/** An order that was bought outright, with two recipients. */
async function buy(product = simpleProduct(), options: ClientOptions = {}): Promise<Bought> {
  const client = await createClient({ products: [product], ...options });
  const body = orderOf(product, { recipient_details: recipients(2) });
  const { json } = await worker.post(client, "/api/order", body);
  const orderId = Placement.parse(json).order_data.order_id;
  return { client, orderId, id: orderId * 1000 + 1 };
}

/** A gift-link order with one recipient. */
async function give(product = simpleProduct(), changes: Record<string, unknown> = {}) {
  const gift = await createGift(worker, [product], changes);
  return { ...gift, id: gift.orderId * 1000 + 1 };
}

const correct = (gift: Pick<Bought, "client" | "id">, changes: object, through = worker) =>
  through.post(gift.client, PATH, { suborder_id: gift.id, ...changes });

/** Corrects the gift, and returns the recipient of the response. */
async function corrected(gift: Pick<Bought, "client" | "id">, changes: object) {
  const answer = await correct(gift, changes);
  expect(answer.status, answer.text).toBe(200);
  return (answer.json as CorrectionResponse).recipient;
}

async function readRecipient({ client, orderId }: Pick<Bought, "client" | "orderId">) {
  const query = `order_id=${String(orderId)}&include=delivery_email`;
  const { json } = await worker.get(client, `/api/order?${query}`);
  return json.recipients[0].recipient_details as Record<string, unknown>;
}

const correctionsOf = async ({ client }: Pick<Bought, "client">) =>
  (await eventsOf(client)).filter(({ type }) => type === "gift.corrected");

const ship = ({ orderId }: Pick<Bought, "orderId">) =>
  changeParcels("ship", [{ orderId, sequence: 1 }]);

test("POST /api/order/correct changes the fields that are given, and reports their names", async () => {
  const gift = await buy();
  const answer = await correct(gift, {
    first_name: "Ada",
    email: "ada@example.com",
    phone_number: null,
  });
  expect(answer.meter).toMatchObject({ roundTrips: 2, rowsWritten: 8 });
  const number = `GO-${String(gift.orderId).padStart(5, "0")}`;
  expect(answer.json).toMatchObject({
    order_data: { order_id: gift.orderId, order_number: number },
    recipient: {
      suborder_id: gift.id,
      suborder_number: `${number}-1`,
      recipient_details: {
        name: "Ada Last0",
        email: "ada@example.com",
        phone_number: "+61 2 5550 0100",
        delivery_address: shown(ADDRESS),
        delivery_email: null,
        delivery_notes: null,
      },
    },
  });
  const address = await corrected(gift, { delivery_address: MOVED, phone_number: "" });
  expect(address.recipient_details).toMatchObject({
    name: "Ada Last0",
    phone_number: "NA",
    delivery_address: shown(MOVED),
  });
  expect(await readRecipient(gift)).toEqual(address.recipient_details);
  const [first, second] = await correctionsOf(gift);
  expect([first, second]).toMatchObject([
    { suborder_id: gift.id, data: { corrected_fields: ["first_name", "email"] } },
    { suborder_id: gift.id, data: { corrected_fields: ["phone_number", "delivery_address"] } },
  ]);
  const { orders } = await listOrders(worker, gift.client, {});
  expect(orders[0]?.updated_at).toBe(second?.created_at);
});

test("POST /api/order/correct replaces what a recipient has entered, until the gift is shipped", async () => {
  const gift = await give();
  await accept(worker, gift.path, { delivery_notes: "Gate code 12" });
  const { recipient_details } = await corrected(gift, {
    delivery_address: MOVED,
    delivery_notes: "",
  });
  expect(recipient_details).toMatchObject({
    delivery_address: shown(MOVED),
    delivery_notes: "",
  });
  expect((await worker.fetch(gift.path)).text).toContain("Fitzroy");
  expect(await ship(gift)).toMatchObject([{ result: "shipped" }]);
  const refused = errorOf(await correct(gift, { delivery_address: ADDRESS }));
  expect(refused).toMatchObject({ http: 409, code: "not_correctable" });
  // The answer to the first correction may have been lost.
  const repeated = await correct(gift, { delivery_address: MOVED, delivery_notes: "" });
  expect([repeated.status, repeated.meter.rowsWritten]).toEqual([200, 0]);
});

test("POST /api/order/correct corrects the e-mail address to which a redeemed digital gift is sent", async () => {
  const digital = await give(simpleProduct({ delivery: "digital" }));
  const early = errorOf(await correct(digital, { delivery_email: "ada@example.com" }));
  expect(early.errors).toMatchObject([{ field: "delivery_email" }]);
  await accept(worker, digital.path, { delivery_email: "typo@example.com" });
  const { recipient_details } = await corrected(digital, { delivery_email: "ada@example.com" });
  expect(recipient_details.delivery_email).toBe("ada@example.com");
  expect(await readRecipient(digital)).toMatchObject({ delivery_email: "ada@example.com" });

  const physical = await give();
  await accept(worker, physical.path);
  const refused = errorOf(await correct(physical, { delivery_email: "ada@example.com" }));
  expect(refused.errors).toMatchObject([{ field: "delivery_email" }]);
});

test("POST /api/order/correct answers a repeated request alike, without a second event", async () => {
  const gift = await buy();
  const changes = { last_name: "Park", delivery_address: MOVED };
  const first = await correct(gift, changes);
  const before = await databaseState();
  const again = await correct(gift, changes);
  expect(again.text).toBe(first.text);
  expect(again.meter).toMatchObject({ roundTrips: 1, rowsWritten: 0 });
  expect(await databaseState()).toEqual(before);
  expect(await correctionsOf(gift)).toHaveLength(1);
});

test.each(["before the commit", "after the commit"] as const)(
  "POST /api/order/correct corrects once if the database loses the answer %s",
  async (when) => {
    const gift = await buy();
    const lossy = startWorker({ env: { DB: failingBatches(new Error(LOST), when, 1) } });
    const answer = await correct(gift, { email: "ada@example.com" }, lossy);
    expect(answer.status).toBe(200);
    expect(await readRecipient(gift)).toMatchObject({ email: "ada@example.com" });
    expect(await correctionsOf(gift)).toHaveLength(1);
  },
);

test("POST /api/order/correct makes one event of the same correction twice at the same time", async () => {
  const gift = await buy();
  const same = { delivery_address: MOVED };
  const answers = await Promise.all([correct(gift, same), correct(gift, same)]);
  expect(answers.map(({ text }) => text)).toEqual([answers[0].text, answers[0].text]);
  expect(await correctionsOf(gift)).toHaveLength(1);
  const [name, phone] = [{ first_name: "Ada" }, { phone_number: "100000" }];
  await Promise.all([correct(gift, name), correct(gift, phone)]);
  expect(await readRecipient(gift)).toMatchObject({ name: "Ada Last0", phone_number: "100000" });
  expect(await correctionsOf(gift)).toHaveLength(3);
});

test("POST /api/order/correct replaces a link that was sent to the earlier address, once", async () => {
  const { product, client } = await openShop();
  const { orderId } = await placeGifts(startWorker({ env: MAILING }), { client, product }, 2);
  await runOutbox();
  const [first, second] = [1, 2].map((sequence) => ({ client, id: orderId * 1000 + sequence }));
  if (!first || !second) throw new Error("there are two gifts");
  const lossy = startWorker({
    env: { DB: failingBatches(new Error(LOST), "after the commit", 1) },
  });
  const moved = { email: "ada@example.com" };
  for (const through of [lossy, worker]) await correct(first, moved, through);
  await Promise.all([correct(first, moved), correct(first, moved)]);
  await corrected(first, { first_name: "Ada" });
  await corrected(second, { ...moved, keep_link: true });
  const types = (await eventsOf(client)).map(({ type, sequence }) => [sequence, type]);
  expect(types.slice(1)).toEqual([
    [2, "gift.email_sent"],
    [3, "gift.email_sent"],
    ...[4, 6, 7]
      .map((sequence) => [sequence, "gift.corrected"])
      .toSpliced(1, 0, [5, "gift.renewed"]),
  ]);
  const links = sql("SELECT link_generation AS link FROM gifts WHERE order_id = ?", orderId);
  expect((await links.all()).results).toEqual([{ link: 1 }, { link: 0 }]);
  expect(await plannedKinds(orderId)).toEqual(["invitation", "reminder"]);
});

test("POST /api/order/correct at the same time as a shipment: the gift is shipped to the address that was answered", async () => {
  for (let run = 0; run < 2; run++) {
    const gift = await buy();
    const [answer] = await Promise.all([correct(gift, { delivery_address: MOVED }), ship(gift)]);
    expect([200, 409]).toContain(answer.status);
    const address = shown(answer.status === 200 ? MOVED : ADDRESS);
    expect(await readRecipient(gift)).toMatchObject({ delivery_address: address });
  }
});

test("POST /api/order/correct leaves the response to the repeated placement unchanged, also after a renewal", async () => {
  for (const path of ["/api/order", "/api/gift-link"]) {
    const { product, client } = await openShop();
    const body = orderOf(product, { recipient_details: recipients(2) });
    const placed = await worker.post(client, path, body);
    const id = placed.json.order_data.order_id * 1000 + 1;
    await corrected({ client, id }, { last_name: "Park", email: "ada@example.com" });
    if (path === "/api/gift-link") {
      const renewal = { suborder_id: id, first_name: "Ada", email: "park@example.com" };
      for (const changes of [renewal, { suborder_id: id + 1, email: "park@example.com" }]) {
        expect((await worker.post(client, "/api/gift-link/renew", changes)).status).toBe(200);
      }
      await corrected({ client, id }, { first_name: "Adam" });
    }
    const replay = await worker.post(client, path, body);
    expectReplay(replay, placed);
  }
});

test("the cost of a correction does not depend on the number of gifts and orders", async () => {
  const product = simpleProduct({ delivery: "digital", locations: ["AU", "NZ", "US"] });
  const gift = await give(product, { recipient_details: recipients(100) });
  for (let n = 0; n < 5; n++) await worker.post(gift.client, "/api/order", orderOf(product));
  await accept(worker, gift.path);
  const { status, meter } = await correct(gift, {
    first_name: "Ada",
    last_name: "Park",
    email: "ada@example.com",
    phone_number: "100000",
    delivery_address: { ...MOVED, address_line_2: "", state: "" },
    delivery_notes: "Gate",
    delivery_email: "park@example.com",
  });
  expect(status).toBe(200);
  expect(meter).toMatchObject({ roundTrips: 2, rowsWritten: 14 });
  expect(meter.rowsRead).toBeLessThanOrEqual(140);
});

describe("a correction is refused", () => {
  test("without a field to correct, with an unknown field or with an invalid value", async () => {
    const gift = await buy();
    const fieldsOf = async (changes: object) => {
      const { code, errors } = errorOf(await correct(gift, changes));
      expect(code).toBe("validation_error");
      return errors?.map(({ field }) => field);
    };
    expect(await fieldsOf({})).toEqual(["first_name"]);
    expect(await fieldsOf({ email: null })).toEqual(["first_name"]);
    expect(await fieldsOf({ adress: MOVED, email: "a@example.com" })).toEqual(["adress"]);
    expect(await fieldsOf({ first_name: "?", email: "nobody" })).toEqual(["first_name", "email"]);
    expect(await fieldsOf({ first_name: "", last_name: " " })).toEqual(["first_name"]);
    expect(await fieldsOf({ suborder_id: "x", email: "a@example.com" })).toEqual(["suborder_id"]);
  });

  test("for a gift that does not exist or belongs to another client", async () => {
    const gift = await buy();
    const other = await createClient();
    const unknown = errorOf(await correct({ client: other, id: 999_999_001 }, { email: "a@b.co" }));
    const foreign = errorOf(await correct({ client: other, id: gift.id }, { email: "a@b.co" }));
    expect(foreign).toEqual(unknown);
    expect(foreign).toMatchObject({ http: 404, code: "not_found" });
  });

  test.each<[string, (gift: Awaited<ReturnType<typeof give>>) => Promise<unknown>]>([
    ["cancelled", (gift) => cancel(gift)],
    ["declined", (gift) => decline(worker, gift.path)],
    ["failed", ({ orderId }) => transition(env.DB, orderId, "fail", 1)],
    [
      "erased",
      async (gift) => {
        await accept(worker, gift.path);
        await erase(gift);
      },
    ],
  ])("for a gift that is %s", async (state, end) => {
    const options = state === "failed" ? { billing: "invoice" as const } : {};
    const made = await createGift(worker, [simpleProduct()], {}, options);
    const gift = { ...made, id: made.orderId * 1000 + 1 };
    await end(gift);
    const before = await databaseState();
    const refused = errorOf(await correct(gift, { first_name: "Ada" }));
    expect(refused).toMatchObject({ http: 409, code: "not_correctable" });
    expect(await databaseState()).toEqual(before);
  });

  test.each<[string, (gift: Bought) => Promise<unknown>]>([
    ["shipped", ship],
    ["shipped and erased", erase],
    ["shipped and erased, and its order cancelled", (gift) => erase(gift).then(() => cancel(gift))],
    ["cancelled and erased", (gift) => cancel(gift).then(() => erase(gift))],
  ])("for a gift of a direct order that is %s", async (_, end) => {
    const gift = await buy();
    await end(gift);
    const before = await databaseState();
    for (const changes of [{ first_name: "Ada" }, { delivery_address: MOVED }, { email: "not" }]) {
      const { http } = errorOf(await correct(gift, changes));
      expect(http).toBe("email" in changes ? 400 : 409);
    }
    expect(await databaseState()).toEqual(before);
  });

  test("for a gift whose last day has passed, also before the cron handler expires it", async () => {
    const redeem_by = new Date().toISOString().slice(0, 10);
    const gift = await give(simpleProduct(), { redeem_by });
    const later = startWorker({ now: () => Date.now() + 3 * DAY_MS });
    const refused = errorOf(await correct(gift, { first_name: "Ada" }, later));
    expect(refused).toMatchObject({ http: 409, code: "not_correctable" });
  });
});

const erase = async (gift: Pick<Bought, "orderId" | "id">) => {
  await ship(gift);
  await writeErasure(env.DB, [gift.id], Date.now());
};

const cancel = ({ client, orderId }: Pick<Bought, "client" | "orderId">) =>
  worker.post(client, "/api/order/cancel", { order_id: orderId });
