// The operations `shipment ship`, `deliver`, `correct` and `reopen`.
import { env } from "cloudflare:workers";
import { expect, test } from "vitest";
import { toGiftNumber } from "../../../src/core/values/ids.ts";
import { listAudit } from "../../../src/operator/audit/queries.ts";
import { VOID_CODE } from "../../../src/operator/shipment/steps.ts";
import { takenBackText } from "../../../src/operator/shipment/tracking.ts";
import { recordReport } from "../../../src/features/carrier/record.ts";
import { openConsole } from "../../console/console.ts";
import { openShop, orderOf, simpleProduct } from "../../support/fixtures.ts";
import { readShipments } from "../../support/gift.ts";
import { placeOrder } from "../../support/orders.ts";
import { sql } from "../../support/sql.ts";
import { startWorker } from "../../support/worker.ts";
import { openOperatorApi } from "../operator-api.ts";

const opened = await openConsole();
const api = await openOperatorApi(["fulfilment"], opened);

async function toShip(product = simpleProduct()) {
  const { client } = await openShop(product);
  const { order_data } = await placeOrder(startWorker(), client, orderOf(product));
  const orderId = order_data.order_id;
  return { orderId, gift: toGiftNumber(orderId, 1) };
}

const shipmentOf = async (orderId: number) => (await readShipments(orderId))[0];

const auditOf = async (orderId: number) => {
  const entries = await listAudit(env.DB, { orderId, limit: 100 });
  return entries.map(({ action, before }) => [action, before === null ? "read" : "changed"]);
};

test("a gift is shipped, corrected, delivered and reopened, each once", async () => {
  const { orderId, gift } = await toShip();
  const url = "https://dhl.example/{tracking_number}";
  const parcel = { gift, carrier: "DHL", tracking_number: "JD 1" };
  await api.run("shipment ship", { ...parcel, tracking_url: url });
  expect(await shipmentOf(orderId)).toMatchObject({
    shipmentStatus: "shipped",
    carrier: "DHL",
    trackingUrl: url,
  });
  const again = await api.plan("shipment ship", { ...parcel, tracking_url: url });
  expect(again.will).toBeNull();
  expect(await api.refusal("shipment ship", parcel)).toMatchObject({ code: "refused" });

  const corrected = { gift, carrier: "UPS", tracking_url: null };
  const { changes } = await api.plan("shipment correct", corrected);
  expect(changes).toEqual([
    { label: "Carrier", before: "DHL", after: "UPS" },
    { label: "Tracking link", before: "https://dhl.example/JD%201", after: null },
  ]);
  await api.run("shipment correct", corrected);
  expect((await api.plan("shipment correct", corrected)).will).toBeNull();
  expect((await api.plan("shipment correct", { gift })).will).toBeNull();
  expect(await shipmentOf(orderId)).toMatchObject({
    carrier: "UPS",
    trackingNumber: "JD 1",
    trackingUrl: null,
  });

  await api.run("shipment deliver", { gift });
  expect(await shipmentOf(orderId)).toMatchObject({ shipmentStatus: "delivered" });
  expect((await api.plan("shipment deliver", { gift })).will).toBeNull();
  await api.run("shipment reopen", { gift });
  expect(await shipmentOf(orderId)).toMatchObject({ shipmentStatus: "open", carrier: null });
  expect(await api.refusal("shipment deliver", { gift })).toMatchObject({ code: "refused" });
  const recorded = (await auditOf(orderId)).filter(([, what]) => what === "changed");
  expect(recorded).toEqual(
    ["reopen", "deliver", "correct", "ship"].map((step) => [`shipment ${step}`, "changed"]),
  );
});

