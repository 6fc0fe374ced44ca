// The events of products: publications, stock, interrupted and concurrent cron handlers, and webhooks.
import fc from "fast-check";
import { env } from "cloudflare:workers";
import { describe, expect, test } from "vitest";
import { updateAvailability } from "../../../src/features/catalogue/availability-queries.ts";
import { insertProductEvents } from "../../../src/features/catalogue/product-events.ts";
import { addClient } from "../../../src/operator/client/queries.ts";
import { planPublication } from "../../../src/operator/catalogue/publish/plan.ts";
import { publish, publishPlan } from "../../../src/operator/catalogue/publish/publish.ts";
import { meteredD1, newMeter, overriding } from "../../support/counting.ts";
import { createReceivingWebhook, lossyQueue, runDelivery } from "../../support/delivery.ts";
import { collect, PICKS, uncollect } from "../../support/collections.ts";
import { eventsOf } from "../../support/events.ts";
import {
  createClient,
  createCredentials,
  orderOf,
  recipients,
  simpleProduct,
  type TestClient,
  type TestProduct,
  unique,
  variableProduct,
  openShop,
} from "../../support/fixtures.ts";
import { killed } from "../../operator/catalogue/publish/publishing.ts";
import { runs } from "../../support/runs.ts";
import { sql } from "../../support/sql.ts";
import { startWorker } from "../../support/worker.ts";

const worker = startWorker({ env: { WEBHOOK_QUEUE: lossyQueue } });

/** What the cron handler does for products. */
async function cron(d1: D1Database = env.DB) {
  await updateAvailability(d1, Date.now());
  await insertProductEvents(d1);
}

test("each client of the catalogue has an event of a changed and of a removed collection", async () => {
  const client = await createClient();
  const other = await createClient();
  await worker.get(client, "/api/events");
  await collect(client, []);
  await collect(client, [], { name: "Other" });
  expect([await uncollect(client), await uncollect(client)]).toEqual([true, false]);
  await cron();
  await cron();
  expect((await eventsOf(client)).map(({ type, data }) => [type, data])).toEqual([
    ["collection.changed", { collection: PICKS }],
    ["collection.changed", { collection: PICKS }],
    ["collection.removed", { collection: PICKS }],
  ]);
  expect(await eventsOf(other)).toEqual([]);
});

/** Publishes later than all clients of the test were added. */
const republish = (client: TestClient, products: TestProduct[]) =>
  publish(env.DB, client.catalogue, products, Date.now() + 1_000);

const named = ({ product, stock }: TestProduct, name: string): TestProduct => ({
  product: { ...product, name },
  stock,
});

/** The client's events of products, such as `changed 1001` or `sold_out 1001/7`. The shape of each event is checked. */
const productEvents = async (client: TestClient) =>
  (await eventsOf(client)).flatMap(({ type, data }) => {
    const { product_id: id, variation_id: variation } = data as Record<string, number | null>;
    if (!type.startsWith("product.")) return [];
    return [`${type.slice(8)} ${String(id)}${variation == null ? "" : `/${String(variation)}`}`];
  });

/** A product with two variations of one piece each, and how events name it and them. */
function twoVariations() {
  const product = variableProduct({}, 1);
  const id = String(product.product.id);
  const [small = 0, large = 0] = product.product.variations.map((variation) => variation.id);
  const names = { all: id, small: `${id}/${String(small)}`, large: `${id}/${String(large)}` };
  return { product, small, large, names };
}

/** Another client of the catalogue. */
async function addTo(client: TestClient): Promise<TestClient> {
  const id = `client-${String(unique())}`;
  await addClient(env.DB, {
    id,
    name: id,
    billing: "credit",
    feeBasisPoints: 0,
    defaultCurrency: "AUD",
    catalogueId: client.catalogueId,
    createdAtMs: Date.now(),
  });
  return { ...client, ...(await createCredentials(id)) };
}

/** Inserts changes of products, such as `["changed", 1001]`, for the cron handler. */
const insertChanges = ({ catalogueId }: TestClient, changes: (string | number)[][]) =>
  sql(
    "INSERT INTO product_changes (catalogue_id, changes, created_at_ms) VALUES (?, ?, ?)",
    ...[catalogueId, JSON.stringify(changes), Date.now() + 1_000],
  );

