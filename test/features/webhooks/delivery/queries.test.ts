// The times from which on an endpoint is ready, and the cleanup of the delivery log.
import { env } from "cloudflare:workers";
import { describe, expect, test } from "vitest";
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from "../../../../src/core/values/time.ts";
import {
  deleteOldDeliveries,
  listReadyWebhooks,
} from "../../../../src/features/webhooks/delivery/queries.ts";
import { createClient } from "../../../support/fixtures.ts";
import { createReceivingWebhook, deliveriesOf } from "../../../support/delivery.ts";
import { addDelivery, addEvents, setColumns } from "../../../support/webhooks.ts";
import { sql } from "../../../support/sql.ts";

const NOW_MS = Date.UTC(2026, 5, 1);

describe("an endpoint", () => {
  test.each([
    ["a lease", "lease_until_ms", 45 * SECOND_MS + MINUTE_MS],
    ["a pause", "paused_until_ms", DAY_MS + MINUTE_MS],
  ])(
    "is ready from the end of %s on, or if it ends later than possible",
    async (_, column, max) => {
      const client = await createClient();
      await addEvents(client.clientId, 1);
      const { id } = await createReceivingWebhook(client);
      const isReady = async (untilMs: number) => {
        await setColumns(id, { [column]: untilMs });
        return (await listReadyWebhooks(env.DB, NOW_MS)).includes(id);
      };
      expect(await isReady(NOW_MS - 1)).toBe(true);
      expect(await isReady(NOW_MS)).toBe(false);
      expect(await isReady(NOW_MS + max)).toBe(false);
      expect(await isReady(NOW_MS + max + 1)).toBe(true);
    },
  );

  test("is ready from the time of a retry on, or if it is later than possible", async () => {
    const client = await createClient();
    await addEvents(client.clientId, 1);
    const { id } = await createReceivingWebhook(client, { position: 1 });
    await addDelivery(id, 1, { status: "pending", next_attempt_at_ms: 1 });
    const isReady = async (retryMs: number) => {
      await sql(
        "UPDATE webhook_deliveries SET next_attempt_at_ms = ? WHERE webhook_id = ?",
        retryMs,
        id,
      ).run();
      return (await listReadyWebhooks(env.DB, NOW_MS)).includes(id);
    };
    expect(await isReady(NOW_MS)).toBe(true);
    expect(await isReady(NOW_MS + 1)).toBe(false);
    expect(await isReady(NOW_MS + 36 * HOUR_MS)).toBe(false);
    expect(await isReady(NOW_MS + 36 * HOUR_MS + 1)).toBe(true);
  });
});

test("the cleanup deletes deliveries 30 days after their last attempt, and keeps pending ones", async () => {
  const client = await createClient();
  await addEvents(client.clientId, 4);
  const webhook = await createReceivingWebhook(client, { position: 4 });
  const untilMs = NOW_MS - 30 * DAY_MS;
  await addDelivery(webhook.id, 1, { attempted_at_ms: untilMs - 1 });
  await addDelivery(webhook.id, 2, { attempted_at_ms: untilMs - 1, status: "failed" });
  await addDelivery(webhook.id, 3, { attempted_at_ms: untilMs });
  const pending = { status: "pending", next_attempt_at_ms: NOW_MS } as const;
  await addDelivery(webhook.id, 4, { attempted_at_ms: untilMs - 1, ...pending });
  await deleteOldDeliveries(env.DB, NOW_MS);
  expect((await deliveriesOf(webhook)).map(({ sequence }) => sequence)).toEqual([3, 4]);
});