test("the form of a correction has the present tracking, and its reading is recorded", async () => {
  const { orderId, gift } = await toShip();
  await api.run("shipment ship", { gift, carrier: "<DHL>", tracking_number: "JD0146" });
  const user = await opened.signIn("fulfilment");
  const form = await user.get(`/shipment/correct?gift=${gift}`);
  expect(form.html).toContain('value="&lt;DHL&gt;"');
  expect(form.html).toContain('value="JD0146"');
  const plan = await user.submit(form, "Continue", { carrier: "UPS" });
  expect(plan.text).toContain("Carrier <DHL> UPS");
  await user.submit(plan, "Correct the tracking");
  expect(await shipmentOf(orderId)).toMatchObject({ carrier: "UPS", trackingNumber: "JD0146" });
  expect(await auditOf(orderId)).toEqual([
    ["gift show", "read"],
    ["shipment correct", "changed"],
    ["shipment correct", "read"],
    ["shipment correct", "read"],
    ["shipment ship", "changed"],
    ["shipment ship", "read"],
  ]);
});

test("several gifts are shipped together with their carrier, or none of them", async () => {
  const one = await toShip();
  const two = await toShip();
  const gift = [one.gift, two.gift];
  const numbered = { gift, carrier: "DHL", tracking_number: "1" };
  expect(await api.refusal("shipment ship", numbered)).toMatchObject({
    fields: ["tracking_number"],
  });
  const unnumbered = { gift, carrier: "DHL" };
  expect((await api.refusal("shipment ship", unnumbered)).fields).toEqual(["untracked"]);
  const { lists } = await api.plan("shipment ship", { ...unnumbered, untracked: true });
  expect(lists["parcels"]).toMatchObject([
    { gift: one.gift, carrier: "DHL", address: expect.stringContaining("14 Plane Tree Lane") },
    { gift: two.gift },
  ]);
  await api.run("shipment ship", { ...unnumbered, untracked: true });
  expect(await shipmentOf(two.orderId)).toMatchObject({ carrier: "DHL" });
  const three = await toShip();
  const mixed = { gift: [three.gift, one.gift], carrier: "UPS" };
  expect(await api.refusal("shipment ship", mixed)).toMatchObject({ code: "refused" });
  expect(await shipmentOf(three.orderId)).toMatchObject({ shipmentStatus: "open" });
});

test("a gift has the carrier and the link that its number shows, until others are given", async () => {
  const { orderId, gift } = await toShip();
  const typed = { gift, tracking_number: "1Z5R89390357567127" };
  const { lists } = await api.plan("shipment ship", typed);
  const url = (number: string) => `https://www.ups.com/track?tracknum=${number}`;
  expect(lists).toMatchObject({
    parcels: [{ carrier: "UPS", tracking_url: url(typed.tracking_number) }],
  });
  await api.run("shipment ship", typed);
  expect((await api.plan("shipment ship", typed)).will).toBeNull();
  const wrong = { gift, tracking_number: "1Z879E930346834441" };
  const plan = await api.plan("shipment correct", wrong);
  expect(plan.warnings).toEqual([expect.stringContaining(wrong.tracking_number)]);
  await api.run("shipment correct", wrong);
  expect(await shipmentOf(orderId)).toMatchObject({
    carrier: "UPS",
    trackingUrl: url("{tracking_number}"),
  });
  await api.run("shipment correct", { gift, carrier: "DPD", tracking_number: "01906012345678" });
  expect((await shipmentOf(orderId))?.trackingUrl).toMatch(/^https:\/\/tracking\.dpd\.de/);
  await api.run("shipment correct", {
    gift,
    tracking_number: "01906012345679",
    tracking_url: null,
  });
  expect(await shipmentOf(orderId)).toMatchObject({ carrier: "DPD", trackingUrl: null });
});

