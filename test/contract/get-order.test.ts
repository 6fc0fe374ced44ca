// Every field of GET /api/order, for all ways in which an order can be placed.
import { expect, test } from "vitest";
import {
  ADDRESS,
  createClient,
  orderOf,
  recipients,
  unusedOrderId,
  variableProduct,
} from "../support/fixtures.ts";
import {
  createSampleShop,
  placeGiftLink,
  placeOrder,
  readOrder,
  SAMPLE_TOTALS_AS_TEXT,
} from "../support/orders.ts";
import { startWorker } from "../support/worker.ts";
import { importWith } from "../support/listed-orders.ts";

const worker = startWorker({ now: () => Date.UTC(2026, 2, 9, 17, 5, 59) });

const PLATFORM_BRANDING_OPTIONS = {
  branding_logo: "/images/brand/regalo-logo.svg",
  branding_claim_logo: "/images/brand/regalo-claim-logo.svg",
  primary_color: "#7a1f3d",
  secondary_color: "#f6e9dd",
};

/** The fields that all purchases of the sample shop have in common. */
const EVERY_PURCHASE = {
  order_date: "2026-03-09 17:05",
  order_status: "paid",
  gift_order_method: "api-purchase",
  gift_of_choice: "N",
  branding_selected: "platform",
  branding_options: PLATFORM_BRANDING_OPTIONS,
  order_totals: SAMPLE_TOTALS_AS_TEXT,
  email_template: "generic",
};

/** The amounts of the sample shop. */
const AMOUNTS = {
  productPriceMinor: 11_000,
  qty: 2,
  subtotalMinor: 22_000,
  shippingCostMinor: 2_200,
  orderFeeMinor: 968,
  orderTotalMinor: 25_168,
  createdAtMs: Date.UTC(2025, 11, 8, 4, 31),
};

test("GET /api/order shows every field of an api-purchase order", async () => {
  const { product, client } = await createSampleShop();
  const [first, second] = recipients(2);
  const noState = { ...ADDRESS, address_line_2: undefined, state: undefined };
  const body = orderOf(product, {
    recipient_details: [first, { ...second, phone_number: " ", delivery_address: noState }],
  });
  const { order_data } = await placeOrder(worker, client, body);
  const { order_id, order_number } = order_data;
  const order = await readOrder(worker, client, "api-purchase", `order_id=${String(order_id)}`);
  const product_selected = { product_id: String(product.product.id), variation_id: null };
  const shown = (index: number, address: object, phone_number: string) => ({
    suborder_id: order_id * 1000 + index + 1,
    suborder_number: `${order_number}-${String(index + 1)}`,
    recipient_details: {
      name: `First${String(index)} Last${String(index)}`,
      email: `recipient${String(index)}@example.com`,
      email_message: "",
      delivery_address: { ...ADDRESS, ...address },
      phone_number,
      delivery_notes: null,
    },
    redemption_status: null,
    product_selected,
  });
  expect(order).toEqual({
    ...EVERY_PURCHASE,
    order_id: String(order_id),
    order_number,
    product_offered: product_selected,
    recipients: [
      shown(0, {}, "+61 2 5550 0100"),
      shown(1, { address_line_2: null, state: null }, "NA"),
    ],
  });
});

test("GET /api/order shows the branding of the client in an api-giftlink order", async () => {
  const product = variableProduct();
  const [logo, claimLogo] = ["/images/brand/company.svg", "/images/brand/company-claim.svg"];
  const [primaryColor, secondaryColor] = ["#112233", "#ddeeff"];
  // These have no fields in the response.
  const more = { logoDark: "/d.svg", cover: "/c.jpg", accentColor: "#112233" };
  const client = await createClient({
    products: [product],
    branding: { logo, claimLogo, primaryColor, secondaryColor, ...more, typeface: "serif" },
  });
  const body = orderOf(product, { order_branding: "company" });
  const { order_data } = await placeGiftLink(worker, client, body);
  const query = `order_number=${order_data.order_number}`;
  expect(await readOrder(worker, client, "api-giftlink", query)).toMatchObject({
    branding_selected: "company",
    branding_options: {
      branding_logo: logo,
      branding_claim_logo: claimLogo,
      primary_color: primaryColor,
      secondary_color: secondaryColor,
    },
  });
});