describe("a publication", () => {
  test("is one event for each product that it adds, changes or removes, for each client of the catalogue", async () => {
    const [same, changed, removed, added] = [1, 2, 3, 4].map(() => simpleProduct());
    if (!same || !changed || !removed || !added) throw new Error("four products");
    const client = await createClient({ products: [same, changed, removed] });
    const colleague = await addTo(client);
    const stranger = await createClient({ products: [simpleProduct()] });
    await sql("UPDATE clients SET status = 'suspended' WHERE id = ?", colleague.clientId).run();
    const restocked = { ...same, stock: [{ variationId: 0, quantity: 7, sellable: true }] };
    await republish(client, [restocked, named(changed, "first"), added]);
    await republish(client, [same, named(changed, "second"), added]);
    await republish(client, [same, named(changed, "second"), added]);
    await cron();
    await cron();
    const ids = [changed, added, removed].map(({ product }) => String(product.id));
    const expected = [
      `changed ${ids[0]}`,
      `added ${ids[1]}`,
      `removed ${ids[2]}`,
      `changed ${ids[0]}`,
    ];
    expect(await productEvents(client)).toEqual(expected);
    await sql("UPDATE clients SET status = 'active' WHERE id = ?", colleague.clientId).run();
    expect(await productEvents(colleague)).toEqual(expected);
    expect(await eventsOf(stranger)).toEqual([]);
    const later = await createClient({ products: [named(changed, "other")] });
    expect(await eventsOf(later)).toEqual([]);
    expect(await sql("SELECT count(*) AS n FROM product_changes").first("n")).toBe(0);
  });

  test("is an event for a client that is added before its version is current", async () => {
    const [before, after] = [simpleProduct(), simpleProduct()];
    const client = await createClient({ products: [before] });
    const nowMs = Date.now() - 1_000;
    const plan = await planPublication(env.DB, client.catalogue, [after]);
    const added = await addTo(client);
    await publishPlan(env.DB, plan, nowMs);
    await cron();
    const ids = [after, before].map(({ product }) => String(product.id));
    const expected = [`added ${String(ids[0])}`, `removed ${String(ids[1])}`];
    expect(await productEvents(added)).toEqual(expected);
  });

  test("that fails before its version is current is no event", async () => {
    const { product, client } = await openShop();
    const d1 = overriding(env.DB, {
      batch: (statements: D1PreparedStatement[]) =>
        statements.length === 10 ? killed() : env.DB.batch(statements),
    });
    await expect(
      publish(d1, client.catalogue, [named(product, "lost")], Date.now() + 1_000),
    ).rejects.toThrow("killed");
    await cron();
    expect(await eventsOf(client)).toEqual([]);
  });

  test("of many changes takes a cron handler at most 45 transactions, of which none inserts more than 500 events", async () => {
    const client = await createClient({ products: [simpleProduct()] });
    const colleague = await addTo(client);
    const changes = Array.from({ length: 500 }, (_, index) => ["changed", index + 1]);
    await env.DB.batch([
      insertChanges(client, changes),
      ...changes.slice(0, 45).map((change) => insertChanges(client, [change])),
    ]);
    const written: number[] = [];
    const meter = newMeter();
    const d1 = overriding(env.DB, {
      batch: async (statements: D1PreparedStatement[]) => {
        const results = await env.DB.batch(statements);
        written.push(results.reduce((sum, { meta }) => sum + meta.rows_written, 0));
        return results;
      },
    });
    const left = () => sql("SELECT count(*) AS n FROM product_changes").first("n");
    for (let calls = 1; (await left()) !== 0; calls++) {
      written.length = 0;
      await insertProductEvents(meteredD1(d1, meter));
      expect(written.length).toBeLessThanOrEqual(45);
      expect(Math.max(...written)).toBeLessThanOrEqual(505);
      expect(calls).toBeLessThanOrEqual(3);
    }
    for (const { clientId } of [client, colleague]) {
      const count = "SELECT count(*) AS n FROM events WHERE client_id = ?";
      expect(await sql(count, clientId).first("n")).toBe(545);
    }
    // 1,090 events, each in a few rows, and some rows for each transaction.
    expect(meter.rowsRead).toBeLessThan(1_090 * 8 + 47 * 100);
  });
});

