// Every field of GET /api/order, for all ways in which an order can be placed.
import { env } from "cloudflare:workers";
import { describe, expect, test } from "vitest";
import {
  type ImportedOrder,
  type ImportedSubOrder,
  importOrder,
} from "../../src/operator/orders/queries.ts";
import {
  ADDRESS,
  createClient,
  orderOf,
  recipients,
  simpleProduct,
  type TestClient,
  unusedOrderId,
  variableProduct,
} from "../support/fixtures.ts";
import {
  createSampleShop,
  orderNumberOf,
  placeGiftLink,
  placeOrder,
  readOrder,
  SAMPLE_TOTALS_AS_TEXT,
} from "../support/orders.ts";
import { startWorker } from "../support/worker.ts";

const worker = startWorker({ now: () => Date.UTC(2026, 2, 9, 17, 5, 59) });

const PLATFORM_BRANDING_OPTIONS = {
  branding_logo: "/images/brand/regalo-logo.svg",
  branding_claim_logo: "/images/brand/regalo-claim-logo.svg",
  primary_color: "#7a1f3d",
  secondary_color: "#f6e9dd",
};

/** Imports an order of the store with these changes. */
async function placeOnStore(
  client: TestClient,
  product: ReturnType<typeof simpleProduct>,
  changes: Partial<ImportedOrder>,
  recipients: ImportedSubOrder[] = [
    {
      sequence: 1,
      firstName: "Imogen",
      lastName: "Okafor",
      email: "imogen@example.com",
      emailMessage: "Thank you!",
      deliveryNotes: "Leave it with the neighbour.",
      productId: product.product.id,
    },
  ],
): Promise<number> {
  const productRevision = await env.DB.prepare(
    "SELECT revision FROM product_revisions WHERE product_id = ?",
  )
    .bind(product.product.id)
    .first<string>("revision");
  if (productRevision === null) throw new Error("the product is not published");
  const id = changes.id ?? (await unusedOrderId());
  await importOrder(
    env.DB,
    {
      id,
      clientId: client.clientId,
      giftOrderMethod: "email",
      status: "paid",
      giftOfChoice: "N",
      brandingSelected: "platform",
      emailTemplate: "generic",
      productId: product.product.id,
      productRevision,
      baseLocation: "AU",
      currency: "AUD",
      productPriceMinor: 11_000,
      qty: 2,
      subtotalMinor: 22_000,
      shippingCostMinor: 2_200,
      orderFeeMinor: 968,
      orderTotalMinor: 25_168,
      createdAtMs: Date.UTC(2025, 11, 8, 4, 31),
      ...changes,
    },
    recipients,
  );
  return id;
}

