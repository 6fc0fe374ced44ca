// How operators read the names and addresses of recipients.
import { beforeAll, describe, expect, test } from "vitest";
import { orderNumber, suborderNumber } from "../../../src/core/values/ids.ts";
import { openConsole } from "../../console/console.ts";
import { createClient, orderOf, recipients, simpleProduct } from "../../support/fixtures.ts";
import { startWorker } from "../../support/worker.ts";
import { openOperatorApi } from "../operator-api.ts";

const worker = startWorker();
const api = await openOperatorApi(["support", "fulfilment"], await openConsole());

/** First and last name, and the full name as operators read it. */
const NAMES = [
  ["太郎", "山田", "山田 太郎"],
  ["小明", "王", "王 小明"],
  ["민준", "김", "김 민준"],
  ["Ada", "Park", "Ada Park"],
  ["マリア", "ガルシア", "マリア ガルシア"],
  ["Suharto", "", "Suharto"],
  ["", "Teller", "Teller"],
] as const;

describe.each(NAMES)("%j %j", (first_name, last_name, shown) => {
  let clientId: string;
  let order: string;
  let gift: string;
  let reference: string;
  beforeAll(async () => {
    const product = simpleProduct();
    const client = await createClient({ products: [product] });
    const delivery_address = {
      address_line_1: "A street whose name is longer than 35 characters",
      suburb: "Berlin",
      state: "Berlin",
      postcode_zipcode: "10115",
      country: "Alemania",
    };
    const person = { ...recipients(1)[0], first_name, last_name, delivery_address };
    const body = orderOf(product, { recipient_details: [person] });
    const { json } = await worker.post(client, "/api/order", body);
    clientId = client.clientId;
    order = orderNumber(json.order_data.order_id as number);
    gift = suborderNumber(json.order_data.order_id as number, 1);
    reference = body.order_ref_id;
    const { json: read } = await worker.get(client, `/api/order?order_number=${order}`);
    const { name, delivery_address: stored } = read.recipients[0].recipient_details;
    expect([name, stored]).toEqual([
      `${first_name} ${last_name}`.trim(),
      expect.objectContaining({ country: "Alemania" }),
    ]);
  });

  test(`is ${shown} in the pick list, with the country's name and the long lines`, async () => {
    const { rows } = await api.list("shipment picklist", { client: clientId });
    expect(rows).toMatchObject([
      {
        name: shown,
        country: "DE",
        country_name: "Germany",
        long_lines: "line 1: 48",
      },
    ]);
  });

  test(`is ${shown} in the lists of shipments and of search results`, async () => {
    const shipments = await api.list("shipment list", { client: clientId });
    expect(shipments.rows).toMatchObject([{ name: shown }]);
    const found = await api.list("order find", { text: reference });
    expect(found.rows).toMatchObject([{ name: shown }]);
  });

  test(`is ${shown} on the pages of the order and the gift`, async () => {
    const { lists } = await api.view("order show", { order });
    const address = expect.stringMatching(/characters, Berlin, 10115, Germany \(DE\)$/) as string;
    expect(lists["gifts"]).toMatchObject([{ name: shown, address }]);
    expect((await api.view("gift show", { gift })).facts).toMatchObject({ address });
  });
});