describe("stock", () => {
  test("is an event if the product has become unavailable or available since its last event", async () => {
    const { product, client } = await openShop(simpleProduct({}, { quantity: 2 }));
    const order = () => orderOf(product, { recipient_details: recipients(2) });
    const place = async () => {
      const { json } = await worker.post(client, "/api/order", order());
      return { order_id: (json.order_data as { order_id: number }).order_id };
    };
    const id = String(product.product.id);
    const placed = await place();
    await cron();
    await cron();
    expect(await productEvents(client)).toEqual([`sold_out ${id}`]);
    await worker.post(client, "/api/order/cancel", placed);
    await cron();
    const both = [`sold_out ${id}`, `available ${id}`];
    expect(await productEvents(client)).toEqual(both);
    await worker.post(client, "/api/order/cancel", await place());
    await cron();
    expect(await productEvents(client)).toEqual(both);
    await republish(client, [
      { ...product, stock: [{ variationId: 0, quantity: 2, sellable: false }] },
    ]);
    await cron();
    expect(await productEvents(client)).toEqual([...both, `sold_out ${id}`]);
  });

  test("is an event that names the variation, and one of the product when its last variation is sold out", async () => {
    const { product, small, large, names } = twoVariations();
    const client = await createClient({ products: [product] });
    const seen: string[] = [];
    const expectEvents = async (...events: string[]) => {
      await cron();
      seen.push(...events);
      expect(await productEvents(client)).toEqual(seen);
    };
    const place = (variation_id: number) =>
      worker.post(client, "/api/order", orderOf(product, { variation_id }));
    const { json } = await place(small);
    await expectEvents(`sold_out ${names.small}`);
    await place(large);
    await expectEvents(`sold_out ${names.large}`, `sold_out ${names.all}`);
    await worker.post(client, "/api/order/cancel", { order_id: json.order_data.order_id });
    await expectEvents(`available ${names.small}`, `available ${names.all}`);
  });

  test("of a variation that is removed and added again has an event again", async () => {
    const { product, names } = twoVariations();
    const [, stockLarge] = product.stock;
    const [, large] = product.product.variations;
    if (!large || !stockLarge) throw new Error("two variations");
    const client = await createClient({ products: [product] });
    stockLarge.quantity = 0;
    await publish(env.DB, client.catalogue, [product], Date.now() + 1_000, { stock: "replace" });
    const without = {
      product: { ...product.product, variations: product.product.variations.slice(0, 1) },
      stock: product.stock.slice(0, 1),
    };
    for (const published of [product, without, product]) {
      await republish(client, [published]);
      await cron();
    }
    expect((await productEvents(client)).filter((event) => event.startsWith("sold_out"))).toEqual([
      ...[`sold_out ${names.large}`, `sold_out ${names.large}`],
    ]);
  });

  test("of 600 variations is recorded in rows of at most 500 changes", async () => {
    const { product } = simpleProduct();
    const variations = Array.from({ length: 600 }, () => variableProduct().product.variations[0]);
    const many = variableProduct(
      {
        ...product,
        type: "variable",
        priceMinor: null,
        variations: variations.flatMap((v) => v ?? []),
      },
      0,
    );
    const client = await createClient({ products: [many] });
    await updateAvailability(env.DB, Date.now() + 1_000);
    const { results } = await sql(
      "SELECT json_array_length(changes) AS n FROM product_changes WHERE catalogue_id = ?",
      client.catalogueId,
    ).all();
    expect(results).toEqual([{ n: 500 }, { n: 101 }]);
    await insertProductEvents(env.DB);
  });
});

const ACTIONS = ["publish", "order", "cancel", "cron", "two crons", "killed", "lost"] as const;
type Action = (typeof ACTIONS)[number];

/** A database whose first, second or third batch is killed, before or after it is executed. */
function killing(when: "before" | "after"): D1Database {
  let left = 1 + (unique() % 3);
  return overriding(env.DB, {
    batch: async (statements: D1PreparedStatement[]) => {
      left -= 1;
      if (left === 0 && when === "before") killed();
      const results = await env.DB.batch(statements);
      if (left === 0) killed();
      return results;
    },
  });
}

