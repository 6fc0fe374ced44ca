// An order is placed once for each client and order_ref_id, without a time limit (DECISIONS.md: An order reference is
// used once).
import { env } from "cloudflare:workers";
import { describe, expect, test } from "vitest";
import { publish } from "../../../src/operator/catalogue/publish/publish.ts";
import type { Client } from "../../../src/features/clients/profile.ts";
import {
  GiftLinkRequest,
  OrderRequest,
  type Placement,
} from "../../../src/features/orders/contract.ts";
import { requestDigestOf } from "../../../src/features/orders/request-digest.ts";
import { validate } from "../../../src/core/validation/validate.ts";
import { PLACEMENTS } from "../../support/errors.ts";
import {
  ADDRESS,
  balanceOf,
  createClient,
  openShop,
  orderOf,
  ordersOf,
  recipients,
  simpleProduct,
  stockOf,
  type TestClient,
  type TestProduct,
} from "../../support/fixtures.ts";
import { transition, type Transition } from "../../support/transition.ts";
import { expectReplay, startWorker } from "../../support/worker.ts";
import { sql } from "../../support/sql.ts";

const worker = startWorker();

const republish = (client: TestClient, ...products: TestProduct[]) =>
  publish(env.DB, client.catalogue, products, Date.now());

describe.for(PLACEMENTS)("POST %s", (path) => {
  test("places one order for 8 simultaneous identical requests, with identical responses", async () => {
    const { product, client } = await openShop();
    const body = orderOf(product, { recipient_details: recipients(3) });
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => worker.post(client, path, body)),
    );
    expect(answers.map(({ status }) => status)).toEqual(Array(8).fill(200));
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
    expect(answers.filter(({ headers }) => !headers.has("Idempotent-Replayed"))).toHaveLength(1);
    expect(await ordersOf(client.clientId)).toBe(1);
    expect(await stockOf(product.product.id)).toBe(97);
  });

  test("places one order for references, ids and codes that differ in unseen characters or as text", async () => {
    const { product, client } = await openShop();
    const body = { ...orderOf(product), metadata: { campaign: "spring" } };
    const { order_ref_id } = body;
    const same = {
      ...body,
      order_ref_id: `\ufeff${order_ref_id.slice(0, 2)}\u200b${order_ref_id.slice(2)}\u00a0`,
      product_id: ` ${String(body.product_id)}\u200e`,
      variation_id: "",
      currency: `${body.currency}\u2060`,
      base_location: `\u00ad${body.base_location}`,
    };
    const first = await worker.post(client, path, same);
    expectReplay(await worker.post(client, path, body), first);
    const other = { ...same, recipient_details: recipients(2) };
    expect((await worker.post(client, path, other)).json.code).toBe("order_ref_conflict");
    for (const reference of [order_ref_id, same.order_ref_id]) {
      const query = `order_ref_id=${encodeURIComponent(reference)}&include=%E2%80%8Bmetadata`;
      const { json } = await worker.get(client, `/api/order?${query}`);
      expect(json.metadata).toEqual({ campaign: "spring" });
    }
  });

  test("places one order with optional fields that are left out, null or empty", async () => {
    const { product, client } = await openShop();
    const body = orderOf(product);
    const fields = ["phone_number", "delivery_notes", "redemption_message", "external_id"];
    const withNothing = (nothing: unknown) => {
      const emptied = Object.fromEntries(fields.map((field) => [field, nothing]));
      const recipient_details = recipients(1).map((recipient) => ({ ...recipient, ...emptied }));
      return { ...body, metadata: nothing, redeem_by: nothing, recipient_details };
    };
    const first = await worker.post(client, path, withNothing(undefined));
    for (const nothing of [null, "", " \u200b", []]) {
      expectReplay(await worker.post(client, path, withNothing(nothing)), first);
    }
  });

  test("has the present status of the order in a header", async () => {
    const product = simpleProduct();
    const shop = (billing: "credit" | "invoice") => createClient({ products: [product], billing });
    const [prepaid, invoiced] = [await shop("credit"), await shop("invoice")];
    /** The body and the status of the order that the request places or has placed. */
    const place = async (client: TestClient, body: object) => {
      const { status, text, headers } = await worker.post(client, path, body);
      expect(status, text).toBe(200);
      return [text, headers.get("Regalo-Order-Status")];
    };
    const change = async ([text]: (string | null)[], name: Transition) => {
      const { order_data } = JSON.parse(text ?? "") as { order_data: { order_id: number } };
      await transition(env.DB, order_data.order_id, name, Date.now());
    };
    const [first, second] = [orderOf(product), orderOf(product)];

    const paid = await place(prepaid, first);
    expect([paid[1], await place(prepaid, first)]).toEqual(["paid", paid]);
    await change(paid, "cancel");
    expect(await place(prepaid, first)).toEqual([paid[0], "cancieled"]);

    const created = await place(invoiced, first);
    expect([created[1], await place(invoiced, first)]).toEqual(["created", created]);
    await change(created, "pay");
    expect(await place(invoiced, first)).toEqual([created[0], "paid"]);
    const failing = await place(invoiced, second);
    await change(failing, "fail");
    expect(await place(invoiced, second)).toEqual([failing[0], "failed"]);

    const refused = await worker.post(invoiced, path, { ...first, currency: "USD" });
    expect([refused.status, refused.headers.get("Regalo-Order-Status")]).toEqual([409, null]);
  });

  test("replays after stock and credit ran out, the price changed and the product was unpublished", async () => {
    const item = simpleProduct({}, { quantity: 1 });
    const { product, client } = await openShop(item, { creditMinor: 3120 });
    const body = orderOf(product);
    const first = await worker.post(client, path, body);
    expect([first.status, first.headers.has("Idempotent-Replayed")]).toEqual([200, false]);
    expect(await balanceOf(client.clientId)).toBe(0);
    const expectReplays = async () => {
      for (const isolate of [worker, startWorker()]) {
        const replay = await isolate.post(client, path, body);
        expectReplay(replay, first);
        expect(replay.meter.rowsWritten).toBe(0);
        expect(replay.meter.roundTrips).toBeLessThanOrEqual(2);
      }
    };
    await expectReplays();
    await republish(client, { ...product, product: { ...product.product, priceMinor: 9900 } });
    await expectReplays();
    await republish(client);
    await expectReplays();
  });
});

