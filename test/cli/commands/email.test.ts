// `email …`. The outbox sends in the process of the test. A preview runs as a process of its own, which compiles JSX.
import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { ASSETS } from "../../../src/cli/commands/email-preview.ts";
import {
  DAY_MS,
  formatDateTime,
  formatDay,
  HOUR_MS,
  MINUTE_MS,
} from "../../../src/core/values/time.ts";
import { noonFrom } from "../../../src/core/values/daytime.ts";
import { sendDueEmails } from "../../../src/features/email/outbox/run.ts";
import { saveReports } from "../../../src/features/email/report-queries.ts";
import type { Bindings } from "../../../src/platform/env.ts";
import { NODE, OPS, run } from "../../servers/command.ts";
import { json, refusal, runOps } from "../ops.ts";
import { platform, publishSeed, usePlatform } from "../platform.ts";
import { storeOrder } from "../stored-orders.ts";

const { folder, state } = usePlatform();

const NOW_MS = Date.now();

/** Sends what is due. In production, with a service that refuses by address. Locally, the messages are stored. */
async function send(nowMs: number, changes: Partial<Bindings> = {}): Promise<void> {
  const env = { ...platform.env, ASSETS, ...changes };
  while (await sendDueEmails({ d1: env.DB, env, now: () => nowMs })) continue;
}

const refusing = (codes: Record<string, string>) => ({
  ENVIRONMENT: "production" as const,
  EMAIL: {
    send: ({ to }: { to: string }) => {
      const code = codes[to];
      if (code !== undefined) return Promise.reject(Object.assign(new Error(code), { code }));
      return Promise.resolve({ messageId: `message-${to}` });
    },
  } as unknown as SendEmail,
});

/** An order of gifts for these addresses, to be sent at this time. Null if the client sends the links. */
async function addOrder(id: number, client: string, sendAtMs: number | null, emails: string[]) {
  const order = { gift_order_method: "api-giftlink", link_nonce: "12345678" };
  await storeOrder(
    platform.env.DB,
    { ...order, id, client_id: client, send_at_ms: sendAtMs },
    emails.map((email) => ({ email })),
  );
  if (sendAtMs === null) return;
  await sql(
    "UPDATE sub_orders SET next_email = 'invitation', next_email_ms = ? WHERE order_id = ?",
    ...[sendAtMs, id],
  );
}

const sql = (text: string, ...values: unknown[]) =>
  platform.env.DB.prepare(text)
    .bind(...values)
    .run();

/** Reports that the e-mails to the address have bounced. */
async function bounce(email: string): Promise<void> {
  const { results } = await sql(
    "SELECT message_id FROM emails JOIN sub_orders USING (order_id, sequence) WHERE email = ?",
    email,
  );
  const report = { status: "bounced" as const, reason: "hard_bounce", recipient: null };
  const reports = results.map((row) => ({
    messageId: String(row["message_id"]),
    ...report,
    complaintDigest: null,
  }));
  await saveReports(platform.env.DB, reports, NOW_MS);
}

const SENT_MS = NOW_MS - HOUR_MS;

beforeAll(async () => {
  await publishSeed();
  for (const client of ["acme", "bloom"]) {
    await json("client", "add", client, "--name", client, "--billing", "credit", "--currency=AUD");
  }
  await json("client set bloom --reminder-days none");
  await addOrder(43, "bloom", NOW_MS - 9 * DAY_MS, ["old@example.com", "bounced@example.com"]);
  // Sent by the sandbox, which stores the messages.
  await send(NOW_MS - 9 * DAY_MS);
  const addresses = ["ok", "wrong", "later", "bounced"].map((name) => `${name}@example.com`);
  await addOrder(42, "acme", SENT_MS, addresses);
  const codes = { "wrong@example.com": "E_VALIDATION_ERROR", "later@example.com": "ETIMEDOUT" };
  await send(SENT_MS, refusing(codes));
  await addOrder(44, "acme", null, ["ok@example.com"]);
  await bounce("bounced@example.com");
}, 120_000);

