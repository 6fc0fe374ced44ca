// The operation `webhook redeliver`.
import { env } from "cloudflare:workers";
import { expect, test } from "vitest";
import { listAudit } from "../../../src/operator/audit/queries.ts";
import { createClient } from "../../support/fixtures.ts";
import { sql } from "../../support/sql.ts";
import { addDelivery, createWebhook, deliveryOf, setColumns } from "../../support/webhooks.ts";
import { startWorker } from "../../support/worker.ts";
import { openOperatorApi } from "../operator-api.ts";

const api = await openOperatorApi(["support"]);

/** An endpoint for events of the type order.paid, which has been sent the first five of six events of two types. */
async function newEndpoint() {
  const client = await createClient();
  const events = { event_types: ["order.paid"] };
  const { webhook_id: webhook } = await createWebhook(startWorker(), client, events);
  await sql(
    `INSERT INTO events (client_id, sequence, type, created_at_ms)
     SELECT ?, e.key + 1, e.value, 0 FROM json_each(?) e`,
    client.clientId,
    JSON.stringify([
      "order.paid",
      "credit.low",
      "order.paid",
      "credit.low",
      "order.paid",
      "order.paid",
    ]),
  ).run();
  await setColumns(webhook, { position: 5 });
  const redeliver = async (input: object) => {
    const plan = await api.plan("webhook redeliver", { webhook, ...input });
    if (plan.will !== null) await api.run("webhook redeliver", { webhook, ...input });
    const { facts } = await api.view("webhook show", { webhook });
    return { ...plan, position: facts["last_sent"] };
  };
  return { webhook, client: client.clientId, redeliver };
}

const changesOf = async (clientId: string) =>
  (await listAudit(env.DB, { clientId, limit: 9 })).filter(
    ({ action }) => action === "webhook redeliver",
  );

test("sends one event again, even if the filter excludes it", async () => {
  const { webhook, client, redeliver } = await newEndpoint();
  await addDelivery(webhook, 3, { status: "failed", attempts: 10 });
  expect(await redeliver({ event: 3 })).toMatchObject({ position: 5 });
  expect(await redeliver({ event: 2 })).toMatchObject({ position: 5 });
  for (const event of [2, 3]) {
    expect(await deliveryOf(webhook, event)).toMatchObject({ status: "pending", attempts: 0 });
  }
  expect(await changesOf(client)).toMatchObject([
    { subject: `${String(webhook)}/2` },
    { subject: `${String(webhook)}/3` },
  ]);
});

test("sends all events since one again that the filter includes, from the earliest", async () => {
  const { webhook, client, redeliver } = await newEndpoint();
  const first = await redeliver({ since: 4 });
  expect([first.will, first.position]).toEqual([expect.stringContaining("1 event, 5 to 5,"), 3]);
  // Nothing has been sent yet, so it can begin earlier.
  const second = await redeliver({ since: 2 });
  expect([second.will, second.position]).toEqual([expect.stringContaining("2 events, 3 to 5,"), 1]);
  expect(await changesOf(client)).toMatchObject([
    { before: { position: 3 }, after: { position: 1 } },
    { before: { position: 5 }, after: { position: 3 } },
  ]);
  await setColumns(webhook, { position: 5, status: "disabled", disabled_reason: "gone" });
  expect((await redeliver({ since: 1 })).will).toContain("when it is enabled");
});

test("refuses both, neither, and an event that does not exist", async () => {
  const { webhook } = await newEndpoint();
  const refusal = (input: object) => api.refusal("webhook redeliver", { webhook, ...input });
  expect(await refusal({})).toMatchObject({ status: 400, fields: ["event"] });
  expect(await refusal({ event: 1, since: 1 })).toMatchObject({ status: 400, fields: ["since"] });
  expect(await refusal({ event: 7 })).toMatchObject({ status: 409 });
  expect(await refusal({ since: 7 })).toMatchObject({ status: 409 });
});
