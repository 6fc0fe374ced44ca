// The client's events, as the feed shows them.
import { expect } from "vitest";
import type { EventListResponse, EventResponse } from "../../src/features/events/contract.ts";
import type { TestClient } from "./fixtures.ts";
import { startWorker } from "./worker.ts";

const PLACED = "recipient_count currency order_total redeem_by? credential_id?";
const ENDED =
  "recipient_count currency order_total cancelled_count suborder_ids refund credential_id?";
const TRACKED = "carrier tracking_number tracking_url";

/** The fields in the data of each type. A field with `?` may be missing, and one with `=` has this value. */
const FIELDS: Record<string, string> = {
  "order.created": `order_status=created ${PLACED}`,
  "order.paid": `order_status=paid ${PLACED}`,
  "order.failed": `order_status=failed ${ENDED}`,
  "order.cancelled": `order_status=cancieled ${ENDED}`,
  "order.extended": "redeem_by",
  "gift.expiring": "redeem_by",
  "gift.opened": "",
  "gift.redeemed": "redemption_status=redeemed product_id variation_id",
  "gift.thanked": "",
  "gift.declined": "final_at decline_reason?",
  "gift.reinstated": "",
  "gift.cancelled": "redemption_status=cancelled currency refund credential_id?",
  "gift.expired": "redemption_status=expired currency refund",
  "gift.extended": "redeem_by",
  "gift.corrected": "corrected_fields credential_id?",
  "gift.renewed": "credential_id?",
  "gift.shipped": `shipment_status=shipped ${TRACKED}`,
  "gift.delivered": `shipment_status=delivered ${TRACKED}`,
  "gift.returned": "shipment_status=returned shipment_problem tracking_number",
  "gift.failed": "shipment_status=failed shipment_problem tracking_number",
  "gift.sent": "shipment_status=sent",
  "gift.reopened": "shipment_status=open",
  "gift.email_sent": "email_kind",
  "gift.email_failed": "email_kind email_failure",
  "credit.low": "currency credit_balance alert_below",
  "credential.created": "credential_id scope",
  "credential.limited": "credential_id scope",
  "credential.revoked": "credential_id scope",
  "product.added": "product_id",
  "product.changed": "product_id",
  "product.removed": "product_id",
  "product.sold_out": "product_id variation_id",
  "product.available": "product_id variation_id",
  "collection.changed": "collection",
  "collection.removed": "collection",
  "data.restored": "last_sequence",
};

/** A page of the feed, whose events have exactly the data of their types. The document does not tell types apart. */
export function eventList(json: unknown): EventListResponse {
  const list = json as EventListResponse;
  for (const event of list.events) expectDataOfType(event);
  return list;
}

function expectDataOfType({ type, data, ...event }: EventResponse): void {
  const isOfGift = type.startsWith("gift.");
  const isOfOrder = isOfGift || type.startsWith("order.");
  const ids = [event.order_id, event.order_ref_id, event.suborder_id].map((id) => id !== null);
  const fields = [
    ...(FIELDS[type] ?? "a known type").split(" ").filter((name) => name !== ""),
    ...(isOfOrder ? ["metadata?", "campaign?"] : []),
    ...(isOfGift ? ["external_id?", "recipient_metadata?"] : []),
  ];
  const shown = Object.entries(data)
    .filter(([name]) => !fields.includes(`${name}?`))
    .map(([name, value]) => (fields.includes(name) ? name : `${name}=${value as string}`));
  expect({ type, ids, fields: shown.sort() }).toEqual({
    type,
    ids: [isOfOrder, isOfOrder, isOfGift],
    fields: fields.filter((name) => !name.endsWith("?")).sort(),
  });
}

export async function eventsOf(client: TestClient) {
  const { status, text, json } = await startWorker().get(client, "/api/events?limit=500");
  expect(status, text).toBe(200);
  return eventList(json).events;
}

export const typesOf = async (client: TestClient) =>
  (await eventsOf(client)).map(({ type }) => type);
