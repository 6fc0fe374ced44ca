// Corrections of a recipient by operators.
import { env } from "cloudflare:workers";
import { beforeAll, expect, test } from "vitest";
import { orderNumber, toGiftNumber } from "../../../src/core/values/ids.ts";
import { writeErasure } from "../../../src/features/privacy/queries.ts";
import { listAudit } from "../../../src/operator/audit/queries.ts";
import { type ConsoleUser, openConsole } from "../../console/console.ts";
import { ADDRESS, openShop, orderOf, recipients, simpleProduct } from "../../support/fixtures.ts";
import { emailService, MAILING, placeGifts, resetOutbox, runOutbox } from "../../support/emails.ts";
import { changeParcels, createGift } from "../../support/gift.ts";
import { sql } from "../../support/sql.ts";
import { startWorker } from "../../support/worker.ts";
import { openOperatorApi } from "../operator-api.ts";

const worker = startWorker();

async function newGift() {
  const { orderId, path } = await createGift(worker, [simpleProduct()], {
    recipient_details: recipients(1).map((each) => ({ ...each, delivery_address: ADDRESS })),
  });
  return { orderId, path, gift: toGiftNumber(orderId, 1) };
}

const storedOf = (orderId: number) =>
  sql(
    `SELECT first_name, phone_number, email, delivery_address ->> '$.suburb' AS suburb,
       delivery_address ->> '$.address_line_1' AS line FROM gifts WHERE order_id = ?`,
    orderId,
  ).first();

const opened = await openConsole();
const api = await openOperatorApi(["support"], opened);
let user: ConsoleUser;
beforeAll(async () => {
  await openShop();
  user = await opened.signIn("support");
});

test("corrects the given values, and keeps the other parts of the address", async () => {
  const { orderId, gift } = await newGift();
  const input = { gift, first_name: "Ada", suburb: "Fitzroy", phone_number: null };
  const plan = await api.plan("recipient correct", input);
  expect(plan.changes).toMatchObject([
    { label: "First name", before: "First0", after: "Ada" },
    { label: "Phone number", after: null },
    { label: "Suburb or city", before: ADDRESS.suburb, after: "Fitzroy" },
  ]);
  await api.run("recipient correct", input);
  expect(await storedOf(orderId)).toMatchObject({
    first_name: "Ada",
    suburb: "Fitzroy",
    line: ADDRESS.address_line_1,
    phone_number: "",
  });
  expect(await api.plan("recipient correct", input)).toMatchObject({ will: null });
  const { results } = await sql(
    "SELECT type FROM events WHERE order_id = ? AND type = 'gift.corrected'",
    orderId,
  ).all();
  expect(results).toHaveLength(1);
});

test("shows and records the present data in its form, and sends what was changed", async () => {
  const { orderId, gift } = await newGift();
  const form = await user.get(`/recipient/correct?gift=${gift}`);
  expect(form.html).toContain(`value="${ADDRESS.address_line_1}"`);
  await sql("UPDATE gifts SET first_name = 'Meanwhile' WHERE order_id = ?", orderId).run();
  const plan = await user.submit(form, "Continue", { suburb: "Fitzroy" });
  expect(plan.text).toContain(`Suburb or city ${ADDRESS.suburb} Fitzroy`);
  expect(plan.text).not.toContain(ADDRESS.address_line_1);
  await user.submit(plan, "Correct the recipient");
  expect(await storedOf(orderId)).toMatchObject({ first_name: "Meanwhile", suburb: "Fitzroy" });
  const entries = await listAudit(env.DB, { orderId, limit: 9 });
  expect(entries).toMatchObject([
    { action: "gift show", after: { read: "gift" } },
    { action: "recipient correct", before: { corrections: 0 }, after: { corrections: 1 } },
    { action: "recipient correct", before: null, after: { read: "corrected values" } },
    { action: "recipient correct", before: null, after: { read: "gift" } },
  ]);
  expect(JSON.stringify(entries)).not.toMatch(/Fitzroy|Meanwhile|Plane Tree/);
  const { lists } = await api.view("order show", { order: orderNumber(orderId) });
  const changes = lists["timeline"]?.filter(({ what }) => JSON.stringify(what).includes(user.name));
  expect(changes).toHaveLength(1);
  expect(changes?.[0]?.["what"]).toContain("the delivery address");
});

