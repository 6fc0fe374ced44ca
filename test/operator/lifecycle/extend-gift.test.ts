// The operation `gift extend`.
import { expect, test } from "vitest";
import { dayIn } from "../../../src/core/values/redeem-by.ts";
import { suborderNumber } from "../../../src/core/values/ids.ts";
import { createGift } from "../../support/gift.ts";
import { simpleProduct } from "../../support/fixtures.ts";
import { startWorker } from "../../support/worker.ts";
import { openOperatorApi } from "../operator-api.ts";

const worker = startWorker();

const api = await openOperatorApi(["support"]);
const redeem_by = dayIn(40, Date.now());

test("plans without a change, then sets the last day of this gift alone", async () => {
  const { orderId, client } = await createGift(worker, [simpleProduct()]);
  const input = { gift: suborderNumber(orderId, 1), redeem_by };
  const plan = await api.plan("gift extend", input);
  expect(plan.changes).toEqual([{ label: "Last day", before: null, after: redeem_by }]);
  const redeemBy = async () => (await worker.get(client, "/api/orders")).json.orders[0].redeem_by;
  expect(await redeemBy()).toBeNull();
  await api.run("gift extend", input);
  const { lists } = await api.view("order show", { order: String(orderId) });
  expect(lists["gifts"]).toMatchObject([{ gift: input.gift, last_day: redeem_by }]);
  expect(await api.refusal("gift extend", input)).toMatchObject({ code: "refused" });
  const past = { ...input, redeem_by: "2020-01-01" };
  expect(await api.refusal("gift extend", past)).toMatchObject({ fields: ["redeem_by"] });
});