interface Listed {
  emails: { suborder: string; status: string }[];
}

const listed = async (words: string) =>
  (await json<Listed>("email", "list", ...words.split(" ").filter(Boolean))).emails.map(
    ({ suborder, status }) => `${suborder} ${status}`,
  );

describe("email list", () => {
  test("lists what was attempted or has failed since a day, newest first", async () => {
    const acme = ["GO-00042-1 sent", "GO-00042-2 failed", "GO-00042-3 retry", "GO-00042-4 bounced"];
    // Sent before, and bounced since.
    expect(await listed("")).toEqual([...acme, "GO-00043-2 bounced"]);
    expect(await listed("--client acme")).toEqual(acme);
    const [before, after] = [NOW_MS - 10 * DAY_MS, NOW_MS + DAY_MS].map(formatDay);
    expect(await listed(`--client bloom --since ${String(before)}`)).toEqual([
      ...["GO-00043-1 sent", "GO-00043-2 bounced"],
    ]);
    expect(await listed(`--since ${String(after)}`)).toEqual(["GO-00042-3 retry"]);
    expect(await listed("--status bounced")).toEqual([acme[3], "GO-00043-2 bounced"]);
    expect(await listed("--status problem --client acme")).toEqual(acme.slice(1));
    expect(await json("email list --limit 5")).toMatchObject({ complete: true });
    expect(await json("email list --limit 4")).toMatchObject({ complete: false });
    await refusal(1, "there is no client none", "email list --client none");
    const { out } = await runOps("email list --client acme --limit 3");
    const [sentAt, nextAt] = [SENT_MS, SENT_MS + MINUTE_MS].map(formatDateTime);
    expect(out.replaceAll(/ {2,}/g, "  ").split("\n")).toEqual([
      "SUB-ORDER  CLIENT  EMAIL  KIND  STATUS  DATE  ATTEMPTS  NEXT  REASON",
      `GO-00042-1  acme  ok@example.com  invitation  sent  ${String(sentAt)}  1  -  -`,
      `GO-00042-2  acme  wrong@example.com  invitation  failed  ${String(sentAt)}  1  -  invalid_address`,
      `GO-00042-3  acme  later@example.com  invitation  retry  ${String(sentAt)}  1  ${String(nextAt)}  service_error`,
      ...["", "There are more. Use --limit.", ""],
    ]);
  });

  test("shows no gift link, although the sandbox stores the messages", async () => {
    const { results } = await sql("SELECT message FROM emails WHERE message LIKE '%/redeem/%'");
    expect(results).toHaveLength(2);
    for (const words of ["list --since 2020-01-01", "show GO-00043-1"]) {
      const { out } = await runOps(`--json email ${words}`);
      expect(out).toContain("GO-00043-1");
      expect(out).not.toMatch(/redeem\/|"message"/);
    }
  });
});

test("order show has the last e-mail of each gift, or the time of the first one", async () => {
  await addOrder(49, "acme", NOW_MS + DAY_MS, ["soon@example.com"]);
  const planned = await runOps("order show GO-00049");
  expect(planned.out).toMatch(
    new RegExp(`LAST E-MAIL.*\n.* invitation at ${formatDateTime(NOW_MS + DAY_MS)}`),
  );
  const shown = await runOps("order show GO-00042");
  expect(shown.out).toMatch(/ invitation sent.*\n.* invitation failed.*\n.* invitation retry/);
  const { out } = await runOps("--json order show GO-00043");
  expect(JSON.parse(out)).toMatchObject({
    recipients: [
      { emails: [{ kind: "invitation", status: "sent" }] },
      { emails: [{ kind: "invitation", status: "bounced", reason: "hard_bounce" }] },
    ],
  });
  expect(out).not.toContain("/redeem/");
  expect((await runOps("order show GO-00044")).out).not.toContain("E-MAIL");
});

