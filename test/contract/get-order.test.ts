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
  const [recipient] = recipients(1);
  const body = orderOf(product, {
    recipient_details: [
      recipient,
      {
        ...recipient,
        phone_number: " ",
        delivery_address: { ...ADDRESS, address_line_2: undefined, state: undefined },
      },
    ],
  });
  const { order_data } = await placeOrder(worker, client, body);
  const orderId = String(order_data.order_id);
  const order = await readOrder(worker, client, "api-purchase", `order_id=${orderId}`);
  const product_selected = { product_id: String(product.product.id), variation_id: null };
  const shown = (index: number, address: object, phone_number: string) => ({
    suborder_id: order.recipients[index]?.suborder_id,
    suborder_number: `${order_data.order_number}-${String(index + 1)}`,
    recipient_details: {
      name: "First0 Last0",
      email: "recipient0@example.com",
      email_message: "",
      delivery_address: { ...ADDRESS, ...address },
      phone_number,
      delivery_notes: null,
    },
    redemption_status: null,
    product_selected,
  });
  expect(order).toEqual({
    order_id: orderId,
    order_number: order_data.order_number,
    order_date: "2026-03-09 17:05",
    order_status: "paid",
    gift_order_method: "api-purchase",
    gift_of_choice: "N",
    branding_selected: "platform",
    branding_options: PLATFORM_BRANDING_OPTIONS,
    product_offered: product_selected,
    order_totals: SAMPLE_TOTALS_AS_TEXT,
    email_template: "generic",
    recipients: [
      shown(0, {}, "+61 2 5550 0100"),
      shown(1, { address_line_2: null, state: null }, "NA"),
    ],
  });
});

test("GET /api/order shows every field of an api-giftlink order, including links and branding", async () => {
  const product = variableProduct();
  const branding = {
    logo: "/images/brand/company.svg",
    claimLogo: "/images/brand/company-claim.svg",
    primaryColor: "#112233",
    secondaryColor: "#ddeeff",
  };
  // These have no fields in the response.
  const more = { logoDark: "/d.svg", cover: "/c.jpg", accentColor: "#112233" };
  const client = await createClient({
    products: [product],
    branding: { ...branding, ...more, pattern: "off", typeface: "serif" },
    billing: "invoice",
  });
  const placed = await placeGiftLink(
    worker,
    client,
    orderOf(product, {
      gift_of_choice: "Y",
      order_branding: "company",
      recipient_details: [
        {
          first_name: "Ada",
          last_name: "Lovelace",
          email: "ada@example.com",
          redemption_message: "Happy birthday!",
        },
      ],
    }),
  );
  const { order_number } = placed.order_data;
  const order = await readOrder(worker, client, "api-giftlink", `order_number=${order_number}`);
  const offered = {
    product_id: String(product.product.id),
    variation_id: String(product.product.variations[0]?.id),
  };
  expect(order).toMatchObject({
    order_id: String(placed.order_data.order_id),
    order_status: "created",
    gift_of_choice: "Y",
    branding_selected: "company",
    branding_options: {
      branding_logo: branding.logo,
      branding_claim_logo: branding.claimLogo,
      primary_color: branding.primaryColor,
      secondary_color: branding.secondaryColor,
    },
    product_offered: offered,
    recipients: [
      {
        suborder_id: placed.recipient_return[0]?.suborder_id,
        suborder_number: placed.recipient_return[0]?.suborder_number,
        recipient_details: {
          name: "Ada Lovelace",
          email_message: "Happy birthday!",
          delivery_address: {
            address_line_1: null,
            address_line_2: null,
            suburb: null,
            state: null,
            postcode_zipcode: null,
            country: null,
          },
          phone_number: "NA",
          gift_url: placed.recipient_return[0]?.gift_url,
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
