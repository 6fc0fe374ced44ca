// The list of e-mails to recipients.
import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, test } from "vitest";
import { suborderNumber } from "../../../src/core/values/ids.ts";
import { DAY_MS, formatDay, HOUR_MS } from "../../../src/core/values/time.ts";
import { listAudit } from "../../../src/operator/audit/queries.ts";
import { emailService, MAILING, placeGifts, resetOutbox, runOutbox } from "../../support/emails.ts";
import { openShop } from "../../support/fixtures.ts";
import { sql } from "../../support/sql.ts";
import { startWorker } from "../../support/worker.ts";
import { openOperatorApi } from "../operator-api.ts";

const NOW_MS = Date.now();
const worker = startWorker({ env: MAILING });

beforeEach(resetOutbox);

/** The addresses of these gifts are refused with these codes. */
async function send(nowMs: number, codes: Record<string, string> = {}): Promise<void> {
  const service = emailService();
  service.fail = ({ to }) => codes[to];
  await runOutbox({ nowMs, service });
}

describe("email list", async () => {
  const api = await openOperatorApi(["viewer"]);

  async function world() {
    const shop = await openShop();
    const client = shop.client.clientId;
    const old = await placeGifts(worker, shop, 2);
    await send(Date.now());
    const recent = await placeGifts(worker, shop, 4);
    const [, wrong = "", later = ""] = recent.order["recipient_details"].map(
      ({ email }: { email: string }) => email,
    );
    await send(NOW_MS + 2 * HOUR_MS, { [wrong]: "E_VALIDATION_ERROR", [later]: "ETIMEDOUT" });
    return { client, old: old.orderId, recent: recent.orderId };
  }

  const rowsOf = async (input: object) => {
    const { rows } = await api.list("email list", { ...input });
    return rows.map(({ gift, status }) => `${gift as string} ${status as string}`);
  };

  test("has what was attempted since a time, by status, newest first", async () => {
    const { client, old, recent } = await world();
    const states = ["sent", "failed", "retry", "sent"].map(
      (status, index) => `${suborderNumber(recent, index + 1)} ${status}`,
    );
    const [sent1, failed, retry, sent4] = states;
    const since = new Date(NOW_MS + HOUR_MS).toISOString();
    expect(await rowsOf({ client, since })).toEqual(states.toReversed());
    expect(await rowsOf({ client, since, status: "problem" })).toEqual([retry, failed]);
    expect(await rowsOf({ client, status: "sent" })).toEqual([
      ...[sent4, sent1],
      ...[2, 1].map((sequence) => `${suborderNumber(old, sequence)} sent`),
    ]);
    const later = formatDay(NOW_MS + 2 * DAY_MS);
    expect(await rowsOf({ client, since: later })).toEqual([retry]);
    expect(await api.refusal("email list", { client: "none" })).toMatchObject({ code: /./ });
  });

  test("has the recipients' addresses on request, and records the reading", async () => {
    const { client, recent } = await world();
    const since = new Date(NOW_MS + HOUR_MS).toISOString();
    const addressesOf = async (input: object) =>
      (await api.list("email list", { client, since, ...input })).rows.map(({ email }) => email);
    const readings = async () => (await listAudit(env.DB, { orderId: recent, limit: 99 })).length;
    expect(await addressesOf({})).toEqual([null, null, null, null]);
    expect(await readings()).toBe(0);
    const all = await addressesOf({ addresses: true });
    expect(all).toHaveLength(4);
    for (const email of all) expect(email).toMatch(/^\S+@\S+$/);
    expect(await readings()).toBe(4);
  });

  test("has pages, and neither addresses nor links", async () => {
    const { client } = await world();
    await sql(`UPDATE emails SET message = '"/redeem/"' WHERE message IS NULL`).run();
    const all = await api.list("email list", { client });
    expect(all.rows).toHaveLength(6);
    expect(JSON.stringify(all)).not.toMatch(/@|redeem/);
    expect((await api.all("email list", { client }, 2)).rows).toEqual(all.rows);
  });
});
