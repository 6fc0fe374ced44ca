// Sets that are restricted to their own orders.
import { describe, expect, test } from "vitest";
import type { OrderListResponse } from "../../../src/features/orders/contract.ts";
import { dayIn } from "../../../src/core/values/redeem-by.ts";
import { DOCUMENT } from "../../support/document.ts";
import { MAILING } from "../../support/emails.ts";
import { errorOf } from "../../support/errors.ts";
import { openShop, orderOf, simpleProduct, type TestClient } from "../../support/fixtures.ts";
import { databaseState } from "../../support/state.ts";
import { type Credentials, startWorker } from "../../support/worker.ts";

const worker = startWorker({ env: MAILING });

async function newSet(client: TestClient, name: string, own = true) {
  const body = { scope: "order", own, name };
  const { json } = await worker.post(client, "/api/credential", body);
  const { api_key: apiKey, api_password: apiPassword, credential_id: id } = json;
  return { clientId: client.clientId, apiKey, apiPassword, id } as Credentials & { id: number };
}

/** A gift of a set, with values by which it could be recognised. */
async function newGift() {
  const { client, product } = await openShop(simpleProduct());
  const placer = await newSet(client, "placer");
  const stranger = await newSet(client, "stranger");
  const person = { first_name: "Ada", last_name: "Park", email: "ada.park@example.com" };
  const body = orderOf(product, {
    campaign: "Spring",
    recipient_details: [{ ...person, external_id: "employee-1" }],
  });
  const { json, text } = await worker.post(placer, "/api/gift-link", body);
  expect(json.status, text).toBe("success");
  const order_id = json.order_data.order_id as number;
  const suborder_id = order_id * 1000 + 1;
  const { gift_url } = json.recipient_return[0] as { gift_url: string };
  const traces = [
    ...[
      `"order_id":${String(order_id)},`,
      `"order_id":"${String(order_id)}"`,
      `:${String(suborder_id)},`,
    ],
    ...[person.email, "employee-1", gift_url, '"name":"placer"', '"Spring"'],
  ];
  return { client, product, placer, stranger, body, order_id, suborder_id, gift_url, traces };
}
const TOMORROW = dayIn(1, Date.now());
/** Of the last days, by campaign and in each format. */
const REPORTS = ["json", "csv"].map(
  (format) => `from=${dayIn(-2, Date.now())}&to=${TOMORROW}&group_by=campaign&format=${format}`,
);

type Gift = Awaited<ReturnType<typeof newGift>>;

/** The requests of each operation that could show or change the gift: a query or a body. */
const REQUESTS: Record<string, (gift: Gift) => (string | object)[]> = {
  getOrder: ({ order_id, body }) => [
    `order_id=${String(order_id)}`,
    `order_ref_id=${body.order_ref_id}`,
    `order_id=${String(order_id)}&include=metadata,details,emails,codes`,
  ],
  listOrders: ({ placer }) => [
    ...["", "expand=recipients", "order_status=paid", "redemption_status=unredeemed"],
    ...["campaign=Spring", "campaign=Spring&redemption_status=unredeemed"],
    ...[`credential_id=${String(placer.id)}`, "order_ref_id_prefix=a"],
  ],
  listRecipients: () => ["email=ada.park@example.com", "external_id=employee-1"],
  listShipments: ({ order_id }) => [`order_id=${String(order_id)}`, "updated_from=2020-01-01"],
  listEvents: () => ["", "after=latest"],
  correctRecipient: ({ suborder_id }) => [{ suborder_id, first_name: "Eve" }],
  renewGiftLink: ({ suborder_id, gift_url }) => [{ suborder_id, gift_url }, { suborder_id }],
  sendGiftLink: ({ suborder_id }) => [{ suborder_id }],
  cancelOrder: ({ order_id, suborder_id, body }) => [
    { order_id, suborder_ids: [suborder_id] },
    { order_ref_id: body.order_ref_id },
    { order_id },
  ],
  placeOrder: ({ product }) => [orderOf(product)],
  placeGiftLinks: ({ body }) => [body],
  quoteOrder: ({ body: { product_id, currency, base_location } }) => [
    { product_id, currency, base_location, qty: 1 },
  ],
  listProducts: () => [""],
  listFacets: () => [""],
  listCollections: () => [""],
  getProduct: ({ product }) => [`product_id=${String(product.product.id)}`],
  getCreditBalance: () => [""],
  listCreditBalances: () => [""],
  listCredentials: () => [""],
  getReport: () => ["from=2020-01-01&to=2020-12-31", ...REPORTS],
};

const OPERATIONS = Object.entries(DOCUMENT.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => {
    const { operationId, ...other } = operation as unknown as {
      operationId: string;
      "x-for-own"?: true;
    };
    return { operationId, method, path, isForOwn: other["x-for-own"] ?? false };
  }),
);

const UNKNOWN = new Set(["getOrder", "correctRecipient", "renewGiftLink", "sendGiftLink"]);

