// The mailbox of the local environment.
import { env } from "cloudflare:workers";
import { beforeEach, expect, test } from "vitest";
import texts from "../../public/languages/en.json";
import { mailbox } from "../../src/local/mailbox.tsx";
import { MAILING, placeGifts, resetOutbox, runOutbox } from "../support/emails.ts";
import { openShop, simpleProduct } from "../support/fixtures.ts";
import { sql } from "../support/sql.ts";
import { startWorker } from "../support/worker.ts";

const worker = startWorker({ env: MAILING });

beforeEach(async () => {
  await resetOutbox();
  await sql("DELETE FROM emails").run();
});

async function open(path: string, method = "GET", origin = "http://localhost:8787") {
  const url = origin + path;
  const response = await mailbox({ method, url }, env.DB);
  return (
    response && { status: response.status, headers: response.headers, html: await response.text() }
  );
}

async function sendTo(count: number, name = "Northwind") {
  const shop = await openShop(simpleProduct(), { name });
  const order = await placeGifts(worker, shop, count);
  await runOutbox();
  return order;
}

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
  expect(html).toContain(texts.email.invitation.subject.replace("{sender}", "Northwind"));
  expect(html).toContain(first.gifts[0]?.email);
  expect(html).toContain("invitation, sent");

  const { html: shown = "" } = (await open(links[0] ?? "")) ?? {};
  expect(shown).toMatch(/<iframe title="[^"]+" sandbox=/);
  expect(shown).toContain(`src="${String(links[0])}/html"`);
  expect(shown).toContain(`\n${texts.email.by.replace("{company}", "Northwind")}\n`);
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

test("leaves other paths and methods, unknown e-mails and e-mails without a message to the Worker", async () => {
  const { orderId } = await sendTo(1);
  await sql("UPDATE emails SET message = NULL").run();
  const unknown = ["/", "/mailboxes", "/mailbox/", "/mailbox/1-1"];
  for (const path of [...unknown, `/mailbox/${String(orderId)}-1-1`]) {
    expect(await open(path)).toBeNull();
  }
  expect(await open("/mailbox", "POST")).toBeNull();
  expect((await worker.fetch("/mailbox")).status).toBe(404);
});

test("is shown for the hosts of this computer only", async () => {
  const { orderId } = await sendTo(1);
  const statusAt = async (host: string, path: string) =>
    (await open(path, "GET", `http://${host}`))?.status;
  for (const path of ["/mailbox", `/mailbox/${String(orderId)}-1-1`]) {
    for (const host of ["localhost:8787", "127.0.0.1:1", "[::1]"])
      expect([host, await statusAt(host, path)]).toEqual([host, 200]);
    for (const host of ["evil.example:8787", "localhost.evil.example", "127.0.0.1.nip.io"])
      expect([host, await statusAt(host, path)]).toEqual([host, 421]);
  }
});