describe("email show", () => {
  test("shows the e-mails of a gift, the next one, and why there is none", async () => {
    const { out } = await runOps("email show GO-00042-4");
    expect(out).toMatch(/^gift +GO-00042-4\nclient +acme\nemail +bounced@example\.com\n/);
    expect(out).toMatch(/gift status +open\nnext e-mail +-\n/);
    expect(out).toMatch(
      /no e-mail because +the last e-mail was not delivered, so correct the address/,
    );
    expect(out).toMatch(/bounced .* hard_bounce +0 +message-bounced@example\.com\n$/);
    expect(await json("email show GO-00042-1")).toMatchObject({
      next: `reminder, ${formatDateTime(noonFrom(SENT_MS + 7 * DAY_MS, "AU"))}`,
      obstacle: null,
      emailsStopped: null,
      email: "ok@example.com",
    });
    const link = await json("email show 44001");
    expect(link).toMatchObject({ obstacle: "the client sends the link", next: null, emails: [] });
    await refusal(1, "there is no gift GO-00042-9 with a link", "email show GO-00042-9");
  });

  test("shows that the address has complained, and that nothing is sent at present", async () => {
    await addOrder(45, "acme", NOW_MS + DAY_MS, ["ok@example.com"]);
    const obstacle = async () =>
      (await json<{ obstacle: string | null }>("email show GO-00045-1")).obstacle;
    await sql(
      "UPDATE email_outbox SET paused_until_ms = ?, fault = 'E_DAILY_LIMIT_EXCEEDED'",
      NOW_MS + HOUR_MS,
    );
    expect(await obstacle()).toBe(
      `E_DAILY_LIMIT_EXCEEDED of the e-mail service: nothing is sent until ${formatDateTime(NOW_MS + HOUR_MS)}`,
    );
    await json("client suspend acme");
    expect(await obstacle()).toBe("the client is suspended");
    await json("client resume acme");
    await sql("INSERT INTO email_complaints VALUES ('c2a7ac3e', 0)");
    expect(await obstacle()).toContain("E_DAILY_LIMIT_EXCEEDED");
    // As in the sandbox, a complaint concerns the e-mails of one client.
    const address = new TextEncoder().encode("acme\nok@example.com");
    const own = await crypto.subtle.digest("SHA-256", address);
    await sql("INSERT INTO email_complaints VALUES (?, 0)", Buffer.from(own).toString("hex"));
    expect(await obstacle()).toBe("the owner of the address has reported an e-mail as spam");
    await sql("DELETE FROM email_complaints");
    await sql("UPDATE email_outbox SET paused_until_ms = NULL, fault = NULL");
    expect(await obstacle()).toBeNull();
  });
});

describe("email resend", () => {
  test("sends the link, also of an order whose client sends the links", async () => {
    await addOrder(46, "acme", null, ["first@example.com", "second@example.com"]);
    const { out } = await runOps("email resend GO-00046-2");
    expect(out).toBe(
      "Environment: local\nThe link of GO-00046-2 is sent to second@example.com within a minute.\n",
    );
    await send(Date.now());
    expect(await json("email show GO-00046-1")).toMatchObject({ emails: [] });
    expect(await json("email show GO-00046-2")).toMatchObject({ emails: [{ status: "sent" }] });
  });

  test("at a time, and is refused if the gift or the time does not permit it", async () => {
    await addOrder(47, "acme", null, ["later@example.com"]);
    const at = new Date(NOW_MS + 2 * DAY_MS).toISOString();
    expect(await json(`email resend 47001 --at ${at}`)).toEqual({
      environment: "local",
      suborder: "GO-00047-1",
      email: "later@example.com",
      sendAtMs: NOW_MS + 2 * DAY_MS,
    });
    expect(await json("email show 47001")).toMatchObject({
      next: `invitation, ${formatDateTime(NOW_MS + 2 * DAY_MS)}`,
    });
    const resend = "email resend GO-00047-1";
    await refusal(2, "--at must be a day or a timestamp", resend, "--at", "tomorrow");
    await refusal(1, "the time must be at most a year ahead", resend, "--at", "2099-01-01");
    await refusal(1, "there is no gift GO-00047-9 with a link", "email resend GO-00047-9");
    await refusal(
      1,
      "cannot be sent: the last e-mail was not delivered",
      "email resend GO-00042-4",
    );
  });
});

