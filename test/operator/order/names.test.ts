// How operators read the names and addresses of recipients.
import { expect, test } from "vitest";
import { orderNumber, toGiftNumber } from "../../../src/core/values/ids.ts";
import { openConsole } from "../../console/console.ts";
import { orderOf, recipients, openShop } from "../../support/fixtures.ts";
import { startWorker } from "../../support/worker.ts";
import { openOperatorApi } from "../operator-api.ts";

const worker = startWorker();
const api = await openOperatorApi(["support", "fulfilment"], await openConsole());

test("names, and addresses in the client's words, are shown as operators read them", async () => {
  const { product, client } = await openShop();
  const delivery_address = {
    address_line_1: "A street whose name is longer than 35 characters",
    suburb: "Berlin",
    state: "Berlin",
    postcode_zipcode: "10115",
    country: "Alemania",
  };
  const name = "山田 太郎";
  const person = { ...recipients(1)[0], first_name: "太郎", last_name: "山田", delivery_address };
  const body = orderOf(product, { recipient_details: [person] });
  const { json } = await worker.post(client, "/api/order", body);
  const id = json.order_data.order_id as number;
  const { json: read } = await worker.get(client, `/api/order?order_id=${String(id)}`);
  expect(read.recipients[0].recipient_details).toMatchObject({
    name: "太郎 山田",
    delivery_address: { country: "Alemania" },
  });
  const { rows } = await api.list("shipment picklist", { client: client.clientId });
  expect(rows).toMatchObject([
    { name, country: "DE", country_name: "Germany", long_lines: "line 1: 48" },
  ]);
  const shipments = await api.list("shipment list", { client: client.clientId });
  expect(shipments.rows).toMatchObject([{ name }]);
  const found = await api.list("order find", { text: body.order_ref_id });
  expect(found.rows).toMatchObject([{ name }]);
  const { lists } = await api.view("order show", { order: orderNumber(id) });
  const address = expect.stringMatching(/characters, Berlin, 10115, Germany \(DE\)$/) as string;
  expect(lists["gifts"]).toMatchObject([{ name, address }]);
  const { facts } = await api.view("gift show", { gift: toGiftNumber(id, 1) });
  expect(facts).toMatchObject({ address });
});
