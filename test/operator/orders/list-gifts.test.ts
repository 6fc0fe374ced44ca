// The operation `gift list`.
import { env } from "cloudflare:workers";
import { expect, test } from "vitest";
import { suborderNumber } from "../../../src/core/values/ids.ts";
import { dayIn } from "../../../src/core/values/redeem-by.ts";
import { DAY_MS } from "../../../src/core/values/time.ts";
import { listAudit } from "../../../src/operator/audit/queries.ts";
import { recipients, simpleProduct } from "../../support/fixtures.ts";
import { accept, createGift } from "../../support/gift.ts";
import { startWorker } from "../../support/worker.ts";
import { openOperatorApi } from "../operator-api.ts";

test("lists the open gifts of a client by pages, and records each that is shown", async () => {
  const api = await openOperatorApi(["viewer"]);
  const nowMs = Date.now();
  const redeem_by = dayIn(40, nowMs);
  const placing = startWorker({ now: () => nowMs - 3 * DAY_MS });
  const product = simpleProduct({}, { quantity: 10 });
  const details = { recipient_details: recipients(4), redeem_by };
  const { client, orderId, paths } = await createGift(placing, [product], details);
  await accept(startWorker(), paths[1] ?? "");
  const filter = { client: client.clientId };
  const number = (sequence: number) => suborderNumber(orderId, sequence);
  const first = await api.list("gift list", filter, { limit: 2 });
  expect(first.rows).toMatchObject([
    { gift: number(1), email: "recipient0@example.com", last_day: redeem_by },
    { gift: number(3) },
  ]);
  const after = first.next ?? "";
  const second = await api.list("gift list", filter, { limit: 2, after });
  expect([second.rows.map(({ gift }) => gift), second.next]).toEqual([[number(4)], null]);
  const entries = await listAudit(env.DB, { orderId, limit: 9 });
  expect(entries.map(({ action, subject }) => [action, subject]).sort()).toEqual(
    [1, 3, 4].map((sequence) => ["gift list", number(sequence)]),
  );
  expect((await api.list("gift list", { ...filter, older_than: "2d" })).rows).toHaveLength(3);
  expect((await api.list("gift list", { ...filter, older_than: "90h" })).rows).toEqual([]);
  expect(await api.refusal("gift list", { older_than: "30" })).toMatchObject({
    fields: ["older_than"],
  });
});