test("gift renew with an address sends the new link to it after a bounce", async () => {
  await addOrder(50, "acme", SENT_MS, ["typo@example.com"]);
  await send(SENT_MS, refusing({}));
  await bounce("typo@example.com");
  const renew = "gift renew GO-00050-1 --email";
  await refusal(2, "--email", renew, "nobody");
  await json(renew, "right@example.com");
  expect(await json("email show GO-00050-1")).toMatchObject({
    email: "right@example.com",
    obstacle: null,
    next: expect.stringMatching(/^invitation/),
  });
});

test("email stop ends the e-mails of a gift for good, also after a bounce", async () => {
  await addOrder(48, "acme", NOW_MS + DAY_MS, ["one@example.com", "two@example.com"]);
  const stopped = "its e-mails were stopped";
  const { out } = await runOps("email stop GO-00048-1");
  expect(out).toContain("No further e-mails are sent about GO-00048-1.");
  expect(await json("email show GO-00048-1")).toMatchObject({ next: null, obstacle: stopped });
  expect(await json("email show GO-00048-2")).toMatchObject({ obstacle: null });
  const refused = `are stopped already: ${stopped}. Nothing was changed.`;
  await refusal(1, refused, "email stop GO-00048-1");
  await refusal(1, `cannot be sent: ${stopped}`, "email resend GO-00048-1");
  await json("email stop GO-00043-2");
  expect(await json("email show GO-00043-2")).toMatchObject({ emailsStopped: "stopped" });
});

describe("email preview", () => {
  test("writes an e-mail in the client's colours and with its name, and sends nothing", async () => {
    const colours = { primaryColor: "#112233", secondaryColor: "#445566" };
    const branding = { logo: "https://a.example/a.png", claimLogo: "/b.svg", ...colours };
    const brandingFile = path.join(folder, "bloom.json");
    writeFileSync(brandingFile, JSON.stringify(branding));
    await json(
      "client set bloom --name Bloom --reply-to gifts@bloom.example --branding",
      brandingFile,
    );
    const count = async () => (await sql("SELECT 1 FROM emails")).results.length;
    const before = await count();
    const file = path.join(folder, "invitation.html");
    const words = ["--persist-to", state, "email", "preview", "invitation", "--client", "bloom"];
    const done = await run(NODE, [OPS, ...words, "--language", "de", "--output", file]);
    expect([done.code, done.out]).toEqual([0, ""]);
    expect(done.err).toContain(
      "From: Ada Park (Bloom) <gifts@regalo.example>\nReply to: gifts@bloom.example\nSubject: ",
    );
    const html = readFileSync(file, "utf8");
    for (const part of ['<html lang="de"', "#112233", "https://a.example/a.png", "Bloom"]) {
      expect(html).toContain(part);
    }
    expect(await count()).toBe(before);
  });

  test.each(["invitation", "reminder", "last_days", "shipped"])("of %s as text", async (kind) => {
    const { code, out } = await runOps(`email preview ${kind} --text --language fr`);
    expect([code, out]).toEqual([0, expect.stringContaining("/redeem/preview")]);
    expect(out).not.toContain("<html");
    expect(out.includes("DHL")).toBe(kind === "shipped");
  });

  test("refuses other kinds, languages and clients", async () => {
    await refusal(2, "Allowed choices are invitation, reminder", "email preview birthday");
    await refusal(2, "--language", "email preview shipped --language xx");
    await refusal(1, "there is no client none", "email preview shipped --client none");
  });
});
