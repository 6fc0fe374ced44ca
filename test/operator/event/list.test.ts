// The operation `event list`.
import { describe, expect, test } from "vitest";
import { orderNumber, toGiftNumber } from "../../../src/core/values/ids.ts";
import { createClient, orderOf, recipients, simpleProduct } from "../../support/fixtures.ts";
import { createGift } from "../../support/gift.ts";
import { addEvents } from "../../support/webhooks.ts";
import { startWorker } from "../../support/worker.ts";
import { openOperatorApi } from "../operator-api.ts";

const worker = startWorker();

describe("event list", async () => {
  const api = await openOperatorApi(["viewer"]);

  test("shows the events of an order and its gifts, newest first, in one read", async () => {
    const product = simpleProduct();
    const { client, orderId } = await createGift(worker, [product], {
      recipient_details: recipients(2),
    });
    await worker.post(client, "/api/order", orderOf(product));
    const body = { order_id: orderId, suborder_ids: [orderId * 1_000 + 2] };
    await worker.post(client, "/api/order/cancel", body);
    const { html, meter } = await api.call("event list", { order: orderNumber(orderId) });
    expect(meter.roundTrips).toBe(1);
    const { rows } = JSON.parse(html);
    expect(rows).toMatchObject([
      {
        type: "gift.cancelled",
        order: orderNumber(orderId),
        gift: toGiftNumber(orderId, 2),
        data: { redemption_status: "cancelled" },
      },
      { event: 1, type: "order.paid", gift: null, data: { recipient_count: 2 } },
    ]);
    const ofGift = { order: toGiftNumber(orderId, 2) };
    expect((await api.list("event list", ofGift)).rows).toEqual(rows);
    const all = await api.list("event list", { client: client.clientId });
    expect(all.rows.map(({ event }) => event)).toEqual([3, 2, 1]);
    const others = {
      client: (await createClient()).clientId,
      order: orderNumber(orderId),
    };
    expect((await api.list("event list", others)).rows).toEqual([]);
  });

  test("pages through a client's events since one", async () => {
    const { client } = await createGift(worker, [simpleProduct()]);
    await addEvents(client.clientId, 9);
    const shown = [];
    for (let after: string | null | undefined; after !== null;) {
      const input = { client: client.clientId, since: 4 };
      const page = await api.list("event list", input, { limit: 3, ...(after && { after }) });
      shown.push(...page.rows.map(({ event }) => event));
      after = page.next;
    }
    expect(shown).toEqual([10, 9, 8, 7, 6, 5, 4]);
  });

  test("requires a client or an order", async () => {
    expect((await api.refusal("event list")).fields).toEqual(["client"]);
  });
});
