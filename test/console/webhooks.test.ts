// The pages of webhook endpoints.
import { env } from "cloudflare:workers";
import { beforeAll, expect, test } from "vitest";
import { listAudit } from "../../src/operator/audit/queries.ts";
import { type ConsoleUser, openConsole, type TestConsole } from "./console.ts";
import { createClient, type TestClient } from "../support/fixtures.ts";
import {
  addDelivery,
  addEvents,
  createWebhook,
  deliveryOf,
  insertDelivery,
  setColumns,
} from "../support/webhooks.ts";
import { startWorker } from "../support/worker.ts";
import { sql } from "../support/sql.ts";

let testConsole: TestConsole;
let support: ConsoleUser;

beforeAll(async () => {
  testConsole = await openConsole();
  support = await testConsole.signIn("support");
});

/** An endpoint that has been sent all of the client's events. */
async function newEndpoint(events: number, client?: TestClient) {
  const owner = client ?? (await createClient());
  const { webhook_id: id } = await createWebhook(startWorker(), owner);
  await addEvents(owner.clientId, events);
  await setColumns(id, { position: events });
  return { id, clientId: owner.clientId, path: `/webhooks/${String(id)}` };
}

const HOSTILE = "<script>alert(1)</script>";

const auditOf = (clientId: string) => listAudit(env.DB, { clientId, limit: 9 });
const changesOf = async (clientId: string) =>
  (await auditOf(clientId)).filter(({ action }) => action.startsWith("webhook"));

test("lists the endpoints of a client, without the query of a URL", async () => {
  const { id, clientId } = await newEndpoint(3);
  await setColumns(id, {
    url: "https://partner.example/hook?token=secret",
    failing_since_ms: 1_000,
    position: 1,
  });
  await addDelivery(id, 2, { status: "pending", next_attempt_at_ms: 5, response_status: 500 });
  await addDelivery(id, 1, { response_text: "older" });
  await setColumns(id, { status: "enabled" });
  const page = await support.get(`/webhooks?client=${clientId}`);
  expect(page.status).toBe(200);
  expect(page.text).toContain("https://partner.example/…");
  expect(page.html).not.toContain("secret");
  expect(page.text).toMatch(new RegExp(`${String(id)} ${clientId} enabled 1970-01-01 00:00 UTC 2`));
  expect(page.text).toContain("500");
  expect(page.text).not.toContain("older");
  expect(page.meter.roundTrips).toBe(1);
});

test("shows failing endpoints only", async () => {
  const client = await createClient();
  const [good, failing, gone] = [
    await newEndpoint(1, client),
    await newEndpoint(1, client),
    await newEndpoint(1, client),
  ];
  await setColumns(failing.id, { failing_since_ms: 1 });
  await setColumns(gone.id, { status: "disabled", disabled_reason: "gone" });
  const page = await support.get(`/webhooks?show=failing&client=${client.clientId}`);
  const shown = [good, failing, gone].map(({ path }) => page.html.includes(`href="${path}"`));
  expect(shown).toEqual([false, true, true]);
  const none = await support.get("/webhooks?client=nobody");
  expect(none.text).toContain("No endpoint matches");
});

test("pages through all endpoints", async () => {
  const client = await createClient({ id: "zz-many-webhooks" });
  const insert = "INSERT INTO webhooks (client_id, url, secret_nonce, position, created_at_ms)";
  await sql(
    `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 120)
     ${insert} SELECT ?, 'https://a.example/' || i, 'the nonce', 0, 0 FROM n`,
    client.clientId,
  ).run();
  const ids = new Set<string>();
  let path = "/webhooks?client=zz-many-webhooks";
  for (let pages = 1; ; pages++) {
    const page = await support.get(path);
    expect(page.html.length).toBeLessThan(60_000);
    expect(page.html).not.toContain("the nonce");
    for (const [, id = ""] of page.html.matchAll(/href="\/webhooks\/(\d+)"/g)) ids.add(id);
    const next = /rel="next" href="([^"]+)"/.exec(page.html)?.[1];
    if (next === undefined) {
      expect(pages).toBe(3);
      break;
    }
    path = `/webhooks${next.replaceAll("&amp;", "&")}`;
  }
  expect(ids.size).toBe(120);
});

