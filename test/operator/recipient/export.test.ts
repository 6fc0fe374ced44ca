// All gifts of an e-mail address, and exports of personal data.
import { env } from "cloudflare:workers";
import { expect, test } from "vitest";
import { orderNumber, toGiftNumber } from "../../../src/core/values/ids.ts";
import { listAudit } from "../../../src/operator/audit/queries.ts";
import { expiryOf } from "../../../src/core/values/redeem-by.ts";
import { openConsole } from "../../console/console.ts";
import {
  createFinished,
  createPersonal,
  type PersonalGift,
} from "../../features/privacy/personal.ts";
import {
  addCodesTo,
  codeProduct,
  openShop,
  orderOf,
  recipients,
  simpleProduct,
  unique,
} from "../../support/fixtures.ts";
import { changeParcels } from "../../support/gift.ts";
import { startWorker } from "../../support/worker.ts";
import { openOperatorApi } from "../operator-api.ts";
import { placeOrder } from "../../support/orders.ts";

const reason = "Request 17";

/** What is stored about a finished gift. */
const exportOf = ({ marker, client, body, email, orderId }: PersonalGift) => ({
  order: orderNumber(orderId),
  client: client.clientId,
  reference: body["order_ref_id"],
  order_status: "paid",
  method: "api-giftlink",
  sender_name: `Sender ${marker}`,
  order_metadata: { campaign: marker },
  first_name: `First ${marker}`,
  last_name: `Last ${marker}`,
  email,
  phone_number: `+61 ${marker}`,
  language: "de",
  external_id: `external ${marker}`,
  metadata: { employee: marker },
  message: `Dear ${marker}`,
  address_line_1: `2 ${marker}`,
  country: "AU",
  delivery_notes: `Gate ${marker}`,
  status: "redeemed",
  redeemed: expect.stringMatching(/^\d{4}-.*Z$/) as string,
  thank_you: `Thanks from ${marker}`,
  shipment: "shipped",
  carrier: "DHL",
  tracking_number: `2-${marker}`,
  tracking_url: null,
  problem: null,
  earlier_tracking: [
    {
      status: "shipped",
      problem: null,
      carrier: "DHL",
      tracking_number: marker,
      delivered_date: null,
      tracking_url: `https://dhl.example/${marker}`,
    },
  ],
  erased: null,
});

const opened = await openConsole();
const api = await openOperatorApi(["support"], opened);

test("has everything that is stored, of all gifts of an address or of named ones", async () => {
  const first = await createFinished();
  const second = await createPersonal();
  await env.DB.prepare("UPDATE gifts SET delivery_email = ? WHERE order_id = ?")
    .bind(first.email, second.orderId)
    .run();
  const gift = toGiftNumber(first.orderId, 1);
  const all = await api.list("recipient export", { email: ` ${first.email} `, reason });
  expect(all.rows.map((row) => row["gift"])).toContain(gift);
  expect(all.rows.find((row) => row["gift"] === gift)).toMatchObject(exportOf(first));
  const one = await api.list("recipient export", { gift: [gift], reason });
  expect(one.rows).toEqual(all.rows.filter((row) => row["gift"] === gift));
  const ofOther = { email: first.email, client: second.client.clientId, reason };
  expect(await api.refusal("recipient export", ofOther)).toMatchObject({ status: 404 });
});

test("the plan of an erasure and the export of one gift say how many others its recipient has", async () => {
  const { client, product } = await openShop();
  const email = `${String(unique())}@example.com`;
  const recipient_details = recipients(2).map((each) => ({ ...each, email }));
  const placed = await placeOrder(startWorker(), client, orderOf(product, { recipient_details }));
  const other = await openShop();
  await placeOrder(
    startWorker(),
    other.client,
    orderOf(other.product, {
      recipient_details: recipients(1).map((each) => ({ ...each, email: email.toUpperCase() })),
    }),
  );
  const gift = toGiftNumber(placed.order_data.order_id, 1);
  await changeParcels("ship", [{ orderId: placed.order_data.order_id, sequence: 1 }]);
  const warnings = async (input: object) => {
    const erased = await api.plan("recipient erase", { ...input, reason, skip_unfinished: "yes" });
    const exported = await api.list("recipient export", { ...input, reason });
    expect(exported.warnings).toEqual(erased.warnings);
    return erased.warnings.map((text) => /\d+ other gifts? of [\w -]+ with/.exec(text)?.[0]);
  };
  expect(await warnings({ gift })).toEqual(["2 other gifts of all clients with"]);
  expect(await warnings({ gift, client: client.clientId })).toEqual([
    `1 other gift of ${client.clientId} with`,
  ]);
  const others = [gift, toGiftNumber(placed.order_data.order_id, 2)];
  expect(await warnings({ gift: others })).toEqual(["1 other gift of all clients with"]);
  expect(await warnings({ all_of: gift, client: client.clientId })).toEqual([]);
  const user = await opened.signIn("support");
  const form = await user.get(`/recipient/erase?gift=${gift}`);
  const plan = await user.submit(form, "Continue", { reason });
  expect(plan.html).toContain(`/recipient/show?all_of=${gift}`);
});

