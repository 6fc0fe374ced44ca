// Partners and recipients who use the Workers of two releases: requests to either of them, and random actions.
import fc from "fast-check";
import { expect } from "vitest";
import { toGiftId } from "../../src/core/values/ids.ts";
import { DAY_MS } from "../../src/core/values/time.ts";

export const RELEASES = ["previous", "present"] as const;
export type Release = (typeof RELEASES)[number];

const CLIENTS = ["demo", "demo-two"] as const;
export type Client = (typeof CLIENTS)[number] | `cached by ${Release}`;

export interface Order {
  client: Client;
  path: string;
  body: object;
  /** The response to the placement. */
  text: string;
  id: number;
  /** The paths of the recipients' pages. */
  links: string[];
}

const KINDS = [
  ...["place", "place", "place", "repeat", "quote", "order", "orders", "events", "shipments"],
  ...["balance", "products", "product", "page", "accept", "accept", "decline", "thank", "renew"],
  ...["cancel order", "cancel gift", "order.paid", "order.failed", "gift.redeemed", "gift.expired"],
  ...["gift.shipped", "gift.delivered", "cron", "webhooks", "redeliver"],
] as const;

export const ACTION = fc.record({
  kind: fc.constantFrom(...KINDS),
  client: fc.constantFrom(...CLIENTS),
  product: fc.constantFrom(1001, 1002),
  links: fc.boolean(),
  qty: fc.integer({ min: 1, max: 4 }),
  /** Selects an order and a gift. */
  pick: fc.nat(),
  gift: fc.nat(),
});
type RandomAction = typeof ACTION extends fc.Arbitrary<infer T> ? T : never;
export type Action = Omit<RandomAction, "client"> & { client: Client };

/** In the demo data. */
export const STOCK = { productId: 1001, quantity: 5_000 } as const;

const ADDRESS = {
  address_line_1: "14 Plane Tree Lane",
  suburb: "Brunswick",
  state: "VIC",
  postcode_zipcode: "3056",
  country: "AU",
};

export const orderPath = ({ id }: Order) => `/api/order?order_id=${String(id)}`;

export interface Answer {
  status: number;
  text: string;
}

export type Partner = ReturnType<typeof createPartner>;

/** `cron` runs the handler of the cron trigger. */
export function createPartner(
  urls: Record<Release, string>,
  cron: (release: Release) => Promise<void>,
) {
  /** In the order of their placement. */
  const orders: Order[] = [];
  let references = 0;

  async function send(release: Release, path: string, init: RequestInit): Promise<Answer> {
    const response = await fetch(urls[release] + path, { ...init, redirect: "manual" });
    const text = await response.text();
    expect(response.status, `${release} ${path}: ${text}`).toBeLessThan(500);
    return { status: response.status, text };
  }

  /** A request of a client: POST with a body, otherwise GET. */
  function call(release: Release, client: Client, path: string, body?: object): Promise<Answer> {
    return send(release, path, {
      method: body ? "POST" : "GET",
      headers: {
        "CLIENT-ID": client,
        "API-KEY": `${client}-key`,
        "API-PASSWORD": `${client}-password`,
        "Content-Type": "application/json",
      },
      body: body ? JSON.stringify(body) : null,
    });
  }

  const submit = (release: Release, path: string, fields: Record<string, string>) =>
    send(release, path, { method: "POST", body: new URLSearchParams(fields) });

  async function place(release: Release, { client, product, links, qty }: Action): Promise<Answer> {
    const path = links ? "/api/gift-link" : "/api/order";
    const body = {
      order_ref_id: `ref-${String(++references)}`,
      product_id: product,
      currency: "AUD",
      base_location: "AU",
      ...(links && {
        gift_of_choice: "Y",
        redeem_by: new Date(Date.now() + 60 * DAY_MS).toISOString().slice(0, 10),
      }),
      recipient_details: Array.from({ length: qty }, () => ({
        first_name: "Ada",
        last_name: "Park",
        email: "ada@example.com",
        ...(!links && { delivery_address: ADDRESS }),
      })),
    };
    const answer = await call(release, client, path, body);
    if (answer.status === 200) {
      const json = JSON.parse(answer.text) as {
        order_data: { order_id: number };
        recipient_return?: { gift_url: string }[];
      };
      orders.push({
        client,
        path,
        body,
        text: answer.text,
        id: json.order_data.order_id,
        links: (json.recipient_return ?? []).map(({ gift_url }) => new URL(gift_url).pathname),
      });
    }
    return answer;
  }

  async function act(
    release: Release,
    action: Action,
    order = orders[action.pick % orders.length],
  ): Promise<Answer> {
    const { kind, client, product, qty } = action;
    if (kind === "place" || !order) return place(release, action);
    const suborder_id = toGiftId(order.id, 1 + (action.gift % 4));
    const ofOrder = { order_id: order.id };
    const link = order.links[action.gift % order.links.length] ?? "/redeem/none";
    switch (kind) {
      case "repeat": {
        const answer = await call(release, order.client, order.path, order.body);
        expect(answer).toEqual({ status: 200, text: order.text });
        return answer;
      }
      case "cron":
        await cron(release);
        return { status: 200, text: "" };
      case "page":
        return send(release, link, {});
      case "accept":
        return submit(release, link, { step: kind, confirmed: "yes", ...ADDRESS });
      case "decline":
        return submit(release, link, { step: kind, reason: "other" });
      case "thank":
        return submit(release, link, { step: kind, note: "Thank you" });
    }
    const money = { currency: "AUD", base_location: "AU" };
    const requests: Record<typeof kind, [Client, string, object?]> = {
      quote: [client, "/api/quote", { product_id: product, qty, ...money }],
      orders: [client, "/api/orders?limit=20"],
      events: [client, `/api/events?limit=${String(qty * 10)}`],
      balance: [client, "/api/credit-balance"],
      products: [client, "/api/products?limit=20"],
      product: [client, `/api/product?product_id=${String(product)}`],
      webhooks: ["demo", "/api/webhooks"],
      redeliver: ["demo", "/api/webhook/redeliver", { webhook_id: 1, sequence: 1 }],
      order: [order.client, orderPath(order)],
      shipments: [order.client, `/api/shipments?order_id=${String(order.id)}`],
      renew: [order.client, "/api/gift-link/renew", { suborder_id }],
      "cancel order": [order.client, "/api/order/cancel", ofOrder],
      "cancel gift": [
        order.client,
        "/api/order/cancel",
        { ...ofOrder, suborder_ids: [suborder_id] },
      ],
      "order.paid": [order.client, "/api/sandbox/event", { event: kind, ...ofOrder }],
      "order.failed": [order.client, "/api/sandbox/event", { event: kind, ...ofOrder }],
      "gift.redeemed": [order.client, "/api/sandbox/event", { event: kind, suborder_id }],
      "gift.expired": [order.client, "/api/sandbox/event", { event: kind, suborder_id }],
      "gift.shipped": [order.client, "/api/sandbox/event", { event: kind, suborder_id }],
      "gift.delivered": [order.client, "/api/sandbox/event", { event: kind, suborder_id }],
    };
    return call(release, ...requests[kind]);
  }

  return { orders, call, act };
}