describe("GET /api/order", () => {
  test("shows every field of an api-purchase order", async () => {
    const { product, client } = await createSampleShop();
    const [recipient] = recipients(1);
    const body = orderOf(product, {
      recipient_details: [
        recipient,
        {
          ...recipient,
          phone_number: undefined,
          delivery_address: { ...ADDRESS, address_line_2: undefined, state: undefined },
        },
      ],
    });
    const { order_data } = await placeOrder(worker, client, body);
    const orderId = String(order_data.order_id);
    const order = await readOrder(worker, client, "api-purchase", `order_id=${orderId}`);
    const [first, second] = order.recipients;
    expect(order).toEqual({
      order_id: orderId,
      order_number: order_data.order_number,
      order_date: "2026-03-09 17:05",
      order_status: "paid",
      gift_order_method: "api-purchase",
      gift_of_choice: "N",
      branding_selected: "platform",
      branding_options: PLATFORM_BRANDING_OPTIONS,
      product_offered: { product_id: String(product.product.id), variation_id: null },
      order_totals: SAMPLE_TOTALS_AS_TEXT,
      email_template: "generic",
      recipients: [
        {
          suborder_id: first?.suborder_id,
          suborder_number: `${order_data.order_number}-1`,
          recipient_details: {
            name: "First0 Last0",
            email: "recipient0@example.com",
            email_message: "",
            delivery_address: ADDRESS,
            phone_number: "+61 2 5550 0100",
            delivery_notes: null,
          },
          redemption_status: null,
          product_selected: { product_id: String(product.product.id), variation_id: null },
        },
        {
          suborder_id: second?.suborder_id,
          suborder_number: `${order_data.order_number}-2`,
          recipient_details: {
            name: "First0 Last0",
            email: "recipient0@example.com",
            email_message: "",
            delivery_address: { ...ADDRESS, address_line_2: null, state: null },
            phone_number: "NA",
            delivery_notes: null,
          },
          redemption_status: null,
          product_selected: { product_id: String(product.product.id), variation_id: null },
        },
      ],
    });
  });

  test("shows every field of an api-giftlink order, including links and branding", async () => {
    const product = variableProduct();
    const branding = {
      logo: "/images/brand/company.svg",
      claimLogo: "/images/brand/company-claim.svg",
      primaryColor: "#112233",
      secondaryColor: "#ddeeff",
    };
    const client = await createClient({ products: [product], branding, billing: "invoice" });
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

  test("shows a failed email order with its template and message", async () => {
    const { product, client } = await createSampleShop();
    const id = await placeOnStore(client, product, { status: "failed", emailTemplate: "sympathy" });
    const order = await readOrder(worker, client, "email", `order_id=${String(id)}`);
    expect(order).toMatchObject({
      order_id: String(id),
      order_number: orderNumberOf(id),
      order_date: "2025-12-08 04:31",
      order_status: "failed",
      email_template: "sympathy",
      order_totals: SAMPLE_TOTALS_AS_TEXT,
      recipients: [
        {
          recipient_details: {
            email_message: "Thank you!",
            delivery_notes: "Leave it with the neighbour.",
          },
        },
      ],
    });
  });

  test("shows a cancieled direct order with its custom branding", async () => {
    const { product, client } = await createSampleShop();
    const id = await placeOnStore(client, product, {
      giftOrderMethod: "direct",
      status: "cancieled",
      emailTemplate: "christmas",
      brandingSelected: "custom",
      branding: {
        logo: "/images/brand/custom.svg",
        claimLogo: "/images/brand/custom-claim.svg",
        primaryColor: "#26547c",
        secondaryColor: "#fcefd5",
      },
    });
    const order = await readOrder(worker, client, "direct", `order_id=${String(id)}`);
    expect(order).toMatchObject({
      order_status: "cancieled",
      email_template: "christmas",
      branding_selected: "custom",
      branding_options: {
        branding_logo: "/images/brand/custom.svg",
        branding_claim_logo: "/images/brand/custom-claim.svg",
        primary_color: "#26547c",
        secondary_color: "#fcefd5",
      },
    });
  });

  test("shows a link order with the three fields of its link", async () => {
    const { product, client } = await createSampleShop();
    const link = {
      linkHowManyTimes: 25,
      linkUrl: "https://store.example/claim/spring",
      linkMessage: "Have one on us.",
    };
    const id = await placeOnStore(client, product, {
      giftOrderMethod: "link",
      status: "created",
      emailTemplate: "celebration",
      ...link,
    });
    const order = await readOrder(worker, client, "link", `order_id=${String(id)}`);
    expect(order).toMatchObject({
      order_status: "created",
      email_template: "celebration",
      link_how_many_times: 25,
      link_url: link.linkUrl,
      link_message: link.linkMessage,
    });
  });

  test("shows an order without recipients", async () => {
    const { product, client } = await createSampleShop();
    const id = await placeOnStore(client, product, {}, []);
    const order = await readOrder(worker, client, "email", `order_id=${String(id)}`);
    expect(order.recipients).toEqual([]);
  });

  test("finds an order by its id, its number and the client's reference", async () => {
    const { product, client } = await createSampleShop();
    const body = orderOf(product, { order_ref_id: "Größe M / 🎁 #1" });
    const { order_data } = await placeOrder(worker, client, body);
    const [byId, byNumber, byReference] = await Promise.all(
      [
        `order_id=${String(order_data.order_id)}`,
        `order_number=${order_data.order_number}`,
        `order_ref_id=${encodeURIComponent(body.order_ref_id)}`,
      ].map((query) => readOrder(worker, client, "api-purchase", query)),
    );
    expect(byNumber).toEqual(byId);
    expect(byReference).toEqual(byId);
  });

  test("shows NA for a phone number that is missing or blank", async () => {
    const { product, client } = await createSampleShop();
    const numbers = [undefined, "", " ", "+61 2 5550 0100"];
    const recipient_details = recipients(4).map((recipient, index) => ({
      ...recipient,
      phone_number: numbers[index],
    }));
    const { order_data } = await placeOrder(
      worker,
      client,
      orderOf(product, { recipient_details }),
    );
    const order = await readOrder(
      worker,
      client,
      "api-purchase",
      `order_id=${String(order_data.order_id)}`,
    );
    expect(order.recipients.map((each) => each.recipient_details.phone_number)).toEqual([
      "NA",
      "NA",
      "NA",
      "+61 2 5550 0100",
    ]);
  });

  test("accepts an order_id with leading zeros", async () => {
    const { product, client } = await createSampleShop();
    const { order_data } = await placeOrder(worker, client, orderOf(product));
    const id = String(order_data.order_id);
    const order = await readOrder(worker, client, "api-purchase", `order_id=000${id}`);
    expect(order.order_id).toBe(id);
  });

  test("shows an order number of more than five digits in full", async () => {
    const { product, client } = await createSampleShop();
    const id = await placeOnStore(client, product, { id: await unusedOrderId(100_000) });
    const order = await readOrder(worker, client, "email", `order_number=GO-${String(id)}`);
    expect(order.order_number).toBe(`GO-${String(id)}`);
    expect(order.recipients[0]?.suborder_number).toBe(`GO-${String(id)}-1`);
  });
});