test("a corrected address whose last e-mail came back gets the link again, in the same change", async () => {
  await resetOutbox();
  const shop = await openShop();
  const { orderId } = await placeGifts(startWorker({ env: MAILING }), shop, 1);
  await runOutbox();
  await sql("UPDATE emails SET status = 'bounced' WHERE order_id = ?", orderId).run();
  await sql("UPDATE gifts SET emails_stopped = 'bounced' WHERE order_id = ?", orderId).run();
  const gift = toGiftNumber(orderId, 1);
  const { actions, warnings } = await api.view("gift show", { gift });
  expect([actions[0], warnings.length]).toEqual(["recipient correct", 1]);
  expect(actions).not.toContain("email resend");
  await api.run("recipient correct", { gift, email: "right@example.com" });
  const { facts } = await api.view("gift show", { gift });
  expect(facts).toMatchObject({ email: "right@example.com", next_email: "invitation" });
  await runOutbox();
  expect((await api.view("gift show", { gift })).lists["emails"]).toMatchObject([
    { kind: "invitation", status: "bounced" },
    { kind: "invitation", status: "sent" },
  ]);
});

test.each([
  ["delivered", undefined, 1],
  ["sent", "yes", 0],
  ["rejected", undefined, 0],
  // Of a killed run, which may have sent it.
  ["failed", undefined, 1],
])(
  "a link that was %s to a wrong address, with keep_link %s, is replaced %i times",
  async (...row) => {
    const [status, keep_link, times] = row;
    await resetOutbox();
    const { orderId, gifts } = await placeGifts(startWorker({ env: MAILING }), await openShop(), 1);
    await runOutbox();
    const reason = status === "failed" ? "unknown" : null;
    const update = "UPDATE emails SET status = ?, reason = ? WHERE order_id = ?";
    await sql(update, status, reason, orderId).run();
    const gift = toGiftNumber(orderId, 1);
    const input = { gift, email: "right@example.com", ...(keep_link && { keep_link }) };
    const { will, warnings } = await api.plan("recipient correct", input);
    expect([will?.includes("replace the link"), warnings.length]).toEqual([
      times === 1,
      status === "rejected" ? 0 : 1,
    ]);
    await api.run("recipient correct", input);
    expect(await api.plan("recipient correct", input)).toMatchObject({ will: null });
    const service = emailService();
    await runOutbox({ service });
    const { text } = await worker.fetch(String(gifts[0]?.gift_url));
    expect(text.includes('name="step"')).toBe(times === 0);
    const { results } = await sql(
      "SELECT type FROM events WHERE order_id = ? AND type IN ('gift.corrected', 'gift.renewed')",
      orderId,
    ).all();
    expect(results).toHaveLength(1 + times);
    const isNew = (message: string) => message.includes(`${String(orderId)}001-1-`);
    expect(service.sent.map((each) => [each.to, isNew(each.text)])).toEqual(
      status === "sent" ? [] : [[input.email, times === 1]],
    );
  },
);

test("points out a postcode of another state, and refuses what is no address", async () => {
  const { gift } = await newGift();
  const doubtful = await api.plan("recipient correct", { gift, state: "WA" });
  expect(doubtful.warnings).toEqual(["3056 is probably not a postcode of WA."]);
  const unknown = { gift, state: "Victoriana" };
  const warning = "Victoriana is not a known state of AU. It may be Victoria.";
  expect((await api.plan("recipient correct", unknown)).warnings).toEqual([warning]);
  await api.run("recipient correct", unknown);
  expect((await api.view("gift show", { gift })).warnings).toEqual([warning]);
  await api.run("recipient correct", { gift, state: "VIC" });
  expect((await api.view("gift show", { gift })).warnings).toEqual([]);
  const right = await api.plan("recipient correct", { gift, postcode_zipcode: "3065" });
  expect(right.warnings).toEqual([]);
  const open = await createGift(worker, [simpleProduct()], {
    recipient_details: recipients(1).map((each) => ({ ...each, delivery_address: undefined })),
  });
  const alone = { gift: toGiftNumber(open.orderId, 1), postcode_zipcode: "ABC" };
  expect(await api.refusal("recipient correct", alone)).toMatchObject({
    status: 400,
    fields: ["address_line_1", "suburb", "country"],
  });
});

test("is refused for a shipped gift of a direct order, also after its recipient's data was erased", async () => {
  const { product, client } = await openShop();
  const { json } = await worker.post(client, "/api/order", orderOf(product));
  const orderId = Number(json.order_data.order_id);
  await changeParcels("ship", [{ orderId, sequence: 1 }]);
  for (const prepare of [null, () => writeErasure(env.DB, [orderId * 1000 + 1], Date.now())]) {
    await prepare?.();
    const input = { gift: toGiftNumber(orderId, 1), first_name: "Ada" };
    expect(await api.refusal("recipient correct", input)).toMatchObject({ status: 409 });
  }
});
