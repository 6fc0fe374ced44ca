// What a restore of the database must not undo, and files that do not have it. test/faults/restore.test.ts restores a database.
import { env } from "cloudflare:workers";
import { describe, expect, test } from "vitest";
import { toGiftNumber } from "../../../src/core/values/ids.ts";
import { MINUTE_MS } from "../../../src/core/values/time.ts";
import { RESTORE_ROOM } from "../../../src/operator/restore/finish.ts";
import type { LastingState } from "../../../src/operator/restore/lasting-queries.ts";
import { wrapCalls } from "../../../src/platform/db/wrapped-calls.ts";
import { openConsole } from "../../console/console.ts";
import {
  createFinished,
  createPersonal,
  personalColumns,
} from "../../features/privacy/personal.ts";
import { LOST } from "../../support/faults.ts";
import {
  addCodesTo,
  codeProduct,
  createClient,
  orderOf,
  recipients,
  simpleProduct,
  unique,
} from "../../support/fixtures.ts";
import { MAILING } from "../../support/emails.ts";
import { createGift, postForm } from "../../support/gift.ts";
import { brokenCodes } from "../../support/invariants.ts";
import { sql } from "../../support/sql.ts";
import { transition } from "../../support/transition.ts";
import { createWebhook } from "../../support/webhooks.ts";
import { startWorker } from "../../support/worker.ts";
import { openOperatorApi } from "../operator-api.ts";
import { lastingFile } from "../samples.ts";

const nowMs = Date.now();
const timeAt = (minutes: number) => new Date(nowMs + minutes * MINUTE_MS).toISOString();
const consoleAt = (minutes: number, options = {}) =>
  openConsole({ now: () => nowMs + minutes * MINUTE_MS, ...options });
const apiAt = async (minutes: number, options = {}) =>
  openOperatorApi(["engineer"], await consoleAt(minutes, options));

const restored_to = timeAt(5);