test("the plans of a correction say that the arrival of the wrong parcel is taken back", async () => {
  const { gift } = await toShip();
  const number = crypto.randomUUID();
  await api.run("shipment ship", { gift, carrier: "DHL", tracking_number: number });
  const nowMs = Date.now();
  const seen = { atMs: nowMs, scannedAtMs: nowMs, expectedOn: null, problem: undefined };
  await recordReport(env.DB, { number, carrier: null, status: "delivered", ...seen }, nowMs);
  const plan = await api.plan("shipment correct", { gift, tracking_number: "JD2" });
  expect(plan.changes).toContainEqual({ label: "Shipment", before: "delivered", after: "shipped" });
  expect(plan.warnings).toContain(takenBackText(1));
  const file = new File([`gift,tracking_number\n${gift},JD2`], "a.csv");
  const ofFile = await api.plan("shipment upload", { step: "correct", file });
  expect(ofFile.warnings).toContain(takenBackText(1));
  const other = await api.plan("shipment correct", { gift, carrier: "DHL Paket" });
  expect(other.changes).toMatchObject([{ label: "Carrier" }]);
});

const digital = () => simpleProduct({ delivery: "digital" });

test("a digital gift is sent with its code, which no list and no entry of the audit log has", async () => {
  const { orderId, gift } = await toShip(digital());
  const input = { gift, code: "7KQ4-MX29", pin: "4711", valid_until: "2099-01-31" };
  const user = await opened.signIn("fulfilment");
  const plan = await user.submit(await user.get(`/shipment/ship?gift=${gift}`), "Continue", input);
  await user.submit(plan, "Record as shipped");
  expect(await shipmentOf(orderId)).toMatchObject({ shipmentStatus: "sent" });
  const row = await sql("SELECT * FROM codes WHERE order_id = ?", orderId).first();
  expect(row).toMatchObject({ sequence: 1, expires_at_ms: Date.UTC(2099, 1, 1, 12) });
  const { will, changes } = await api.plan("shipment ship", input);
  expect(will).toBeNull();
  const entries = await listAudit(env.DB, { orderId, limit: 100 });
  const page = await user.get(`/gift/show?gift=${gift}`);
  const shown = JSON.stringify([changes, entries]) + page.html;
  expect([shown.includes("7KQ4"), shown.includes("4711")]).toEqual([false, false]);

  const reopening = await api.plan("shipment reopen", { gift });
  expect(reopening.warnings).toEqual([VOID_CODE]);
  await api.run("shipment reopen", { gift });
  expect(await api.refusal("shipment ship", input)).toMatchObject({ code: "refused" });
});

test.for([
  ["physical", { code: "A" }, undefined],
  ["digital", {}, undefined],
  ["digital", { code: "A", valid_until: "2026-01-31" }, undefined],
  ["digital", { code: "A\nB" }, "code"],
  ["digital", { url: "http://vendor.example" }, "url"],
  ["digital", { url: "https://user@vendor.example" }, "url"],
] as const)("a %s gift is not sent with %j", async ([delivery, input, field]) => {
  const { orderId, gift } = await toShip(delivery === "digital" ? digital() : simpleProduct());
  const { fields } = await api.refusal("shipment ship", { gift, ...input });
  expect(fields).toEqual(field === undefined ? [] : [field]);
  expect(await shipmentOf(orderId)).toMatchObject({ shipmentStatus: "open" });
});

test("several digital gifts may have the same link, and not the same code", async () => {
  const gifts = [await toShip(digital()), await toShip(digital())];
  const gift = gifts.map((each) => each.gift);
  const { fields } = await api.refusal("shipment ship", { gift, code: "A", pin: "1" });
  expect(fields).toEqual(["code", "pin"]);
  await api.run("shipment ship", { gift, url: "https://vendor.example/download" });
  for (const { orderId } of gifts) {
    expect(await shipmentOf(orderId)).toMatchObject({ shipmentStatus: "sent" });
  }
});

test("the form of a step that is impossible says why instead", async () => {
  const { gift } = await toShip();
  const user = await opened.signIn("fulfilment");
  for (const step of ["deliver", "correct"]) {
    const page = await user.get(`/shipment/${step}?gift=${gift}`);
    expect([page.status, page.html.includes("Continue")]).toEqual([409, false]);
  }
});
