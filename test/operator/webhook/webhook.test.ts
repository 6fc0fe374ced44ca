// `webhook list` and `webhook show`.
import { env } from "cloudflare:workers";
import { describe, expect, test } from "vitest";
import { createClient, type TestClient } from "../../support/fixtures.ts";
import { sql } from "../../support/sql.ts";
import {
  addDelivery,
  addEvents,
  createWebhook,
  insertDelivery,
  setColumns,
} from "../../support/webhooks.ts";
import { startWorker } from "../../support/worker.ts";
import { openOperatorApi } from "../operator-api.ts";

const api = await openOperatorApi(["support"]);

/** An endpoint that has been sent all of the client's events. */
async function newEndpoint(events: number, client?: TestClient) {
  const owner = client ?? (await createClient());
  const { webhook_id: webhook } = await createWebhook(startWorker(), owner);
  await addEvents(owner.clientId, events);
  await setColumns(webhook, { position: events });
  return { webhook, client: owner.clientId };
}

describe("webhook list", () => {
  test("shows each endpoint with its last attempt, without the path and query of its URL", async () => {
    const { webhook, client } = await newEndpoint(3);
    await addDelivery(webhook, 2, {
      status: "pending",
      next_attempt_at_ms: 5,
      response_status: 500,
    });
    await addDelivery(webhook, 1, { response_text: "older" });
    await setColumns(webhook, {
      description: "Warehouse",
      url: "https://partner.example/hook?token=secret",
      failing_since_ms: 1_000,
      position: 1,
    });
    const { html, meter } = await api.call("webhook list", { client });
    expect(meter.roundTrips).toBe(1);
    expect(html).not.toContain("secret");
    expect(JSON.parse(html)).toMatchObject({
      rows: [
        {
          webhook,
          client,
          description: "Warehouse",
          status: "enabled",
          reason: null,
          events: "all",
          failing_since: "1970-01-01T00:00:01.000Z",
          waiting: 2,
          answer: 500,
          address: "https://partner.example/…",
        },
      ],
      next: null,
    });
    // All events were sent, and one of them is sent again.
    await setColumns(webhook, { position: 3 });
    const shown = await api.view("webhook show", { webhook });
    expect(shown.facts).toMatchObject({ waiting: 1 });
    expect(shown.warnings.join()).toContain("1 event waits");
  });

  test("shows enabled, disabled or failing endpoints", async () => {
    const client = await createClient();
    const add = async (columns: Parameters<typeof setColumns>[1] = {}) => {
      const { webhook } = await newEndpoint(1, client);
      await setColumns(webhook, { position: 1, ...columns });
      return webhook;
    };
    const good = await add();
    const failing = await add({ failing_since_ms: 1 });
    const gone = await add({ status: "disabled", disabled_reason: "gone" });
    const off = await add({ status: "disabled", disabled_reason: "client" });
    const list = async (show?: string) =>
      (await api.list("webhook list", { client: client.clientId, show })).rows.map(
        ({ webhook }) => webhook,
      );
    expect(await list()).toEqual([good, failing, gone, off]);
    expect(await list("enabled")).toEqual([good, failing]);
    expect(await list("disabled")).toEqual([gone, off]);
    expect(await list("failing")).toEqual([failing, gone]);
  });

  test("pages through all endpoints, and refuses other positions", async () => {
    const { clientId: client } = await createClient();
    await sql(
      `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 23)
       INSERT INTO webhooks (client_id, url, secret_nonce, position, created_at_ms)
       SELECT ?, 'https://a.example/' || i, 'the nonce', 0, 0 FROM n`,
      client,
    ).run();
    const { rows, meters } = await api.all("webhook list", { client }, 10);
    expect([meters.length, new Set(rows.map(({ webhook }) => webhook)).size]).toEqual([3, 23]);
    expect(JSON.stringify(rows)).not.toContain("the nonce");
    const { status } = await api.call("webhook list", {}, { after: "12" });
    expect(status).toBe(400);
  });
});

describe("webhook show", () => {
  test("pages through the deliveries, newest first, in two reads", async () => {
    const { webhook, client } = await newEndpoint(60);
    await env.DB.batch(
      Array.from({ length: 60 }, (_, index) =>
        insertDelivery(webhook, index + 1, {
          ...(index % 2 === 0 && { status: "failed", response_status: 503 }),
        }),
      ),
    );
    const { html, meter } = await api.call("webhook show", { webhook });
    expect(meter.roundTrips).toBe(2);
    const { facts, lists, next, actions } = JSON.parse(html);
    expect(facts).toMatchObject({ client, state: "enabled", last_event: 60, waiting: 0 });
    expect(lists.deliveries).toHaveLength(50);
    expect(lists.deliveries[0]).toMatchObject({ event: 60, status: "delivered", answer: 204 });
    expect(actions).toEqual(["webhook redeliver"]);
    expect(next).toEqual({ before: "11" });
    const failed = await api.view("webhook show", { webhook, status: "failed", ...next });
    expect(failed.lists["deliveries"]?.map(({ event }) => event)).toEqual([9, 7, 5, 3, 1]);
    expect(failed.next).toBeUndefined();
  });

  test("shows what a failing endpoint has not received", async () => {
    const { webhook } = await newEndpoint(9);
    await setColumns(webhook, { position: 4, failing_since_ms: 1 });
    const down = { status: "pending", attempts: 1, next_attempt_at_ms: 5 } as const;
    await addDelivery(webhook, 1, {});
    await addDelivery(webhook, 2, { ...down, response_status: 500 });
    await addDelivery(webhook, 3, { status: "failed", attempts: 10 });
    await addDelivery(webhook, 4, { ...down, attempts: 0 });
    const eventsOf = async (status: string) => {
      const { lists, warnings } = await api.view("webhook show", { webhook, status });
      expect(warnings).toHaveLength(1);
      return lists["deliveries"]?.map(({ event }) => event);
    };
    expect(await eventsOf("undelivered")).toEqual([3, 2]);
    expect(await eventsOf("pending")).toEqual([4, 2]);
    expect(await eventsOf("failed")).toEqual([3]);
    expect(await eventsOf("delivered")).toEqual([1]);
  });
});
