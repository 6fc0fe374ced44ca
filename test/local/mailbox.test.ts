// The mailbox of the local environment.
import { env } from "cloudflare:workers";
import { afterEach, beforeEach, expect, test } from "vitest";
import { mailbox } from "../../src/local/mailbox.tsx";
import { meteredD1, newMeter } from "../support/counting.ts";
import { MAILING, placeGifts, resetOutbox, runOutbox } from "../support/emails.ts";
import { createClient, simpleProduct } from "../support/fixtures.ts";
import { sql } from "../support/sql.ts";
import { startWorker } from "../support/worker.ts";

const worker = startWorker({ env: MAILING });

beforeEach(async () => {
  await resetOutbox();
  await sql("DELETE FROM emails").run();
});

// Other files count the rows that an e-mail costs without it.
afterEach(() => sql("DROP INDEX IF EXISTS local_mailbox").run());

async function open(path: string, DB = env.DB, method = "GET") {
  const url = `http://localhost:8787${path}`;
  const response = await mailbox({ method, url }, { DB, PUBLIC_URL: "http://localhost:8787" });
  if (!response) return null;
  return { headers: response.headers, html: await response.text() };
}

async function sendTo(count: number, name = "Northwind") {
  const product = simpleProduct({}, { quantity: null });
  const shop = { product, client: await createClient({ products: [product], name }) };
  const { orderId, gifts } = await placeGifts(worker, shop, count);
  await runOutbox();
  return { orderId, gifts };
}

test("an empty mailbox says how to fill it", async () => {
  const { html } = (await open("/mailbox")) ?? {};
  expect(html).toContain("curl http://localhost:8787/api/gift-link");
  expect(html).toContain("&quot;send_method&quot;: &quot;email&quot;");
});

test("lists the e-mails, newest first, and shows each of them as HTML and as text", async () => {
  const first = await sendTo(1);
  await sql("UPDATE emails SET attempted_at_ms = attempted_at_ms + 60000").run();
  const second = await sendTo(2);
  const { html = "" } = (await open("/mailbox")) ?? {};
  const links = [...html.matchAll(/href="([^"]+)"/g)].map(([, link]) => link);
  expect(links).toEqual([
    `/mailbox/${String(first.orderId)}-1-1`,
    `/mailbox/${String(second.orderId)}-2-1`,
    `/mailbox/${String(second.orderId)}-1-1`,
  ]);
  expect(html).toContain("Northwind has sent you a gift");
  expect(html).toContain(first.gifts[0]?.email);
  expect(html).toContain("invitation, sent");
  expect(html).not.toContain("curl");

  const { html: shown = "" } = (await open(links[0] ?? "")) ?? {};
  expect(shown).toContain(`<iframe title="The message as HTML" sandbox=`);
  expect(shown).toContain(`src="${String(links[0])}/html"`);
  expect(shown).toContain(`<pre dir="auto">Northwind has sent you a gift.`);
  expect(shown).toContain("List-Unsubscribe");
  const { html: message = "" } = (await open(`${String(links[0])}/html`)) ?? {};
  expect(message).toContain(`<base target="_blank">`);
  expect(message).toContain(`href="${String(first.gifts[0]?.gift_url)}"`);
});

test("escapes what partners have typed, and lets no page run a script or load what it does not need", async () => {
  const markup = `<script>alert(1)</script>"'&`;
  const { orderId } = await sendTo(1, markup);
  for (const path of ["", `/${String(orderId)}-1-1`, `/${String(orderId)}-1-1/html`]) {
    const { headers, html = "" } = (await open(`/mailbox${path}`)) ?? {};
    expect(html).toContain("&lt;script&gt;alert(1)");
    expect(html).not.toContain("<script");
    const policy = headers?.get("Content-Security-Policy") ?? "";
    expect(policy).toMatch(
      /^default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; /,
    );
    expect(policy).not.toMatch(/script|connect|allow-same-origin/);
    expect(policy.includes("; sandbox allow-popups")).toBe(path.endsWith("html"));
  }
});

test("shows the newest 50, and reads as many rows, however many there are", async () => {
  await sendTo(200);
  await open("/mailbox");
  const meter = newMeter();
  const { html = "" } = (await open("/mailbox", meteredD1(env.DB, meter))) ?? {};
  expect(html.match(/<li>/g)).toHaveLength(50);
  expect(html).toContain("Older e-mails are not shown.");
  expect(meter).toMatchObject({ roundTrips: 1, rowsWritten: 0 });
  expect(meter.rowsRead).toBeLessThanOrEqual(110);
});

test("leaves other paths and methods, unknown e-mails and e-mails without a message to the Worker", async () => {
  const { orderId } = await sendTo(1);
  await sql("UPDATE emails SET message = NULL").run();
  const unknown = [
    "/",
    "/mailboxes",
    "/mailbox/",
    "/mailbox/1-1",
    `/mailbox/${String(orderId)}-1-1`,
  ];
  for (const path of unknown) expect(await open(path)).toBeNull();
  expect(await open("/mailbox", env.DB, "POST")).toBeNull();
  expect((await worker.fetch("/mailbox")).status).toBe(404);
});
