// All gifts of an e-mail address, and what can be done with all of them.
import { expect, test } from "vitest";
import { suborderNumber } from "../../../src/core/values/ids.ts";
import { openConsole } from "../../console/console.ts";
import { openShop, orderOf, recipients, simpleProduct, unique } from "../../support/fixtures.ts";
import { placeOrder } from "../../support/orders.ts";
import { startWorker } from "../../support/worker.ts";
import { openOperatorApi } from "../operator-api.ts";

const opened = await openConsole();
const api = await openOperatorApi(["support"], opened);

/** Places a gift for the address, with a new client. */
async function giftFor(email: string): Promise<string> {
  const { client, product } = await openShop(simpleProduct());
  const details = recipients(1).map((recipient) => ({ ...recipient, email }));
  const order = orderOf(product, { recipient_details: details });
  const { order_data } = await placeOrder(startWorker(), client, order);
  return suborderNumber(order_data.order_id, 1);
}

test("shows all gifts of an address, also from one of them, and exports all of them", async () => {
  const email = `ada${String(unique())}@example.com`;
  const first = await giftFor(email);
  const second = await giftFor(email.toUpperCase());
  await giftFor(`other-${email}`);
  for (const input of [{ email }, { all_of: first }]) {
    const { headline, lists, actions } = await api.view("recipient show", input);
    expect(headline?.toLowerCase()).toBe(email);
    expect(lists["gifts"]).toMatchObject([
      { gift: second, status: "to ship" },
      { gift: first, status: "to ship" },
    ]);
    expect(actions).toEqual(["recipient export", "recipient erase"]);
  }
  const { rows } = await api.list("recipient export", { all_of: first, reason: "Request 17" });
  expect(rows.map(({ gift }) => gift)).toEqual([second, first]);
});

test("leads from a gift to its recipient, and from there to an export, without the address in a URL", async () => {
  const email = `noor${String(unique())}@example.com`;
  const gift = await giftFor(email);
  const user = await opened.signIn("support");
  const page = await user.get(`/gift/show?gift=${gift}`);
  expect(page.html).toContain(`href="/recipient/show?all_of=${gift}"`);
  const recipient = await user.get(`/recipient/show?all_of=${gift}`);
  expect(recipient.text).toContain(email);
  expect(recipient.html).toContain(`href="/recipient/export?all_of=${gift}"`);
  expect(recipient.html).not.toMatch(/(?:href|action)="[^"]*(?:@|%40)/);
});

test("refuses an address without gifts, and two persons at once", async () => {
  expect(await api.refusal("recipient show", { email: "unknown@example.com" })).toMatchObject({
    status: 404,
  });
  const both = { email: "unknown@example.com", all_of: "GO-00001-1" };
  expect(await api.refusal("recipient show", both)).toMatchObject({ status: 400 });
});