/** A catalogue with two variations of one piece each, three clients, and actions that change it. */
async function createChangingShop() {
  const { product, small, large, names } = twoVariations();
  const products = [product, simpleProduct({}, { quantity: 1 })];
  const client = await createClient({ products });
  const clients = [client, await addTo(client), await addTo(client)];
  const published: string[] = [];
  const open: { order_id: number; variation_id: number }[] = [];
  const quietly = (work: Promise<void>) => work.catch(() => undefined);
  const steps: Record<Action, () => Promise<unknown>> = {
    publish: async () => {
      published.push(`changed ${names.all}`);
      const renamed = named(product, `name ${String(unique())}`);
      await republish(client, [renamed, ...products.slice(1)]);
    },
    order: async () => {
      const variation_id = unique() % 2 === 0 ? small : large;
      const order = orderOf(product, { variation_id });
      const { status, json } = await worker.post(client, "/api/order", order);
      if (status === 200) open.push({ order_id: json.order_data.order_id, variation_id });
    },
    cancel: async () => {
      const { order_id } = open.pop() ?? {};
      if (order_id) await worker.post(client, "/api/order/cancel", { order_id });
    },
    cron: () => cron(),
    "two crons": () => Promise.all([cron(), cron()]),
    killed: () => quietly(cron(killing("before"))),
    lost: () => quietly(cron(killing("after"))),
  };
  const isTaken = (id: number) => open.some(({ variation_id }) => variation_id === id);
  /** What is sold out, by its name in events. */
  const soldOut = () =>
    Object.entries({
      [names.small]: isTaken(small),
      [names.large]: isTaken(large),
      [names.all]: open.length === 2,
    });
  return { clients, published, steps, soldOut };
}

/** Checks the client's events. The availability alternates, and the last event shows the present one. */
async function checkEvents(
  client: TestClient,
  { published, soldOut }: Awaited<ReturnType<typeof createChangingShop>>,
): Promise<void> {
  const seen = await productEvents(client);
  expect(seen.filter((event) => event.startsWith("changed"))).toEqual(published);
  for (const [name, isSoldOut] of soldOut()) {
    const types = seen.flatMap((event) => {
      const [type, of] = event.split(" ");
      return of === name && type !== "changed" ? [type] : [];
    });
    expect(types).toEqual(types.map((_, n) => (n % 2 === 0 ? "sold_out" : "available")));
    expect(types.length % 2).toBe(Number(isSoldOut));
  }
  const sequences = (await eventsOf(client)).map(({ sequence }) => sequence);
  expect(sequences).toEqual(sequences.map((_, index) => index + 1));
}

const EXAMPLE: Action[] = [
  ...(["order", "publish", "killed", "order", "two crons", "publish"] as const),
  ...(["lost", "cancel", "lost", "two crons", "cancel", "killed"] as const),
];

test("cron handlers that are killed or run at the same time insert each event once, without gaps beside orders", async () => {
  const actions = fc.array(fc.constantFrom(...ACTIONS), { minLength: 5, maxLength: 25 });
  await fc.assert(
    fc.asyncProperty(actions, async (actions) => {
      const shop = await createChangingShop();
      for (const each of actions) await shop.steps[each]();
      await cron();
      for (const client of shop.clients) await checkEvents(client, shop);
    }),
    { numRuns: runs(20), examples: [[EXAMPLE]] },
  );
});

test("webhooks get the event of an order before most of the events of products that precede it, and each of them once", async () => {
  const { product, client } = await openShop();
  const webhook = await createReceivingWebhook(client);
  const changes = Array.from({ length: 150 }, (_, index) => ["changed", index + 1]);
  await insertChanges(client, changes).run();
  await insertProductEvents(env.DB);
  await worker.post(client, "/api/order", orderOf(product));
  while ((await runDelivery(webhook)) !== null);
  const sequences = await webhook.sequences();
  expect(sequences.indexOf(151)).toBeGreaterThanOrEqual(0);
  expect(sequences.indexOf(151)).toBeLessThan(100);
  expect([...sequences].sort((a, b) => a - b)).toEqual(
    Array.from({ length: 151 }, (_, index) => index + 1),
  );
});

test("webhooks do not get events of products that they have not chosen", async () => {
  const client = await createClient({ products: [simpleProduct()] });
  const webhook = await createReceivingWebhook(client, { eventTypes: ["product.sold_out"] });
  const changes = ["changed", "sold_out"].map((type) => [type, 1]);
  await insertChanges(client, changes).run();
  await insertProductEvents(env.DB);
  while ((await runDelivery(webhook)) !== null);
  expect(await webhook.sequences()).toEqual([2]);
});