describe.for(PLACEMENTS)("the body of POST %s", (path) => {
  test("is replayed with another order of fields, other spaces and unknown fields", async () => {
    const { product, client } = await openShop();
    const body = orderOf(product);
    const first = await worker.post(client, path, body);
    const reordered = Object.fromEntries(Object.entries({ ...body, unknown: 1 }).reverse());
    expectReplay(await worker.post(client, path, JSON.stringify(reordered, null, 4)), first);
  });

  test("is replayed with null for omitted fields, and the reverse", async () => {
    const { product, client } = await openShop(simpleProduct({ delivery: "digital" }));
    const person = { first_name: "Ada", last_name: "Park", email: "ada@example.com" };
    const nowhere = Object.fromEntries(Object.keys(ADDRESS).map((name) => [name, null]));
    const people = [{ ...person, delivery_address: {} }, person];
    const nullPeople = [
      { ...person, phone_number: null, redemption_message: null, delivery_address: nowhere },
      { ...person, delivery_address: null },
    ];
    const nulls = { variation_id: null, gift_of_choice: null, order_branding: null };
    for (const reverse of [false, true]) {
      const body = orderOf(product, { recipient_details: people });
      const bodies = [body, { ...body, ...nulls, recipient_details: nullPeople }];
      const [first, second] = reverse ? bodies.reverse() : bodies;
      const placed = await worker.post(client, path, first);
      expectReplay(await worker.post(client, path, second), placed);
    }
  });

  test("may have an address in the form that GET /api/order returns", async () => {
    const { product, client } = await openShop();
    const { address_line_2, state, ...address } = ADDRESS;
    expect([address_line_2, state]).not.toContain(undefined);
    const place = async (delivery_address: object) => {
      const people = recipients(1).map((person) => ({ ...person, delivery_address }));
      const body = orderOf(product, { recipient_details: people });
      expect((await worker.post(client, path, body)).status).toBe(200);
      const { json } = await worker.get(client, `/api/order?order_ref_id=${body.order_ref_id}`);
      return json.recipients[0].recipient_details.delivery_address as object;
    };
    const shown = await place(address);
    expect(shown).toEqual({ ...address, address_line_2: null, state: null });
    expect(await place(shown)).toEqual(shown);
  });

  test("does not use up its order_ref_id if it is refused", async () => {
    const { product, client } = await openShop(simpleProduct({}, { quantity: 1 }));
    const body = orderOf(product);
    for (const changes of [
      ...[{ recipient_details: recipients(2) }, { currency: "USD" }, { product_id: 999_999_999 }],
      { recipient_details: [] },
    ]) {
      const { status, meter } = await worker.post(client, path, { ...body, ...changes });
      expect(status).toBeGreaterThanOrEqual(400);
      expect(meter.rowsWritten).toBe(0);
    }
    const placed = await worker.post(client, path, body);
    expect([placed.status, placed.headers.has("Idempotent-Replayed")]).toEqual([200, false]);
  });
});