test("GET /api/order shows the links and the product of an api-giftlink order, which needs no address", async () => {
  const product = variableProduct();
  const client = await createClient({ products: [product], billing: "invoice" });
  const person = { first_name: "Ada", last_name: "Lovelace", email: "ada@example.com" };
  const body = orderOf(product, {
    gift_of_choice: "Y",
    recipient_details: [{ ...person, redemption_message: "Happy birthday!" }],
  });
  const { order_data, recipient_return } = await placeGiftLink(worker, client, body);
  const query = `order_number=${order_data.order_number}`;
  const offered = {
    product_id: String(product.product.id),
    variation_id: String(product.product.variations[0]?.id),
  };
  const noAddress = Object.fromEntries(Object.keys(ADDRESS).map((name) => [name, null]));
  expect(await readOrder(worker, client, "api-giftlink", query)).toMatchObject({
    order_id: String(order_data.order_id),
    order_status: "created",
    gift_of_choice: "Y",
    product_offered: offered,
    recipients: [
      {
        suborder_id: recipient_return[0]?.suborder_id,
        suborder_number: recipient_return[0]?.suborder_number,
        recipient_details: {
          name: "Ada Lovelace",
          email_message: "Happy birthday!",
          delivery_address: noAddress,
          phone_number: "NA",
          gift_url: recipient_return[0]?.gift_url,
        },
        redemption_status: null,
        product_selected: offered,
      },
    ],
  });
});

test("GET /api/order shows a failed email order with its template and message, and a long number in full", async () => {
  const { product, client } = await createSampleShop();
  const id = await unusedOrderId(100_000);
  await importWith(
    client,
    product,
    { ...AMOUNTS, id, status: "failed", emailTemplate: "sympathy" },
    [{ emailMessage: "Thank you!", deliveryNotes: "Leave it with the neighbour." }],
  );
  const order = await readOrder(worker, client, "email", `order_number=GO-${String(id)}`);
  expect(order).toMatchObject({
    order_id: String(id),
    order_number: `GO-${String(id)}`,
    order_date: "2025-12-08 04:31",
    order_status: "failed",
    email_template: "sympathy",
    order_totals: SAMPLE_TOTALS_AS_TEXT,
    recipients: [
      {
        suborder_number: `GO-${String(id)}-1`,
        recipient_details: {
          email_message: "Thank you!",
          delivery_notes: "Leave it with the neighbour.",
        },
      },
    ],
  });
});

test("GET /api/order shows a cancieled direct order with its custom branding", async () => {
  const { product, client } = await createSampleShop();
  const [logo, claimLogo] = ["/images/brand/custom.svg", "/images/brand/custom-claim.svg"];
  const [primaryColor, secondaryColor] = ["#26547c", "#fcefd5"];
  const id = await importWith(client, product, {
    giftOrderMethod: "direct",
    status: "cancieled",
    emailTemplate: "christmas",
    brandingSelected: "custom",
    branding: { logo, claimLogo, primaryColor, secondaryColor },
  });
  const order = await readOrder(worker, client, "direct", `order_id=${String(id)}`);
  expect(order).toMatchObject({
    order_status: "cancieled",
    email_template: "christmas",
    branding_selected: "custom",
    branding_options: {
      branding_logo: logo,
      branding_claim_logo: claimLogo,
      primary_color: primaryColor,
      secondary_color: secondaryColor,
    },
  });
});

test("GET /api/order shows a link order with the three fields of its link, and without recipients", async () => {
  const { product, client } = await createSampleShop();
  const linkUrl = "https://store.example/claim/spring";
  const id = await importWith(
    client,
    product,
    {
      giftOrderMethod: "link",
      status: "created",
      emailTemplate: "celebration",
      linkHowManyTimes: 25,
      linkUrl,
      linkMessage: "Have one on us.",
      ...AMOUNTS,
    },
    [],
  );
  const order = await readOrder(worker, client, "link", `order_id=${String(id)}`);
  expect(order).toMatchObject({
    order_status: "created",
    email_template: "celebration",
    recipients: [],
    link_how_many_times: 25,
    link_url: linkUrl,
    link_message: "Have one on us.",
  });

  const { json: set } = await worker.post(client, "/api/credential", { scope: "read" });
  const reader = { ...client, apiKey: set.api_key, apiPassword: set.api_password };
  const { json } = await worker.get(reader, `/api/order?order_id=${String(id)}`);
  expect(json).toEqual({ ...order, link_url: null });
});

test("GET /api/order finds an order by its id, also with leading zeros, its number and the client's reference", async () => {
  const { product, client } = await createSampleShop();
  const body = orderOf(product, { order_ref_id: "Größe M / 🎁 #1" });
  const { order_data } = await placeOrder(worker, client, body);
  const [byId, ...others] = await Promise.all(
    [
      `order_id=${String(order_data.order_id)}`,
      `order_id=000${String(order_data.order_id)}`,
      `order_number=${order_data.order_number}`,
      `order_ref_id=${encodeURIComponent(body.order_ref_id)}`,
    ].map((query) => readOrder(worker, client, "api-purchase", query)),
  );
  expect(others).toEqual([byId, byId, byId]);
});
