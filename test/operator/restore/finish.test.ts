// A restore of the database, and files that do not belong to it. test/faults/restore.test.ts restores a database.
import { env } from "cloudflare:workers";
import { describe, expect, test } from "vitest";
import { RESTORE_ROOM } from "../../../src/operator/restore/finish.ts";
import { toGiftNumber } from "../../../src/core/values/ids.ts";
import { MINUTE_MS } from "../../../src/core/values/time.ts";
import { listAudit } from "../../../src/operator/audit/queries.ts";
import { type CodeContent, fingerprintsOf } from "../../../src/features/codes/seal.ts";
import { openConsole } from "../../console/console.ts";
import {
  createFinished,
  createPersonal,
  personalColumns,
} from "../../features/privacy/personal.ts";
import { LOST } from "../../support/faults.ts";
import { wrapCalls } from "../../../src/platform/db/wrapped-calls.ts";
import {
  addCodesTo,
  codeProduct,
  createClient,
  orderOf,
  recipients,
  unique,
} from "../../support/fixtures.ts";
import { brokenCodes } from "../../support/invariants.ts";
import { startWorker } from "../../support/worker.ts";
import { transition } from "../../support/transition.ts";
import { sql } from "../../support/sql.ts";
import { openOperatorApi } from "../operator-api.ts";

interface Prepared {
  facts: {
    environment: string;
    state: { ids: Record<string, number>; gifts: Record<string, unknown>[] };
  };
}

const fileOf = (content: string) => new File([content], "restore.json");

