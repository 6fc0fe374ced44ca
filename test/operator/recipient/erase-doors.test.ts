// Erasures by operators.
import { env } from "cloudflare:workers";
import { describe, expect, test } from "vitest";
import { toGiftNumber } from "../../../src/core/values/ids.ts";
import { wrapCalls } from "../../../src/platform/db/wrapped-calls.ts";
import { openConsole } from "../../console/console.ts";
import {
  createFinished,
  createPersonal,
  personalColumns,
} from "../../features/privacy/personal.ts";
import { changeParcels } from "../../support/gift.ts";
import { sql } from "../../support/sql.ts";
import { openOperatorApi } from "../operator-api.ts";

const reason = "Request 17";
const numberOf = ({ orderId }: { orderId: number }) => toGiftNumber(orderId, 1);

const entriesOf = async (orderId: number) => {
  const select = "SELECT subject, reason FROM audit_entries WHERE order_id = ? AND action = ?";
  return (await sql(select, orderId, "recipient erase").all()).results;
};

/** Adds cancelled gifts with this address to the order. */
async function addCancelled(orderId: number, count: number, email: string) {
  await sql(
    `INSERT INTO gifts (order_id, sequence, first_name, last_name, email, product_minor, shipping_minor, fee_minor, product_id,
       redemption_status, client_id)
     WITH RECURSIVE n (n) AS (SELECT 2 UNION ALL SELECT n + 1 FROM n WHERE n <= ?2)
     SELECT o.id, n, 'Max', 'Haddad', ?3, 0, 0, 0, o.product_id, 'cancelled', o.client_id
     FROM n, orders o WHERE o.id = ?1`,
    ...[orderId, count, email],
  ).run();
  await sql(
    "UPDATE gifts SET search_terms = json_object('email', json_array(email)) WHERE email = ?",
    email,
  ).run();
}

describe("recipient erase", async () => {
  const api = await openOperatorApi(["support"]);

  test("erases finished gifts, and is recorded with its reason", async () => {
    const gift = await createFinished();
    const input = { gift: [numberOf(gift)], reason };
    const done = await api.run("recipient erase", input);
    expect(done.lists).toEqual({ erased: [{ gift: numberOf(gift) }], kept: [] });
    expect(await personalColumns(gift)).toEqual([]);
    expect(await entriesOf(gift.orderId)).toEqual([{ subject: numberOf(gift), reason }]);
    expect(await api.plan("recipient erase", input)).toMatchObject({ will: null });
  });

  test("refuses all if a gift is unfinished, or skips it", async () => {
    const [finished, open] = [await createFinished(), await createPersonal()];
    const input = { gift: [numberOf(finished), numberOf(open)], reason };
    const refusal = await api.refusal("recipient erase", input);
    expect(refusal).toMatchObject({ status: 409, code: "refused" });
    expect(refusal.message).toContain(`${numberOf(open)} is neither accepted nor ended.`);
    expect(await personalColumns(finished)).not.toEqual([]);
    const done = await api.run("recipient erase", { ...input, skip_unfinished: true });
    expect(done.lists).toEqual({
      erased: [{ gift: numberOf(finished) }],
      kept: [{ gift: numberOf(open), reason: "is neither accepted nor ended" }],
    });
    expect(await personalColumns(open)).not.toEqual([]);
    const none = { gift: [numberOf(open)], skip_unfinished: true, reason };
    expect(await api.refusal("recipient erase", none)).toMatchObject({ status: 409 });
  });

  test("refuses a gift whose parcel came back, until it is decided what becomes of it", async () => {
    const gift = await createFinished();
    const parcel = { orderId: gift.orderId, sequence: 1 };
    await changeParcels("return", [{ ...parcel, problem: "refused" }]);
    const input = { gift: [numberOf(gift)], reason };
    const { message } = await api.refusal("recipient erase", input);
    expect(message).toContain(`${numberOf(gift)} is returned or failed.`);
    await sql("UPDATE orders SET status = 'cancieled' WHERE id = ?", gift.orderId).run();
    expect((await api.run("recipient erase", input)).lists).toMatchObject({ kept: [] });
  });

  test("erases the gifts of an address, of one client", async () => {
    const gift = await createFinished();
    const other = await createFinished();
    await addCancelled(other.orderId, 1, gift.email);
    const { clientId } = gift.client;
    const done = await api.run("recipient erase", { email: gift.email, client: clientId, reason });
    expect(done.lists["erased"]).toEqual([{ gift: numberOf(gift) }]);
    expect(await entriesOf(other.orderId)).toEqual([]);
  });

  test("says how many were erased if it is interrupted, and erases the others when it is repeated", async () => {
    const gift = await createFinished();
    const email = `max${gift.marker}@example.com`;
    await addCancelled(gift.orderId, 250, email);
    const erased = () =>
      sql(
        "SELECT count(*) AS n FROM gifts WHERE order_id = ? AND erased_at_ms IS NOT NULL",
        gift.orderId,
      ).first("n");
    const DB = wrapCalls(env.DB, async (call) => {
      if ((await erased()) === 200) throw new TypeError("fetch failed");
      return call();
    });
    const failing = await openOperatorApi(["support"], await openConsole({ env: { DB } }));
    const requestId = crypto.randomUUID();
    const first = await failing.run("recipient erase", { email, reason }, requestId);
    expect(first).toMatchObject({ hasProblems: true });
    expect(first.text).toContain("200 of 250 gifts");
    expect([await erased(), (await entriesOf(gift.orderId)).length]).toEqual([200, 200]);
    // The answer may be lost, so the same request is sent again.
    const { digest } = await api.plan("recipient erase", { email, reason });
    const query = { digest, request_id: requestId };
    const answer = await api.call("recipient erase", { email, reason }, query);
    const second = JSON.parse(answer.html);
    expect(second.lists["erased"]).toHaveLength(50);
    expect([await erased(), (await entriesOf(gift.orderId)).length]).toEqual([250, 250]);
    const third = await api.call("recipient erase", { email, reason }, query);
    expect([third.status, JSON.parse(third.html).repeated?.length]).toEqual([200, 50]);
  });

  test.each([
    [{}, 400, ["gift"]],
    [{ gift: ["GO-00042-1"], email: "a@example.com" }, 400, ["email"]],
    [{ email: "none@example.com" }, 404, []],
    [{ gift: ["GO-99999-1"] }, 404, []],
    [{ gift: ["GO-00042-1"], reason: "ana@example.com" }, 400, ["reason"]],
  ])("refuses %j with %d", async (input, status, fields) => {
    expect(await api.refusal("recipient erase", { reason, ...input })).toMatchObject({
      status,
      fields,
    });
  });
});