test("shows an endpoint with its deliveries", async () => {
  const { id, clientId, path } = await newEndpoint(60);
  await setColumns(id, { description: HOSTILE });
  await env.DB.batch(
    Array.from({ length: 60 }, (_, index) =>
      insertDelivery(id, index + 1, {
        ...(index % 2 === 0 && { status: "failed", response_status: 503 }),
        response_text: `${HOSTILE}${"x".repeat(200)}`,
      }),
    ),
  );
  const page = await support.get(path);
  expect(page.status).toBe(200);
  expect(page.text).toContain(clientId);
  expect(page.text).toContain(HOSTILE);
  expect(page.html).not.toContain(HOSTILE);
  expect(page.meter.roundTrips).toBe(2);
  expect(page.html.length).toBeLessThan(60_000);
  expect(page.html).toContain('href="?after=11"');
  const failed = await support.get(`${path}?status=failed&after=11`);
  expect(failed.text).toContain("503");
  expect(failed.text).not.toContain("204");
});

test("finds no endpoint with an unknown number", async () => {
  for (const path of ["/webhooks/999999999", "/webhooks/abc"]) {
    expect((await support.get(path)).status).toBe(404);
  }
});

test("shows changes only to those who may make them", async () => {
  const { path } = await newEndpoint(1);
  const viewer = await testConsole.signIn("viewer");
  const page = await viewer.get(path);
  expect(page.html).not.toContain(`${path}/`);
  expect((await viewer.get(`${path}/disable`)).status).toBe(403);
  expect((await support.get(path)).html).toContain(`href="${path}/disable"`);
});

test("disables and enables an endpoint", async () => {
  const { id, clientId, path } = await newEndpoint(1);
  await setColumns(id, { url: "https://partner.example/hook?token=secret" });
  const plan = await support.get(`${path}/disable`);
  expect(plan.text).toContain(`This will disable webhook ${String(id)} of ${clientId}`);
  expect(plan.html).not.toContain("secret");
  expect(await changesOf(clientId)).toEqual([]);
  const disabled = await support.submit(plan, "Disable the endpoint");
  expect(disabled.text).toContain(`Webhook ${String(id)} is disabled`);
  const enabled = await support.submit(await support.get(`${path}/enable`), "Enable the endpoint");
  expect(enabled.text).toContain(`Webhook ${String(id)} is enabled`);
  expect(await changesOf(clientId)).toMatchObject([
    { action: "webhook enable", actor: support.name, requestId: expect.any(String) },
    { action: "webhook disable", actor: support.name, after: { disabledReason: "operator" } },
  ]);
});

test("sends an event again", async () => {
  const { id, clientId, path } = await newEndpoint(3);
  await addDelivery(id, 2, { status: "failed", attempts: 10 });
  const list = await support.get(path);
  expect(list.html).toContain(`href="${path}/redeliver?event=2"`);
  const form = await support.get(`${path}/redeliver?event=2`);
  const plan = await support.submit({ ...form, path: `${path}/redeliver` }, "Continue");
  expect(plan.text).toContain(`This will send event 2 again to webhook ${String(id)}`);
  const done = await support.submit(plan, "Send events again");
  expect(done.text).toContain("Done");
  expect(await deliveryOf(id, 2)).toMatchObject({ status: "pending", attempts: 0 });
  expect(await changesOf(clientId)).toMatchObject([
    { action: "webhook redeliver", subject: `${String(id)}/2`, actor: support.name },
  ]);
});

test("sends all events since one again", async () => {
  const { id, clientId, path } = await newEndpoint(5);
  const form = await support.get(`${path}/redeliver`);
  const plan = await support.submit(form, "Continue", { since: "3" });
  expect(plan.text).toContain("This will send 3 events, 3 to 5, again");
  const done = await support.submit(plan, "Send events again");
  expect(done.text).toContain("Events after the last one sent: 3.");
  expect(await changesOf(clientId)).toMatchObject([
    { before: { position: 5 }, after: { position: 2 }, requestId: expect.any(String) },
  ]);
  // The redelivery is pending, and has begun.
  await setColumns(id, { position: 3 });
  const refused = await support.submit(form, "Continue", { since: "2" });
  expect(refused.status).toBe(409);
  expect(refused.text).toContain("Events up to 5 are being sent again already");
});

const EITHER = "One event or “All events since” must be filled in, and not both.";

test("refuses a redelivery without an event, and of an event that does not exist", async () => {
  const { path, clientId } = await newEndpoint(1);
  const form = await support.get(`${path}/redeliver`);
  const none = await support.submit(form, "Continue");
  expect([none.status, none.text]).toEqual([422, expect.stringContaining(EITHER)]);
  const both = await support.submit(form, "Continue", { event: "1", since: "1" });
  expect(both.text).toContain(EITHER);
  const later = await support.submit(form, "Continue", { event: "2" });
  expect(later.text).toContain(`The last event of ${clientId} is 1.`);
});