describe("for a set that is restricted to its own orders, an order of another set is as one of another client", () => {
  test.each(OPERATIONS)("$operationId", async ({ operationId, method, path, isForOwn }) => {
    const gift = await newGift();
    const send = (by: Credentials, request: string | object) =>
      typeof request === "string"
        ? worker.get(by, `${path}?${request}`)
        : worker.post(by, path, request);
    if (!isForOwn) {
      const refused = await send(gift.stranger, method === "get" ? "" : {});
      expect(errorOf(refused)).toMatchObject({ http: 403, code: "insufficient_scope" });
      return;
    }
    const requests = REQUESTS[operationId]?.(gift) ?? [];
    expect(requests, "add the operation to REQUESTS").not.toEqual([]);
    const state = await databaseState();
    for (const request of requests) {
      const { status, text } = await send(gift.stranger, request);
      for (const trace of gift.traces) expect(text).not.toContain(trace);
      const isUnknown = UNKNOWN.has(operationId) || operationId === "cancelOrder";
      const ofOrder =
        operationId === "listShipments" &&
        typeof request === "string" &&
        request.startsWith("order_id");
      const expected = isUnknown || ofOrder ? 404 : operationId === "placeGiftLinks" ? 409 : 200;
      expect([request, status]).toEqual([request, expected]);
    }
    if (operationId === "placeOrder") return;
    expect(await databaseState()).toEqual(state);
    for (const request of requests) {
      const { status, text } = await send(gift.placer, request);
      expect([request, status], text).toEqual([request, 200]);
    }
  });
});

test("an order stores the set that placed it, and a gift and the events those that changed them", async () => {
  const { client, placer, body, order_id, suborder_id } = await newGift();
  const team = await newSet(client, "team", false);
  const stateOf = async () => {
    const path = `/api/order?order_id=${String(order_id)}&include=details`;
    const { json } = await worker.get(client, path);
    const [recipient] = json.recipients as { credential_id: number | null }[];
    return [json.campaign, json.credential_id, recipient?.credential_id];
  };
  expect(await stateOf()).toEqual(["Spring", placer.id, null]);
  for (const [by, path, request] of [
    [team, "/api/order/correct", { suborder_id, first_name: "Eve" }],
    [placer, "/api/gift-link/send", { suborder_id }],
    [team, "/api/gift-link/renew", { suborder_id }],
    [placer, "/api/order/cancel", { order_id }],
  ] as const) {
    expect((await worker.post(by, path, request)).status).toBe(200);
    expect(await stateOf()).toEqual(["Spring", placer.id, by.id]);
  }
  const { events } = (await worker.get(client, "/api/events")).json as {
    events: { type: string; data: { credential_id?: number; campaign?: string } }[];
  };
  const shown = events.map(({ type, data }) => [type, data.credential_id, data.campaign]);
  expect(shown.filter(([type]) => !String(type).startsWith("credential"))).toEqual([
    ["order.paid", placer.id, "Spring"],
    ["gift.corrected", team.id, "Spring"],
    ["gift.renewed", team.id, "Spring"],
    ["order.cancelled", placer.id, "Spring"],
  ]);
  const idsOf = async (filter: string) => {
    const { json } = await worker.get(client, `/api/orders?${filter}`);
    return (json as OrderListResponse).orders.map((order) => order.order_id);
  };
  expect(await idsOf("campaign=Spring")).toEqual([order_id]);
  expect(await idsOf(`credential_id=${String(placer.id)}`)).toEqual([order_id]);
  for (const filter of ["campaign=spring", `credential_id=${String(team.id)}`]) {
    expect(await idsOf(filter)).toEqual([]);
  }
  expect((await worker.post(client, "/api/gift-link", body)).status).toBe(200);
});

test("the feed of events passes the events of other sets in pages", async () => {
  const { client, product, placer, stranger } = await newGift();
  await worker.post(client, "/api/order", orderOf(product));
  await worker.post(stranger, "/api/order", orderOf(product));
  const feed = async (by: Credentials) => {
    const { json } = await worker.get(by, "/api/events?limit=1");
    return json as { events: { sequence: number }[]; next_after: number; has_more: boolean };
  };
  const [first, last] = [await feed(placer), await feed(stranger)];
  expect([first.events.length, first.has_more]).toEqual([1, true]);
  expect(last).toMatchObject({ events: [{ sequence: 5 }], next_after: 5, has_more: false });
});

test("an isolate that has the set only from a replica restricts it too, and places its orders", async () => {
  const { product, placer, stranger, body, traces } = await newGift();
  const post = (by: Credentials, request: object) =>
    startWorker().post(by, "/api/gift-link", request);
  const refused = await post(stranger, body);
  expect(errorOf(refused)).toMatchObject({ http: 409, code: "order_ref_conflict" });
  for (const trace of traces) expect(refused.text).not.toContain(trace);
  expect((await post(placer, body)).headers.get("Idempotent-Replayed")).toBe("true");
  expect((await post(stranger, orderOf(product))).status).toBe(200);
});
