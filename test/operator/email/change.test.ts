// Operators send a gift's link by e-mail, and stop the e-mails about it.
import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, test } from "vitest";
import { suborderNumber } from "../../../src/core/values/ids.ts";
import { DAY_MS } from "../../../src/core/values/time.ts";
import { listAudit } from "../../../src/operator/audit/queries.ts";
import { openConsole } from "../../console/console.ts";
import { emailService, MAILING, resetOutbox, runOutbox } from "../../support/emails.ts";
import { simpleProduct } from "../../support/fixtures.ts";
import { accept, createGift } from "../../support/gift.ts";
import { sql } from "../../support/sql.ts";
import { startWorker } from "../../support/worker.ts";
import { openOperatorApi } from "../operator-api.ts";

const worker = startWorker({ env: MAILING });
const reason = "Ticket 8";

beforeEach(resetOutbox);

async function newGift() {
  const { orderId, path } = await createGift(worker, [simpleProduct()]);
  return { orderId, path, gift: suborderNumber(orderId, 1) };
}

const stateOf = (orderId: number) =>
  sql(
    "SELECT next_email AS next, next_email_ms AS atMs, emails_stopped AS stopped FROM sub_orders WHERE order_id = ?",
    orderId,
  ).first<{ next: string | null; atMs: number | null; stopped: string | null }>();

describe("email resend", async () => {
  const api = await openOperatorApi(["support"], await openConsole({ env: MAILING }));

  test("sends the link, also of an order whose client sends the links", async () => {
    const { orderId, gift } = await newGift();
    expect(await stateOf(orderId)).toMatchObject({ next: null });
    await api.run("email resend", { gift });
    const service = emailService();
    await runOutbox({ service });
    expect(service.sent.map(({ to }) => to)).toEqual(["recipient0@example.com"]);
    const [entry] = await listAudit(env.DB, { orderId, limit: 1 });
    expect(entry).toMatchObject({ action: "email resend", reason: null });
    expect(JSON.stringify(entry)).not.toContain("@example");
  });

  test("sends it at a time, at most a year ahead", async () => {
    const { orderId, gift } = await newGift();
    const atMs = Date.now() + 2 * DAY_MS;
    const at = new Date(atMs).toISOString();
    await api.run("email resend", { gift, at });
    const { facts } = await api.view("gift show", { gift });
    expect(facts).toMatchObject({ next_email: "invitation" });
    expect(await stateOf(orderId)).toMatchObject({ next: "invitation", atMs });
    for (const wrong of ["tomorrow", "2099-01-01"]) {
      const refusal = await api.refusal("email resend", { gift, at: wrong });
      expect(refusal).toMatchObject({ status: 400, fields: ["at"] });
    }
  });

  test("is refused after three invitations, for an accepted gift, and without a link", async () => {
    const { gift } = await newGift();
    for (let sent = 0; sent < 3; sent += 1) {
      await api.run("email resend", { gift });
      await runOutbox({ service: emailService() });
    }
    expect(await api.refusal("email resend", { gift })).toMatchObject({ status: 409 });
    const accepted = await newGift();
    await accept(worker, accepted.path);
    expect(await api.refusal("email resend", { gift: accepted.gift })).toMatchObject({
      status: 409,
    });
  });

  test("is refused where e-mails are switched off", async () => {
    const off = await openOperatorApi(["support"], await openConsole({ env: { EMAIL_FROM: "" } }));
    const { gift } = await newGift();
    expect(await off.refusal("email resend", { gift })).toMatchObject({ status: 409 });
  });
});

describe("email stop", async () => {
  const api = await openOperatorApi(["support"], await openConsole({ env: MAILING }));

  test("ends the e-mails of a gift for good, also after a bounce", async () => {
    const { orderId, gift } = await newGift();
    await sql("UPDATE sub_orders SET emails_stopped = 'bounced' WHERE order_id = ?", orderId).run();
    await api.run("email stop", { gift, reason });
    expect(await stateOf(orderId)).toMatchObject({ stopped: "stopped" });
    const [entry] = await listAudit(env.DB, { orderId, limit: 1 });
    expect(entry).toMatchObject({
      action: "email stop",
      reason,
      after: { emailsStopped: "stopped" },
    });
    expect(await api.refusal("email stop", { gift, reason })).toMatchObject({ status: 409 });
    expect(await api.refusal("email resend", { gift })).toMatchObject({ status: 409 });
  });
});