test("POST /api/gift-link replays an order whose last day has passed, and whose client has another default", async () => {
  let nowMs = Date.now();
  const { product, client } = await openShop(simpleProduct(), { redeemWithinDays: 30 });
  const start = () => startWorker({ now: () => nowMs });
  const worker = start();
  const bodies = [
    orderOf(product, { redeem_by: new Date(nowMs).toISOString().slice(0, 10) }),
    orderOf(product),
  ];
  for (const body of bodies) {
    const first = await worker.post(client, "/api/gift-link", body);
    expect(first.status, first.text).toBe(200);
    for (const years of [0, 1, 10]) {
      nowMs = Date.now() + years * 366 * 86_400_000;
      await sql(
        "UPDATE clients SET redeem_within_days = ? WHERE id = ?",
        years + 1,
        client.clientId,
      ).run();
      for (const isolate of [worker, start()]) {
        const replay = await isolate.post(client, "/api/gift-link", body);
        expectReplay(replay, first);
      }
    }
    nowMs = Date.now();
  }
  const [body = orderOf(product)] = bodies;
  for (const changes of [{ redeem_by: null }, { redeem_by: "2029-01-01" }]) {
    const { json } = await worker.post(client, "/api/gift-link", { ...body, ...changes });
    expect(json.code).toBe("order_ref_conflict");
  }
  const absent = { ...bodies[1], redeem_by: null };
  expect((await worker.post(client, "/api/gift-link", absent)).status).toBe(200);
});

test("POST /api/order replays the same response after the clock was set forward and back by a day", async () => {
  let nowMs = Date.now();
  const { product, client } = await openShop();
  const worker = startWorker({ now: () => nowMs });
  const order = orderOf(product);
  const first = await worker.post(client, "/api/order", order);
  for (const jump of [86_400_000, -172_800_000]) {
    nowMs += jump;
    expect((await worker.post(client, "/api/order", order)).text).toBe(first.text);
  }
});

const person = { first_name: "Ada", last_name: "Park", email: "ada@example.com" };
const body = {
  order_ref_id: "PO-1",
  product_id: 1001,
  currency: "AUD",
  base_location: "AU",
  recipient_details: [
    person,
    {
      first_name: "Noor",
      last_name: "Haddad",
      email: "noor@example.com",
      phone_number: "100000",
      delivery_address: { suburb: "Brunswick" },
      redemption_message: "Hi",
    },
  ],
};
const each = (changes: object) =>
  body.recipient_details.map((recipient) => ({ ...recipient, ...changes }));
const PLAIN = {
  "/api/order": "1e625dcbf5733d4a62a3d07321811e6450d39b323c4544e35a2ec3eb3335ec2b",
  "/api/gift-link": "85886ef31287c8fbebdd8f0faa20aa63c74f833041928f1b69ab74a616f6d105",
};

// The digest is stored with every order, so a different one would be a conflict with the order itself.
test.each<[keyof typeof PLAIN, object, string?]>([
  ["/api/order", {}],
  ["/api/gift-link", {}],
  [
    "/api/gift-link",
    { gift_of_choice: "Y", variation_id: 7 },
    "94260e7e3baa0d1c8ab79c6681cd3978e01e8b01e467f3b749031cff7cff0a76",
  ],
  ["/api/gift-link", { redeem_by: null }],
  ["/api/order", { metadata: null, recipient_details: each({ external_id: null, metadata: {} }) }],
  [
    "/api/order",
    { metadata: { b: "2", a: "1" } },
    "5872b95c2a31cf60db2f96026c40b6f84c411c6e65615a4fd99a8c33373025ab",
  ],
  [
    "/api/gift-link",
    { sender_name: null, campaign: null, recipient_details: each({ language: null }) },
  ],
  [
    "/api/gift-link",
    { sender_name: "Ines Okafor", recipient_details: [{ ...person, language: "pt-br" }] },
    "46c5a8fb78a989a48c7ec11c432964e5d4ecfc02e47970f0446d511019ba6a7c",
  ],
])("the digest of a request never changes: %s, %j", async (path, changes, digest = PLAIN[path]) => {
  const request = { ...body, ...changes };
  const link = { linkNonce: null, linkKeyId: null };
  const caller = { client: {} as Client, credentialId: 0, ownId: null, link };
  const placement: Placement =
    path === "/api/order"
      ? { method: "api-purchase", ...caller, request: validate(OrderRequest(), request) }
      : {
          method: "api-giftlink",
          ...caller,
          request: validate(GiftLinkRequest(), request),
          sendsEmails: false,
        };
  expect(await requestDigestOf(placement)).toBe(digest);
});
