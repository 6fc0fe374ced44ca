// Gifts of the demo client, on a server with the demo data.
import { suborderId } from "../../src/values/ids.ts";
import type { LocalServer } from "./server.ts";

const HEADERS = {
  ...{ "CLIENT-ID": "demo", "API-KEY": "demo-key", "API-PASSWORD": "demo-password" },
  "Content-Type": "application/json",
};

export interface DemoGift {
  suborderId: number;
  /** The gift link. */
  url: string;
}

let references = 0;

/** Places a gift-link order for the hamper of the demo catalogue, with a message and other gifts to choose from. */
export async function placeDemoGift(
  server: Pick<LocalServer, "url">,
  changes: Record<string, unknown> = {},
): Promise<DemoGift> {
  const answer = await post<{
    order_data: { order_id: number };
    recipient_return: [{ gift_url: string }];
  }>(server, "/api/gift-link", {
    order_ref_id: `demo-gift-${String(++references)}`,
    product_id: 1001,
    currency: "AUD",
    base_location: "AU",
    gift_of_choice: "Y",
    recipient_details: [
      {
        first_name: "Ada",
        last_name: "Okafor",
        email: "ada@example.com",
        redemption_message: "Dear Ada,\n\nthank you for a wonderful year. Enjoy this one!",
      },
    ],
    ...changes,
  });
  return {
    suborderId: suborderId(answer.order_data.order_id, 1),
    url: answer.recipient_return[0].gift_url,
  };
}

/** Redeems the gift with the sandbox control, as it was offered. */
export async function redeemDemoGift(
  server: Pick<LocalServer, "url">,
  gift: DemoGift,
): Promise<void> {
  await post(server, "/api/sandbox/redeem-gift", { suborder_id: gift.suborderId });
}

async function post<T>(server: Pick<LocalServer, "url">, path: string, body: object): Promise<T> {
  const init = { method: "POST", headers: HEADERS, body: JSON.stringify(body) };
  const response = await fetch(server.url + path, init);
  const text = await response.text();
  if (!response.ok) throw new Error(`${path}: ${String(response.status)} ${text}`);
  return JSON.parse(text) as T;
}