describe("restore finish", async () => {
  const nowMs = Date.now();
  const opened = await openConsole({ now: () => nowMs });
  const api = await openOperatorApi(["engineer"], opened);

  const prepare = async (): Promise<Prepared> =>
    JSON.parse(JSON.stringify(await api.view("restore prepare"))) as Prepared;

  /** What the database has apart from its audit log. */
  const dump = async () => {
    const { results } = await sql(
      "SELECT name, sql FROM sqlite_schema UNION ALL SELECT name, last_id FROM id_sequences ORDER BY 1, 2",
    ).all();
    return results;
  };

  test("does not restore what was erased, renewed or stopped, with one entry for each object", async () => {
    const [open, shipped, renewed] = [
      await createPersonal(),
      await createPersonal(),
      await createFinished(),
    ];
    const prepared = await prepare();
    const gifts = [open, shipped, renewed].map(({ orderId }) => orderId);
    const { results } = await sql(
      `SELECT o.id * 1000 + 1 AS id, o.link_nonce AS nonce, o.created_at_ms AS placedAtMs
       FROM orders o WHERE o.id IN (SELECT value FROM json_each(?)) ORDER BY o.id`,
      JSON.stringify(gifts),
    ).all();
    // As if the gifts had been changed after the moment to which the database is restored.
    prepared.facts.state.gifts = results.map((key, index) => ({
      ...key,
      linkGeneration: 2,
      emailsStopped: "stopped",
      isErased: 1,
      hasShipment: index === 1 ? 1 : 0,
    }));
    const file = fileOf(JSON.stringify(prepared));
    const requestId = crypto.randomUUID();
    // The database is lost after the first recorded transaction, and the request is sent again.
    const DB = wrapCalls(env.DB, async (call) => {
      const select = "SELECT 1 AS n FROM audit_entries WHERE request_id = ?";
      if ((await sql(select, requestId).first()) !== null) throw new Error(LOST);
      return call();
    });
    const failing = await openOperatorApi(["engineer"], await openConsole({ env: { DB } }));
    const { digest } = await api.plan("restore finish", { file });
    const query = { digest, request_id: requestId };
    expect((await failing.call("restore finish", { file }, query)).status).toBe(503);
    const answer = await api.call("restore finish", { file }, query);
    const done = JSON.parse(answer.html);
    const numberOf = ({ orderId }: { orderId: number }) => toGiftNumber(orderId, 1);
    // A gift that was shipped is not cancelled, although it is open again.
    expect(done.lists).toMatchObject({
      erased: [{ gift: numberOf(open) }, { gift: numberOf(renewed) }],
      not_erased: [{ gift: numberOf(shipped), reason: "can still be accepted" }],
    });
    expect([await personalColumns(open), await personalColumns(renewed)]).toEqual([[], []]);
    const entries = await listAudit(env.DB, { requestId, limit: 9 });
    expect(entries.map(({ subject }) => subject).toSorted()).toEqual(
      [numberOf(open).slice(0, -2), ...[open, shipped, renewed].map(numberOf)].toSorted(),
    );
    const select =
      "SELECT link_generation AS generation, emails_stopped AS stopped FROM gifts WHERE order_id = ?";
    for (const orderId of gifts) {
      expect(await sql(select, orderId).first()).toEqual({ generation: 2, stopped: "stopped" });
    }
    const again = await api.run("restore finish", { file });
    expect(again.lists).toMatchObject({ reserved: [], events: [], erased: [] });
  });

  test("gives out no code again that was given out after the moment, also if it is uploaded again", async () => {
    const product = codeProduct();
    const client = await createClient({ products: [product], billing: "invoice" });
    const texts = Array.from({ length: 5 }, () => ({ code: `RESTORED-${String(unique())}` }));
    await addCodesTo(product, texts);
    const place = async (qty: number) => {
      const body = orderOf(product, { recipient_details: recipients(qty) });
      const { json } = await startWorker().post(client, "/api/order", body);
      return json.order_data.order_id as number;
    };
    const [paid, unpaid] = [await place(1), await place(2)];
    const pay = (id: number) => transition(env.DB, id, "pay", nowMs);
    const codes = async () => {
      const select = `SELECT id, sequence AS gift, void_reason AS void, expires_at_ms AS expires
        FROM codes WHERE product_id = ? ORDER BY id`;
      return (await sql(select, product.product.id).all<{ id: number }>()).results;
    };
    await pay(paid);
    const prepared = await prepare();
    const state = prepared.facts.state as unknown as { codes: { id: number }[] };
    const [bound, ...free] = await codes();
    const used = state.codes.find(({ id }) => id === bound?.id);
    expect(used).toMatchObject({ productId: product.product.id });
    // As if all but the last one had been given out since then. One is lost, because it was uploaded since then.
    state.codes = [used, ...free.slice(0, 3).map(({ id }) => ({ ...used, id }))] as {
      id: number;
    }[];
    await sql("DELETE FROM codes WHERE id = ?", free[0]?.id).run();
    await sql("UPDATE stock SET quantity = 1 WHERE product_id = ?", product.product.id).run();
    const fingerprint = await fingerprintsOf(env, {
      ...texts[1],
      pin: null,
      url: null,
    } as CodeContent);
    Object.assign(state.codes[1] ?? {}, { fingerprint: fingerprint[0] });
    const file = fileOf(JSON.stringify(prepared));
    await api.run("restore finish", { file });
    const expected = [
      { gift: 1, void: null },
      { gift: null, void: "used before the restore" },
      { gift: null, void: null, expires: nowMs },
      { gift: null, void: null, expires: nowMs },
      { gift: null, void: null, expires: null },
    ];
    const restored = await codes();
    expect(restored).toMatchObject(expected);
    await api.run("restore finish", { file });
    expect(await codes()).toEqual(restored);
    await addCodesTo(product, texts);
    expect(await codes()).toEqual(restored);
    expect(await brokenCodes([product.product.id])).toEqual([]);
    await pay(unpaid);
    const given = (await codes()).filter(({ id }) => id === free[3]?.id);
    expect(given).toMatchObject([{ gift: 1 }]);
    expect(await brokenCodes([product.product.id])).toEqual([]);
  });

  test("reserves ids and tells clients of lost events", async () => {
    const { client } = await createPersonal();
    const prepared = await prepare();
    const { state } = prepared.facts as unknown as {
      state: { ids: { webhooks: number }; events: { clientId: string; sequence: number }[] };
    };
    state.ids.webhooks += 5;
    const own = state.events.find(({ clientId }) => clientId === client.clientId);
    if (own) own.sequence += 7;
    state.events.push({ clientId: "lost", sequence: 1 });
    const done = await api.run("restore finish", { file: fileOf(JSON.stringify(prepared)) });
    expect(done.lists).toMatchObject({
      reserved: [{ kind: "webhooks", id: state.ids.webhooks }],
      events: [{ client: client.clientId, sequence: own?.sequence }],
      lost_clients: [{ client: "lost" }],
    });
    const last = await sql(
      "SELECT type, sequence FROM events WHERE client_id = ? ORDER BY sequence DESC LIMIT 1",
      client.clientId,
    ).first();
    expect(last).toEqual({ type: "data.restored", sequence: (own?.sequence ?? 0) + 1 });
  });

  test.each([
    ["is cut off", (text: string) => text.slice(0, -1)],
    [
      "is of another environment",
      (text: string) => text.replace(/("environment":")\w+/, "$1other"),
    ],
    ["lacks a part", (text: string) => text.replace('"complaints"', '"other"')],
    ["is no object", () => "null"],
  ])("refuses a file that %s", async (_, changed) => {
    const before = await dump();
    const file = fileOf(changed(JSON.stringify(await prepare())));
    expect(await api.refusal("restore finish", { file })).toMatchObject({
      status: 400,
      fields: ["file"],
    });
    expect(await dump()).toEqual(before);
  });

  const GIFT = { id: 1_001, nonce: null, placedAtMs: 1, linkGeneration: 0, emailsStopped: null };
  const WRONG: [string, unknown][] = [
    ["ids", []],
    ["ids.orders", { orders: 9e15 }],
    ["ids.webhooks", { orders: 1, webhooks: "7" }],
    ["catalogues", {}],
    ["catalogues[0].version", [{ id: 1, version: 1.5 }]],
    ["events[0].sequence", [{ clientId: "a", sequence: 9e15 }]],
    ["events[0]", ["a"]],
    ["restrictions[0]", [{ kind: "order", id: 1 }]],
    [
      "restrictions[0]",
      [{ kind: "credential", id: 1, clientId: "a", status: "revoked", origin: "x", detail: "y" }],
    ],
    ["complaints[0].digest", [{ digest: null, createdAtMs: 1 }]],
    ["gifts[0].isErased", [{ ...GIFT, isErased: true, hasShipment: 0 }]],
    ["gifts", null],
  ];

  test.each(WRONG)("names %s if it has another type or is too large", async (place, value) => {
    const { facts } = await prepare();
    const [part = ""] = place.split(/[.[]/);
    const state = { ...facts.state, [part]: value };
    const file = fileOf(JSON.stringify({ facts: { ...facts, state } }));
    const refused = await api.refusal("restore finish", { file });
    expect(refused).toMatchObject({ status: 400, fields: ["file"] });
    expect(refused.message).toContain(`facts.state.${place} `);
  });

  test.each([
    [{}, ["file"]],
    [{ file: fileOf("{}"), restored_to: "2026-01-01" }, ["restored_to"]],
    [{ restored_to: "2999-01-01" }, ["restored_to"]],
  ])("refuses other inputs than a file or a time in the past (%#)", async (input, fields) => {
    expect(await api.refusal("restore finish", input)).toMatchObject({ status: 400, fields });
  });

  test("keeps the rule that events follow each other, whatever the restored database had", async () => {
    const select = "SELECT sql FROM sqlite_schema WHERE name = 'events_follow_each_other'";
    const migrated = await sql(select).first("sql");
    await sql("DROP TRIGGER events_follow_each_other").run();
    await api.run("restore finish", { file: fileOf(JSON.stringify(await prepare())) });
    expect(await sql(select).first("sql")).toBe(migrated);
  });

  const readNumbers = () =>
    sql(
      `SELECT (SELECT last_id FROM id_sequences WHERE name = 'products') AS products,
         (SELECT max(sequence) FROM events WHERE type = 'data.restored') AS sequence`,
    ).first<{ products: number; sequence: number }>();

  test("raises ids and sequences once without a file, and refuses an older file", async () => {
    const { client } = await createPersonal();
    const set = { client: client.clientId, scope: "read" };
    const issue = async () => Number((await api.run("credential issue", set)).facts["set"]);
    const issued = await issue();
    await sql("INSERT INTO id_sequences VALUES ('products', 7) ON CONFLICT DO NOTHING").run();
    const file = fileOf(JSON.stringify(await prepare()));
    const own = await readNumbers();
    // After the restores of other tests.
    const at = async (minutes: number) =>
      openOperatorApi(["engineer"], await openConsole({ now: () => nowMs + minutes * MINUTE_MS }));
    const input = { restored_to: new Date(nowMs + 7.5 * MINUTE_MS).toISOString() };
    await (await at(10)).run("restore finish", input);
    const room = 3 * RESTORE_ROOM;
    const raised = await readNumbers();
    expect(raised).toMatchObject({ products: (own?.products ?? 0) + room });
    expect(await issue()).toBe(issued + room + 1);
    expect(raised?.sequence).toBeGreaterThan(room);
    const later = await at(11);
    expect(await later.refusal("restore finish", input)).toMatchObject({ status: 409 });
    expect(await later.refusal("restore finish", { file })).toMatchObject({ status: 409 });
    expect(await readNumbers()).toEqual(raised);
  });
});
