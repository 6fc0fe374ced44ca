// Gifts of the demo clients, on a server with the demo data.
import { toGiftId } from "../../src/core/values/ids.ts";
import type { LocalServer } from "./server.ts";

type Server = Pick<LocalServer, "url">;

export interface DemoGift {
  orderId: number;
  giftId: number;
  /** The gift link. */
  url: string;
}

/** Ada, with a message from the sender. */
export const DEMO_RECIPIENT = {
  first_name: "Ada",
  last_name: "Okafor",
  email: "ada@example.com",
  redemption_message:
    "Dear Ada,\n\nthank you for a wonderful year. Put your feet up and enjoy this one: you have earned it.",
};

/** The body of an order for the hamper of the demo catalogue, for `count` recipients. */
export const demoOrder = (order_ref_id: string, changes: object = {}, count = 1) => ({
  order_ref_id,
  product_id: 1001,
  currency: "AUD",
  base_location: "AU",
  recipient_details: Array.from({ length: count }, () => ({
    first_name: "Ada",
    last_name: "Park",
    email: "ada@example.com",
  })),
  ...changes,
});

/** Places a gift-link order for the hamper of the demo catalogue, with a message and other gifts to choose from. */
export async function placeDemoGift(
  server: Server,
  changes: Record<string, unknown> = {},
  client = "demo",
): Promise<DemoGift> {
  const offered = { gift_of_choice: "Y", recipient_details: [DEMO_RECIPIENT], ...changes };
  const order = demoOrder(crypto.randomUUID(), offered);
  const answer = await callDemo<{
    order_data: { order_id: number };
    recipient_return: [{ gift_url: string }];
  }>(server, "/api/gift-link", order, client);
  const orderId = answer.order_data.order_id;
  return {
    orderId,
    giftId: toGiftId(orderId, 1),
    url: answer.recipient_return[0].gift_url,
  };
}

/** The recipient of a gift-link order in the response of the API. */
export interface DemoRecipient {
  redemption_status: string | null;
  product_selected: { product_id: string; variation_id: string | null };
  thank_you: { message: string } | null;
  recipient_details: {
    delivery_address: Record<string, string | null>;
    delivery_notes: string | null;
    delivery_email: string | null;
  };
}

export async function readDemoRecipient(server: Server, { orderId }: DemoGift) {
  const path = `/api/order?order_id=${String(orderId)}&include=thank_you,delivery_email`;
  return (await callDemo<{ recipients: [DemoRecipient] }>(server, path)).recipients[0];
}

/** Redeems the gift in the sandbox, as it was offered. */
export async function redeemDemoGift(server: Server, gift: DemoGift): Promise<void> {
  await callDemo(server, "/api/sandbox/event", {
    event: "gift.redeemed",
    suborder_id: gift.giftId,
  });
}

/** Submits a form of the gift page. */
export async function submitForm(url: string, fields: Record<string, string>): Promise<void> {
  const response = await fetch(url, { method: "POST", body: new URLSearchParams(fields) });
  if (!response.ok) throw new Error(`${url}: ${String(response.status)}`);
}

/** Calls the API with the credentials of a demo client: POST with a body, otherwise GET. */
export async function callDemo<T>(
  server: Server,
  path: string,
  body?: object,
  client = "demo",
): Promise<T> {
  const response = await fetch(server.url + path, {
    headers: {
      "CLIENT-ID": client,
      "API-KEY": `${client}-key`,
      "API-PASSWORD": `${client}-password`,
      "Content-Type": "application/json",
    },
    ...(body && { method: "POST", body: JSON.stringify(body) }),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${path}: ${String(response.status)} ${text}`);
  return JSON.parse(text) as T;
}

/** The sequence of the demo client's last event. An endpoint that is created now gets the later ones. */
export const lastDemoEvent = async (d1: D1Database): Promise<number> =>
  Number(
    await d1.prepare("SELECT max(sequence) AS n FROM events WHERE client_id = 'demo'").first("n"),
  );