test("is recorded with its reason, and without personal data", async () => {
  const { orderId, marker } = await createPersonal();
  await api.list("recipient export", { gift: [toGiftNumber(orderId, 1)], reason });
  const entries = await listAudit(env.DB, { orderId, limit: 9 });
  expect(entries).toMatchObject([
    { action: "recipient export", before: null, after: { exported: true }, reason },
  ]);
  expect(JSON.stringify(entries)).not.toContain(marker);
});

test("has the number of codes of a gift, and no code", async () => {
  const { product, client } = await openShop(codeProduct());
  const expiresAtMs = expiryOf("2999-01-31") as number;
  const content = { code: "AB-1", pin: "77-8", url: "https://use.example/" };
  const codes = ["first", "second"].map((mark) => ({
    ...content,
    code: `AB-${mark}`,
    expiresAtMs,
  }));
  await addCodesTo(product, codes);
  const { order_data } = await placeOrder(startWorker(), client, orderOf(product));
  const gift = toGiftNumber(order_data.order_id, 1);
  await api.run("code replace", { gift, reason });
  const { rows } = await api.list("recipient export", { gift: [gift], reason });
  expect(rows).toMatchObject([{ codes: 2, code_valid_until: "2999-01-31" }]);
  expect(JSON.stringify(rows)).not.toMatch(/AB-|77-8|use\.example/);
});

test("has pages, each of which is recorded", async () => {
  const { orderId } = await createPersonal({ further: 2 });
  const gift = [3, 1, 2, 3].map((sequence) => toGiftNumber(orderId, sequence));
  const { rows, meters } = await api.all("recipient export", { gift, reason }, 2);
  const seen = rows.map((row) => row["gift"]);
  expect(meters).toHaveLength(2);
  expect(await listAudit(env.DB, { orderId, limit: 9 })).toHaveLength(3);
  expect(seen).toEqual([3, 2, 1].map((sequence) => toGiftNumber(orderId, sequence)));
});

test("is a page that asks for the reason first, and a file", async () => {
  const { orderId, marker, email } = await createPersonal();
  const user = await opened.signIn("support");
  const page = await user.get(`/recipient/export?gift=${toGiftNumber(orderId, 1)}`);
  expect(page.html).not.toContain(marker);
  expect(await listAudit(env.DB, { orderId, limit: 9 })).toEqual([]);
  const shown = await user.submit(page, "Show", { reason });
  expect(shown.text).toContain(`First ${marker}`);
  const file = await user.submit(shown, "Download as CSV");
  expect(file.headers.get("Content-Disposition")).toContain('"recipient-export-');
  const [head = "", row = ""] = file.html.split("\r\n");
  expect(head).toMatch(/^gift,order,client,/);
  expect(row).toContain(`"{""campaign"":""${marker}""}"`);
  expect(row).toContain(email);
  expect((await user.get("/recipient/export?email=a@b.example&reason=x")).status).not.toBe(500);
});

test.each([
  [{}, 400, ["gift"]],
  [{ gift: ["GO-00042-1"], email: "a@example.com" }, 400, ["email"]],
  [{ gift: ["GO-00042"] }, 400, ["gift[0]"]],
  [{ email: "ana" }, 400, ["email"]],
  [{ email: "none@example.com" }, 404, []],
  [{ gift: ["GO-99999-1"] }, 404, []],
  [{ gift: ["GO-00042-1"], reason: "ana@example.com" }, 400, ["reason"]],
])("refuses %j with %d", async (input, status, fields) => {
  const refusal = await api.refusal("recipient export", { reason, ...input });
  expect(refusal).toMatchObject({ status, fields });
});

/** Places a gift for the address, with a new client. */
async function giftFor(email: string): Promise<string> {
  const { client, product } = await openShop(simpleProduct());
  const details = recipients(1).map((recipient) => ({ ...recipient, email }));
  const order = orderOf(product, { recipient_details: details });
  const { order_data } = await placeOrder(startWorker(), client, order);
  return toGiftNumber(order_data.order_id, 1);
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
