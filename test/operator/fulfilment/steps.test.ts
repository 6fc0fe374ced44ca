// The operations `shipment ship`, `deliver`, `correct` and `reopen`.
import { env } from "cloudflare:workers";
import { expect, test } from "vitest";
import { suborderNumber } from "../../../src/core/values/ids.ts";
import { listAudit } from "../../../src/operator/audit/queries.ts";
import { readShipments } from "../../../src/operator/fulfilment/queries.ts";
import { openConsole } from "../../console/console.ts";
import { openShop, orderOf, simpleProduct } from "../../support/fixtures.ts";
import { invoicedOrders } from "../../support/invoiced-orders.ts";
import { placeOrder } from "../../support/orders.ts";
import { startWorker } from "../../support/worker.ts";
import { openOperatorApi } from "../operator-api.ts";

const opened = await openConsole();
const api = await openOperatorApi(["fulfilment"], opened);

async function toShip(product = simpleProduct()) {
  const { client } = await openShop(product);
  const { order_data } = await placeOrder(startWorker(), client, orderOf(product));
  const orderId = order_data.order_id;
  return { orderId, gift: suborderNumber(orderId, 1) };
}

const shipmentOf = async (orderId: number) => (await readShipments(env.DB, orderId, 1))[0];

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
    trackingUrl: "https://dhl.example/JD%201",
  });
  const again = await api.plan("shipment ship", { ...parcel, tracking_url: url });
  expect(again.will).toBeNull();
  expect(await api.refusal("shipment ship", parcel)).toMatchObject({ code: "refused" });

  const corrected = { gift, carrier: "UPS", tracking_url: null };
  const { changes } = await api.plan("shipment correct", corrected);
  expect(changes).toEqual([
    { label: "Carrier", before: "DHL", after: "UPS" },
    { label: "Tracking link", before: "(recorded)", after: null },
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
  expect(await auditOf(orderId)).toEqual(
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
  expect(plan.text).not.toContain("JD0146");
  await user.submit(plan, "Correct the tracking");
  expect(await shipmentOf(orderId)).toMatchObject({ carrier: "UPS", trackingNumber: "JD0146" });
  expect(await auditOf(orderId)).toEqual([
    ["gift show", "read"],
    ["shipment correct", "changed"],
    ["shipment correct", "read"],
    ["shipment ship", "changed"],
  ]);
});

test("a gift of an unpaid order, and an invalid link are refused", async () => {
  const { id } = await invoicedOrders();
  const gift = suborderNumber(id, 1);
  expect(await api.refusal("shipment ship", { gift })).toMatchObject({ code: "refused" });
  const script = { gift, tracking_url: "javascript:alert(1)" };
  expect(await api.refusal("shipment ship", script)).toMatchObject({ fields: ["tracking_url"] });
});