describe("restore finish", async () => {
  const api = await apiAt(10);
  const worker = startWorker();

  /** What `restore list` has of these objects. */
  const lastingOf = async (...objects: unknown[]) => {
    const { facts } = await api.view("restore list", { since: timeAt(-1) });
    const all = Object.entries(facts["lasting"] as unknown as LastingState);
    const found = all.map(([name, rows]) => [
      name,
      rows.filter(({ object }) => objects.includes(object)),
    ]);
    return Object.fromEntries(found.filter(([, rows]) => rows?.length)) as Partial<LastingState>;
  };

  test("repeats what partners and recipients have replaced, stopped and deleted", async () => {
    const { client, orderId, path } = await createGift(worker, [simpleProduct()]);
    const { webhook_id: webhook } = await createWebhook(worker, client);
    const form = { "List-Unsubscribe": "One-Click" };
    await postForm(worker, path.replace("/redeem/", "/stop-emails/"), form);
    const gift = { suborder_id: orderId * 1000 + 1 };
    for (let n = 0; n < 2; n++) await worker.post(client, "/api/gift-link/renew", gift);
    await worker.post(client, "/api/webhook/delete", { webhook_id: webhook });
    const lasting = await lastingOf(toGiftNumber(orderId, 1), webhook);
    const actions = ["email stop", "gift renew", "webhook"];
    expect(Object.keys(lasting).toSorted()).toEqual(actions);
    const undo = "UPDATE gifts SET link_generation = 0, emails_stopped = NULL WHERE order_id = ?";
    await sql(undo, orderId).run();
    await sql("UPDATE webhooks SET status = 'enabled' WHERE id = ?", webhook).run();
    const input = { restored_to, file: await lastingFile(lasting) };
    expect((await api.run("restore finish", input)).lists).toEqual({ not_repeated: [] });
    const select = `SELECT link_generation AS links, emails_stopped AS stopped, w.status
      FROM gifts, webhooks w WHERE order_id = ? AND w.id = ?`;
    const state = { links: 2, stopped: "stopped", status: "disabled" };
    expect(await sql(select, orderId, webhook).first()).toEqual(state);
    await api.run("restore finish", input);
    expect(await sql(select, orderId, webhook).first()).toEqual(state);
  });

  test("sends the replaced link of a gift to no address that may have been wrong", async () => {
    const { orderId } = await createGift(startWorker({ env: MAILING }), [simpleProduct()], {
      send_method: "email",
    });
    const object = toGiftNumber(orderId, 1);
    const file = await lastingFile({ "gift renew": [{ object, linkGeneration: 1 }] });
    await api.run("restore finish", { restored_to, file });
    const select =
      "SELECT link_generation AS links, next_email_ms AS next FROM gifts WHERE order_id = ?";
    expect(await sql(select, orderId).first()).toEqual({ links: 1, next: null });
  });

  test("erases again, cancels a gift that is open again first, and continues after a failure", async () => {
    const [open, shipped, done] = [
      await createPersonal(),
      await createPersonal(),
      await createFinished(),
    ];
    const gifts = [open, done, shipped].map((gift) => ({
      object: toGiftNumber(gift.orderId, 1),
      hasEnded: gift === shipped ? 0 : 1,
    }));
    const input = { restored_to, file: await lastingFile({ "recipient erase": gifts }) };
    // The database is lost after the first gift is erased.
    const DB = wrapCalls(env.DB, async (call) => {
      const select = "SELECT 1 AS n FROM gifts WHERE order_id = ? AND erased_at_ms IS NOT NULL";
      if ((await sql(select, open.orderId).first()) !== null) throw new Error(LOST);
      return call();
    });
    const failing = await apiAt(10, { env: { DB } });
    const { digest } = await api.plan("restore finish", input);
    const query = { digest, request_id: crypto.randomUUID() };
    expect((await failing.call("restore finish", input, query)).status).not.toBe(200);
    const again = await api.run("restore finish", input);
    expect(again.lists["not_repeated"]).toMatchObject([{ object: gifts[2]?.object }]);
    expect([await personalColumns(open), await personalColumns(done)]).toEqual([[], []]);
    expect(await personalColumns(shipped)).not.toEqual([]);
  });

  test("gives out no code again that was given out, also if it is uploaded again", async () => {
    const product = codeProduct();
    const { id } = product.product;
    const client = await createClient({ products: [product], billing: "invoice" });
    const texts = Array.from({ length: 5 }, () => ({ code: `RESTORED-${String(unique())}` }));
    await addCodesTo(product, texts);
    const place = async (qty: number) => {
      const body = orderOf(product, { recipient_details: recipients(qty) });
      const { json } = await worker.post(client, "/api/order", body);
      return json.order_data.order_id as number;
    };
    const [paid, unpaid] = [await place(1), await place(2)];
    const pay = (order: number) => transition(env.DB, order, "pay", nowMs);
    const codes = async () => {
      const select = `SELECT id, sequence AS gift, void_reason AS void, expires_at_ms AS expires, fingerprint
        FROM codes WHERE product_id = ? ORDER BY id`;
      const { results } = await sql(select, id).all<{ id: number; fingerprint: string }>();
      return results;
    };
    await pay(paid);
    const [bound, ...free] = await codes();
    const used = (await lastingOf(bound?.id)).code?.[0];
    expect(used).toMatchObject({ productId: id });
    // As if all but the last one had been given out since then. One is lost, because it was uploaded since then.
    const code = [bound, ...free.slice(0, 3)].map((each) => ({
      ...used,
      object: each?.id,
      fingerprint: each?.fingerprint,
    }));
    await sql("DELETE FROM codes WHERE id = ?", free[0]?.id).run();
    await sql("UPDATE stock SET quantity = 1 WHERE product_id = ?", id).run();
    const input = { restored_to, file: await lastingFile({ code }) };
    await api.run("restore finish", input);
    const expires = nowMs + 10 * MINUTE_MS;
    const expected = [
      { gift: 1, void: null },
      { gift: null, void: "used before the restore" },
      { gift: null, void: null, expires },
      { gift: null, void: null, expires },
      { gift: null, void: null, expires: null },
    ];
    const restored = await codes();
    expect(restored).toMatchObject(expected);
    await api.run("restore finish", input);
    await addCodesTo(product, texts);
    expect(await codes()).toEqual(restored);
    await transition(env.DB, unpaid, "pay", expires);
    expect((await codes()).filter(({ id: each }) => each === free[3]?.id)).toMatchObject([
      { gift: 1 },
    ]);
    expect(await brokenCodes([id])).toEqual([]);
  });

  test("erases a gift again that had expired, and is closed or open again", async () => {
    const { orderId } = await createPersonal();
    const object = toGiftNumber(orderId, 1);
    const ended = "UPDATE gifts SET redemption_status = 'expired' WHERE order_id = ?";
    await sql(ended, orderId).run();
    await api.run("recipient erase", { gift: [object], reason: "Ticket 4" });
    const file = await lastingFile(await lastingOf(object));
    const again = await createPersonal();
    const text = (await file.text()).replaceAll(object, toGiftNumber(again.orderId, 1));
    await api.run("restore finish", { restored_to, file: new File([text], "lasting.json") });
    expect(await personalColumns(again)).toEqual([]);
  });

  test("raises ids and sequences, and tells each client of it", async () => {
    const { client } = await createPersonal();
    const readNumbers = () =>
      sql(
        `SELECT (SELECT last_id FROM id_sequences WHERE name = 'products') AS products,
           (SELECT staged_version FROM catalogues WHERE name = ?) AS version, (SELECT max(id) FROM audit_entries) AS entry,
           (SELECT max(sequence) FROM events WHERE client_id = ?) AS sequence`,
        client.catalogue,
        client.clientId,
      ).first<Record<"products" | "version" | "entry" | "sequence", number>>();
    const own = await readNumbers();
    const later = await apiAt(20);
    const input = { restored_to: timeAt(17.5) };
    await later.run("restore finish", input);
    const room = 3 * RESTORE_ROOM;
    const raised = await readNumbers();
    const { products = 0, version = 0, sequence = 0, entry = 0 } = own ?? {};
    expect(raised).toMatchObject({ products: products + room, version: version + room });
    expect(raised).toMatchObject({ sequence: sequence + room });
    expect(raised?.entry).toBeGreaterThanOrEqual(entry + room);
    const select =
      "SELECT type, data FROM events WHERE client_id = ? ORDER BY sequence DESC LIMIT 1";
    const data = JSON.stringify({ lastSequence: sequence });
    expect(await sql(select, client.clientId).first()).toEqual({ type: "data.restored", data });
    const { facts } = await later.run("credential issue", {
      client: client.clientId,
      scope: "read",
    });
    expect(Number(facts["set"])).toBeGreaterThan(room);
  });

  test.each([
    ["is cut off", (text: string) => text.slice(0, -1)],
    [
      "is of another environment",
      (text: string) => text.replace(/("environment":")\w+/, "$1other"),
    ],
    ["lacks a part", (text: string) => text.replace('"complaint"', '"other"')],
    ["has no object", (text: string) => text.replace('"complaint":[', '"complaint":[{}')],
    ["is no object", () => "null"],
    ["begins later", (text: string) => text.replace('"since":"2020', '"since":"2999')],
  ])("refuses a file that %s", async (_, changed) => {
    const file = new File([changed(await (await lastingFile({})).text())], "lasting.json");
    const refused = await api.refusal("restore finish", { restored_to, file });
    expect(refused).toMatchObject({ status: 400, fields: ["file"] });
  });

  test("refuses a time in the future", async () => {
    const refused = await api.refusal("restore finish", { restored_to: "2999-01-01" });
    expect(refused).toMatchObject({ status: 400, fields: ["restored_to"] });
  });
});
