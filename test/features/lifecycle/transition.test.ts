import { env } from "cloudflare:workers";
import { describe, expect, test } from "vitest";
import { transition } from "../../support/transition.ts";
import {
  balanceOf,
  type ClientOptions,
  openShop,
  orderOf,
  OTHER_ACCOUNTS,
  recipients,
  simpleProduct,
  stockOf,
  type TestClient,
  variableProduct,
} from "../../support/fixtures.ts";
import { accept } from "../../support/gift.ts";
import { startWorker } from "../../support/worker.ts";
import { sql } from "../../support/sql.ts";
import type { Currency } from "../../../src/core/values/iso.ts";
import { importWith } from "../../support/listed-orders.ts";

const worker = startWorker();

async function placeThree(options: ClientOptions = {}, path?: string, changes: object = {}) {
  const item = options.products?.[0] ?? simpleProduct();
  const { client } = await openShop(item, options);
  const body = orderOf(item, { recipient_details: recipients(3), ...changes });
  const placed = await worker.post(client, path ?? "/api/order", body);
  expect(placed.status).toBe(200);
  const links = (placed.json.recipient_return ?? []) as { gift_url: string }[];
  const paths = links.map(({ gift_url }) => new URL(gift_url).pathname);
  return {
    client,
    product: item.product,
    orderId: placed.json.order_data.order_id as number,
    paths,
  };
}

async function shown(client: TestClient, orderId: number) {
  const { json } = await worker.get(client, `/api/order?order_id=${String(orderId)}`);
  const recipients = json.recipients as { redemption_status: string | null }[];
  return {
    status: json.order_status as string,
    redemption: recipients.map(({ redemption_status }) => redemption_status),
  };
}

async function redeem(path: string | undefined, fields: Record<string, string> = {}) {
  expect((await accept(worker, path ?? "", fields)).status).toBe(303);
}

describe("a cancellation", () => {
  const LATER_MS = Date.UTC(2090, 0);

  test("is booked as a cancellation of the order, in the account that paid and in no other", async () => {
    const { client, orderId } = await placeThree();
    await transition(env.DB, orderId, "cancel", LATER_MS);
    const { results } = await sql(
      `SELECT kind, amount_minor, order_id, created_at_ms FROM credit_entries
       WHERE client_id = ? AND order_id IS NOT NULL ORDER BY sequence`,
      client.clientId,
    ).all();
    expect(results).toEqual([
      expect.objectContaining({ kind: "order", amount_minor: -9360, order_id: orderId }),
      { kind: "cancellation", amount_minor: 9360, order_id: orderId, created_at_ms: LATER_MS },
    ]);
    for (const [currency, minor] of Object.entries(OTHER_ACCOUNTS)) {
      expect(await balanceOf(client.clientId, currency as Currency)).toBe(minor);
    }
  });

  test("returns the stock of unredeemed gifts, and not that of a swapped one", async () => {
    const item = variableProduct();
    const [small, large] = item.product.variations.map((variation) => variation.id);
    const { orderId, paths } = await placeThree({ products: [item] }, "/api/gift-link", {
      gift_of_choice: "Y",
      variation_id: large,
    });
    await redeem(paths[0], { variation_id: String(small) });
    const stock = async () => [
      await stockOf(item.product.id, small),
      await stockOf(item.product.id, large),
    ];
    expect(await stock()).toEqual([99, 98]);
    await transition(env.DB, orderId, "cancel", 1);
    expect(await stock()).toEqual([99, 100]);
  });

  test("returns nothing for an imported order, which took no stock or credit", async () => {
    const { product, client } = await openShop();
    const orderId = await importWith(client, product);
    const before = await balanceOf(client.clientId);
    expect(await transition(env.DB, orderId, "cancel", 1)).toMatchObject({ changed: true });
    expect(await stockOf(product.product.id)).toBe(100);
    expect(await balanceOf(client.clientId)).toBe(before);
  });
});

describe("the states of an order", () => {
  test("lead from created to paid, failed or cancelled, of which failed and cancelled are final", async () => {
    const steps = ["pay", "fail", "cancel"] as const;
    for (const first of steps) {
      const { orderId } = await placeThree({ billing: "invoice" });
      expect(await transition(env.DB, orderId, first, 1)).toMatchObject({ changed: true });
      for (const second of steps) {
        const allowed = first === "pay" && second === "cancel";
        expect(await transition(env.DB, orderId, second, 1)).toMatchObject({ changed: allowed });
      }
    }
  });

  test("include failed, which returns the stock and closes the gifts", async () => {
    const { client, product, orderId } = await placeThree({ billing: "invoice" });
    await Promise.all(Array.from({ length: 4 }, () => transition(env.DB, orderId, "fail", 1)));
    expect(await stockOf(product.id)).toBe(100);
    expect(await shown(client, orderId)).toEqual({
      status: "failed",
      redemption: ["cancelled", "cancelled", "cancelled"],
    });
  });

  test("do not exist for an unknown order", async () => {
    expect(await transition(env.DB, Number.MAX_SAFE_INTEGER, "cancel", 1)).toBeNull();
  });
});
