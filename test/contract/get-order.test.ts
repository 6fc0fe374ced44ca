// Every field that the interface names, on every endpoint that shows it.
import { env } from "cloudflare:workers";
import { describe, expect, test } from "vitest";
import { importOrder, type ImportedOrder, type ImportedSubOrder } from "../../src/orders/admin.ts";
import {
  ADDRESS,
  balanceOf,
  createClient,
  type TestClient,
  orderOf,
  recipients,
  simpleProduct,
  unusedOrderId,
  variableProduct,
} from "../support/fixtures.ts";
import {
  CreditBalance,
  GiftLinkPlacement,
  ORDERS,
  Placement,
  ProductList,
  SimpleProduct,
  VariableProduct,
} from "../support/shapes.ts";
import { authHeaders, startWorker } from "../support/worker.ts";

const NOW_MS = Date.UTC(2026, 2, 9, 17, 5, 59);
const worker = startWorker({ now: () => NOW_MS });

/** What GET shows of a product created without changes. */
const shownAlike = {
  product_description: "<p>Made by hand.</p>\n<p>In small numbers.</p>",
  product_short_description: "Made by hand.",
  digital_physical: "physical",
  featured_image: `${env.PUBLIC_URL}/images/products/product.svg`,
  additional_images: ["https://images.example/second.jpg"],
  product_vendor: {
    name: "A Vendor",
    bio: "<p>Since 1999.</p>",
    logo: `${env.PUBLIC_URL}/images/vendors/vendor.svg`,
    shipping_info: null,
    returns_info: "",
  },
  shipping_cost: 5,
  shipping_details: { weight: "0.5", length: "10", width: "10", height: "5" },
  available_location: [],
};

function shownSimple({ product }: ReturnType<typeof simpleProduct>) {
  return {
    ...shownAlike,
    product_id: product.id,
    product_sku: product.sku,
    product_name: product.name,
    product_type: "simple",
    price: "25.00",
    price_currency: "AUD",
    track_inventory: "Y",
    stock_status: "in_stock",
    stock_qty: "100",
  };
}

function shownVariable({ product }: ReturnType<typeof variableProduct>) {
  const [small, large] = product.variations.map(({ id, sku }, index) => ({
    id,
    sku,
    price: ["20.00", "30.00"][index],
    price_currency: "AUD",
    variation_qty: "100",
    variation_stock_status: "in_stock",
    options: [{ id: 1, name: "Size", option: ["S", "L"][index] }],
  }));
  return {
    ...shownAlike,
    product_id: product.id,
    product_sku: product.sku,
    product_name: product.name,
    product_type: "variable",
    attributes: [{ id: 1, name: "Size", option: ["S", "L"] }],
    variations: [small, large],
    track_inventory: "Y",
    stock_status: "in_stock",
    stock_qty: "200",
  };
}

async function listProducts(client: TestClient, query = "") {
  const answer = await worker.get(client, `/api/products${query}`);
  expect(answer.status).toBe(200);
  return ProductList.parse(answer.json);
}

describe("GET /api/products", () => {
  test("shows every field of simple and variable products", async () => {
    const simple = simpleProduct();
    const variable = variableProduct();
    const client = await createClient({ products: [simple, variable] });
    const answer = await worker.get(client, "/api/products");
    expect(ProductList.parse(answer.json)).toEqual({
      total_products: 2,
      total_products_in_query: 2,
      current_page: 1,
      total_pages: 1,
      products: [shownSimple(simple), shownVariable(variable)],
    });
    expect(answer.headers.get("Content-Type")).toBe("application/json");
    expect(answer.headers.get("Cache-Control")).toBe("private, no-cache");
  });

  test("pages through the catalogue in its order, and past its end", async () => {
    const products = Array.from({ length: 5 }, () => simpleProduct());
    const client = await createClient({ products });
    const ids = products.map(({ product }) => product.id);
    const pages = [
      { page: 1, shown: ids.slice(0, 2) },
      { page: 2, shown: ids.slice(2, 4) },
      { page: 3, shown: ids.slice(4) },
      { page: 4, shown: [] },
      { page: 1_000_000_000, shown: [] },
    ];
    for (const { page, shown } of pages) {
      const list = await listProducts(client, `?limit=2&page=${String(page)}`);
      expect(list.products.map((product) => product.product_id)).toEqual(shown);
      expect(list).toMatchObject({
        total_products: 5,
        total_products_in_query: shown.length,
        current_page: page,
        total_pages: 3,
      });
    }
  });

  test("filters by product_type, and counts the pages of what is left", async () => {
    const physical = Array.from({ length: 3 }, () => simpleProduct());
    const digital = simpleProduct({ delivery: "digital" });
    const client = await createClient({ products: [...physical, digital] });
    const all = await listProducts(client, "?product_type=&limit=2");
    expect(all).toMatchObject({ total_products: 4, total_pages: 2 });
    const onlyPhysical = await listProducts(client, "?product_type=physical&limit=2&page=2");
    expect(onlyPhysical).toMatchObject({
      total_products: 4,
      total_products_in_query: 1,
      total_pages: 2,
      products: [{ product_id: physical[2]?.product.id, digital_physical: "physical" }],
    });
    const onlyDigital = await listProducts(client, "?product_type=digital&limit=2");
    expect(onlyDigital).toMatchObject({
      total_products: 4,
      total_products_in_query: 1,
      total_pages: 1,
      products: [{ product_id: digital.product.id, digital_physical: "digital" }],
    });
  });

  test("has one page when there is nothing to show", async () => {
    const client = await createClient();
    expect(await listProducts(client)).toEqual({
      total_products: 0,
      total_products_in_query: 0,
      current_page: 1,
      total_pages: 1,
      products: [],
    });
  });

  test("shows 200 products when no limit is given, and 500 at most", async () => {
    const products = Array.from({ length: 501 }, () => simpleProduct());
    const client = await createClient({ products });
    expect(await listProducts(client)).toMatchObject({
      total_products: 501,
      total_products_in_query: 200,
      total_pages: 3,
    });
    expect(await listProducts(client, "?limit=500")).toMatchObject({
      total_products_in_query: 500,
      total_pages: 2,
    });
  });
});

describe("GET /api/product", () => {
  test("shows every field of a simple product: a price, no attributes, no variations", async () => {
    const product = simpleProduct();
    const client = await createClient({ products: [product] });
    const answer = await worker.get(
      client,
      `/api/product?product_id=${String(product.product.id)}`,
    );
    expect(answer.status).toBe(200);
    expect(SimpleProduct.parse(answer.json)).toEqual(shownSimple(product));
    expect(answer.headers.get("Cache-Control")).toBe("private, no-store");
  });

  test("shows every field of a variable product: attributes and variations, no price", async () => {
    const product = variableProduct();
    const client = await createClient({ products: [product] });
    const answer = await worker.get(
      client,
      `/api/product?product_id=${String(product.product.id)}`,
    );
    expect(answer.status).toBe(200);
    expect(VariableProduct.parse(answer.json)).toEqual(shownVariable(product));
  });

  test.for([
    ["untracked", { quantity: null }, ["N", "in_stock", ""]],
    ["sold out", { quantity: 0 }, ["Y", "out_of_stock", "0"]],
    ["untracked and withdrawn", { quantity: null, sellable: false }, ["N", "out_of_stock", ""]],
  ] as const)(
    "tells the stock of a product that is %s",
    async ([, level, [tracked, status, qty]]) => {
      const product = simpleProduct({}, level);
      const client = await createClient({ products: [product] });
      const answer = await worker.get(
        client,
        `/api/product?product_id=${String(product.product.id)}`,
      );
      expect(SimpleProduct.parse(answer.json)).toMatchObject({
        track_inventory: tracked,
        stock_status: status,
        stock_qty: qty,
      });
    },
  );

  test("tells the stock of each variation: the product's is their sum", async () => {
    const product = variableProduct();
    product.stock = product.stock.map((level, index) => ({
      ...level,
      quantity: [0, 7][index] ?? 0,
    }));
    const client = await createClient({ products: [product] });
    const answer = await worker.get(
      client,
      `/api/product?product_id=${String(product.product.id)}`,
    );
    expect(VariableProduct.parse(answer.json)).toMatchObject({
      stock_status: "in_stock",
      stock_qty: "7",
      variations: [
        { variation_qty: "0", variation_stock_status: "out_of_stock" },
        { variation_qty: "7", variation_stock_status: "in_stock" },
      ],
    });
  });

  test("shows empty texts, prices in cents, shipping in cents and locations as they are", async () => {
    const product = simpleProduct({
      sku: "",
      shortDescription: "",
      priceMinor: 5,
      currency: "GBP",
      shippingMinor: 1295,
      locations: ["GB", "IE"],
      additionalImages: [],
      delivery: "digital",
    });
    const client = await createClient({ products: [product] });
    const answer = await worker.get(
      client,
      `/api/product?product_id=${String(product.product.id)}`,
    );
    expect(SimpleProduct.parse(answer.json)).toMatchObject({
      product_sku: "",
      product_short_description: "",
      price: "0.05",
      price_currency: "GBP",
      shipping_cost: 12.95,
      available_location: ["GB", "IE"],
      additional_images: [],
      digital_physical: "digital",
    });
  });
});

/** 110.00 a piece, 11.00 shipping for each, and a client whose fee is 4 %. */
async function createSample() {
  const product = simpleProduct({ priceMinor: 11_000, shippingMinor: 1_100 });
  const client = await createClient({ products: [product] });
  return { product, client };
}

const SAMPLE_TOTALS = {
  currency: "AUD",
  product_price: 110,
  qty: 2,
  subtotal: 220,
  shipping_cost: 22,
  order_fee: 9.68,
  order_total: 251.68,
};

const SAMPLE_TOTALS_AS_TEXT = {
  currency: "AUD",
  product_price: "110.00",
  qty: "2",
  subtotal: "220.00",
  shipping_cost: "22.00",
  order_fee: "9.68",
  order_total: "251.68",
};

const PLATFORM_BRANDING_OPTIONS = {
  branding_logo: "/images/brand/regalo-logo.svg",
  branding_claim_logo: "/images/brand/regalo-claim-logo.svg",
  primary_color: "#7a1f3d",
  secondary_color: "#f6e9dd",
};

const padded = (orderId: number) => `GO-${String(orderId).padStart(5, "0")}`;

async function placeOrder(client: TestClient, body: object) {
  const answer = await worker.post(client, "/api/order", body);
  expect(answer.status, answer.text).toBe(200);
  return Placement.parse(answer.json);
}

async function placeGiftLink(client: TestClient, body: object) {
  const answer = await worker.post(client, "/api/gift-link", body);
  expect(answer.status, answer.text).toBe(200);
  return GiftLinkPlacement.parse(answer.json);
}

async function readOrder(client: TestClient, method: keyof typeof ORDERS, query: string) {
  const answer = await worker.get(client, `/api/order?${query}`);
  expect(answer.status, answer.text).toBe(200);
  expect(answer.headers.get("Cache-Control")).toBe("private, no-store");
  return ORDERS[method].parse(answer.json);
}

describe("POST /api/order", () => {
  test("answers the order and its totals, numbers as numbers", async () => {
    const { product, client } = await createSample();
    const body = orderOf(product, { recipient_details: recipients(2) });
    const placed = await placeOrder(client, body);
    expect(placed.order_totals).toEqual(SAMPLE_TOTALS);
    expect(placed.order_data.order_number).toBe(padded(placed.order_data.order_id));
  });

  test("charges the variation's own price", async () => {
    const product = variableProduct();
    const client = await createClient({ products: [product] });
    const large = product.product.variations[1]?.id;
    const placed = await placeOrder(client, orderOf(product, { variation_id: large }));
    expect(placed.order_totals).toMatchObject({ product_price: 30, subtotal: 30 });
  });

  test("takes every mailbox that mail can go to", async () => {
    const { product, client } = await createSample();
    const emails = [
      "m&m+gift@mail.example.co",
      "o'neil#7{x}@xn--bcher-kva.example",
      "a.b_c-d@1a.xn--p1ai",
      `${"x".repeat(64)}@example.museum`,
    ];
    const people = recipients(4).map((each, index) => ({ ...each, email: emails[index] }));
    await placeOrder(client, orderOf(product, { recipient_details: people }));
  });

  test("ignores fields that the interface does not name, forged totals among them", async () => {
    const { product, client } = await createSample();
    const forged = {
      order_id: 1,
      order_status: "created",
      order_totals: { order_total: 0, order_fee: 0 },
      order_total: 0,
      product_price: 0,
      qty: 1,
      shipping_cost: 0,
      gift_of_choice: "Y",
      order_branding: "company",
      redemption_status: "redeemed",
      more: { a: [] },
    };
    const recipient_details = recipients(2).map((recipient) => ({
      ...recipient,
      redemption_message: "not for orders",
      redemption_status: "redeemed",
    }));
    const placed = await placeOrder(client, orderOf(product, { ...forged, recipient_details }));
    expect(placed.order_totals).toEqual(SAMPLE_TOTALS);
    const orderId = String(placed.order_data.order_id);
    const order = await readOrder(client, "api-purchase", `order_id=${orderId}`);
    expect(order).toMatchObject({
      order_status: "paid",
      gift_of_choice: "N",
      branding_selected: "platform",
      order_totals: SAMPLE_TOTALS_AS_TEXT,
      recipients: [1, 2].map((n) => ({
        suborder_number: `${order.order_number}-${String(n)}`,
        redemption_status: null,
        recipient_details: { email_message: "" },
      })),
    });
    expect(await balanceOf(client.clientId)).toBe(100_000_000 - 25_168);
  });
});

describe("POST /api/gift-link", () => {
  test("answers the order, its totals and one link for each recipient", async () => {
    const { product, client } = await createSample();
    const body = orderOf(product, { recipient_details: recipients(2) });
    const placed = await placeGiftLink(client, body);
    const { order_id, order_number } = placed.order_data;
    expect(order_number).toBe(padded(order_id));
    expect(placed.order_totals).toEqual(SAMPLE_TOTALS);
    expect(placed.recipient_return).toMatchObject([
      {
        suborder_number: `${order_number}-1`,
        first_name: "First0",
        last_name: "Last0",
        email: "recipient0@example.com",
      },
      {
        suborder_number: `${order_number}-2`,
        first_name: "First1",
        last_name: "Last1",
        email: "recipient1@example.com",
      },
    ]);
    const [first, second] = placed.recipient_return;
    expect(first?.suborder_id).not.toBe(second?.suborder_id);
    expect(first?.gift_url).toMatch(new RegExp(`^${env.PUBLIC_URL}/redeem/[\\w-]{22,}$`));
    expect(second?.gift_url).not.toBe(first?.gift_url);
  });

  test("needs no address, since the recipient may give it later", async () => {
    const { product, client } = await createSample();
    await placeGiftLink(
      client,
      orderOf(product, {
        recipient_details: [{ first_name: "A", last_name: "B", email: "a@example.com" }],
      }),
    );
  });
});

/** Puts an order of the store into the database, with `changes` to what its kind is about. */
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
    const { product, client } = await createSample();
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
    const { order_data } = await placeOrder(client, body);
    const orderId = String(order_data.order_id);
    const order = await readOrder(client, "api-purchase", `order_id=${orderId}`);
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

  test("shows every field of an api-giftlink order, its links and its branding included", async () => {
    const product = variableProduct();
    const branding = {
      logo: "/images/brand/company.svg",
      claimLogo: "/images/brand/company-claim.svg",
      primaryColor: "#112233",
      secondaryColor: "#ddeeff",
    };
    const client = await createClient({ products: [product], branding, billing: "invoice" });
    const placed = await placeGiftLink(
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
    const order = await readOrder(client, "api-giftlink", `order_number=${order_number}`);
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

  test("shows a failed email order with its template and its message", async () => {
    const { product, client } = await createSample();
    const id = await placeOnStore(client, product, { status: "failed", emailTemplate: "sympathy" });
    const order = await readOrder(client, "email", `order_id=${String(id)}`);
    expect(order).toMatchObject({
      order_id: String(id),
      order_number: padded(id),
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
    const { product, client } = await createSample();
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
    const order = await readOrder(client, "direct", `order_id=${String(id)}`);
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

  test("shows a link order with its three fields of the link", async () => {
    const { product, client } = await createSample();
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
    const order = await readOrder(client, "link", `order_id=${String(id)}`);
    expect(order).toMatchObject({
      order_status: "created",
      email_template: "celebration",
      link_how_many_times: 25,
      link_url: link.linkUrl,
      link_message: link.linkMessage,
    });
  });

  test("shows an order without recipients", async () => {
    const { product, client } = await createSample();
    const id = await placeOnStore(client, product, {}, []);
    const order = await readOrder(client, "email", `order_id=${String(id)}`);
    expect(order.recipients).toEqual([]);
  });

  test("finds the same order by its id, its number and the client's own reference", async () => {
    const { product, client } = await createSample();
    const body = orderOf(product, { order_ref_id: "Größe M / 🎁 #1" });
    const { order_data } = await placeOrder(client, body);
    const [byId, byNumber, byReference] = await Promise.all(
      [
        `order_id=${String(order_data.order_id)}`,
        `order_number=${order_data.order_number}`,
        `order_ref_id=${encodeURIComponent(body.order_ref_id)}`,
      ].map((query) => readOrder(client, "api-purchase", query)),
    );
    expect(byNumber).toEqual(byId);
    expect(byReference).toEqual(byId);
  });

  test("shows NA for a phone number that is missing or blank", async () => {
    const { product, client } = await createSample();
    const numbers = [undefined, "", " ", "+61 2 5550 0100"];
    const recipient_details = recipients(4).map((recipient, index) => ({
      ...recipient,
      phone_number: numbers[index],
    }));
    const { order_data } = await placeOrder(client, orderOf(product, { recipient_details }));
    const order = await readOrder(
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

  test("takes an order_id as people copy it, with zeros before it", async () => {
    const { product, client } = await createSample();
    const { order_data } = await placeOrder(client, orderOf(product));
    const id = String(order_data.order_id);
    const order = await readOrder(client, "api-purchase", `order_id=000${id}`);
    expect(order.order_id).toBe(id);
  });

  test("shows an order number of more than five digits in full", async () => {
    const { product, client } = await createSample();
    const id = await placeOnStore(client, product, { id: await unusedOrderId(100_000) });
    const order = await readOrder(client, "email", `order_number=GO-${String(id)}`);
    expect(order.order_number).toBe(`GO-${String(id)}`);
    expect(order.recipients[0]?.suborder_number).toBe(`GO-${String(id)}-1`);
  });
});

describe("GET /api/credit-balance", () => {
  test("shows the balance as a number, its currency, and both as text", async () => {
    const client = await createClient({ creditMinor: 9_906_444 });
    const answer = await worker.get(client, "/api/credit-balance");
    expect(answer.status).toBe(200);
    expect(CreditBalance.parse(answer.json)).toEqual({
      credit_balance: 99064.44,
      currency: "AUD",
      credit_balance_formatted: "A$99,064.44",
    });
    expect(answer.headers.get("Cache-Control")).toBe("private, no-store");
  });

  test("reads 0 in a currency without an account", async () => {
    const client = await createClient();
    const answer = await worker.get(client, "/api/credit-balance?currency=GBP");
    expect(CreditBalance.parse(answer.json)).toEqual({
      credit_balance: 0,
      currency: "GBP",
      credit_balance_formatted: "£0.00",
    });
  });

  test("shows what an order has left of it", async () => {
    const { product, client } = await createSample();
    await placeOrder(client, orderOf(product, { recipient_details: recipients(2) }));
    const answer = await worker.get(client, "/api/credit-balance?currency=AUD");
    expect(CreditBalance.parse(answer.json).credit_balance).toBe(1_000_000 - 251.68);
  });
});

describe("every answer", () => {
  test("carries an X-Request-Id of its own", async () => {
    const client = await createClient();
    const answers = await Promise.all([
      worker.get(client, "/api/products"),
      worker.get(client, "/api/product?product_id=1"),
      worker.get(client, "/api/order?order_id=1"),
      worker.get(client, "/api/credit-balance"),
      worker.post(client, "/api/order", {}),
      worker.post(client, "/api/gift-link", "not JSON"),
      worker.get(client, "/api/nothing"),
      worker.fetch("/api/products"),
      worker.fetch("/redeem/nothing"),
    ]);
    const ids = answers.map(({ headers }) => headers.get("X-Request-Id"));
    expect(ids.filter((id) => !/^[0-9a-f-]{36}$/.test(id ?? ""))).toEqual([]);
    expect(new Set(ids).size).toBe(answers.length);
  });

  test("to HEAD is that to GET without its body", async () => {
    const client = await createClient();
    for (const path of ["/api/products", "/api/credit-balance"]) {
      const get = await worker.get(client, path);
      const head = await worker.fetch(path, { method: "HEAD", headers: authHeaders(client) });
      expect([head.status, head.text]).toEqual([200, ""]);
      expect(head.headers.get("ETag")).toBe(get.headers.get("ETag"));
      expect(head.headers.get("Cache-Control")).toBe(get.headers.get("Cache-Control"));
    }
  });

  test("tells browsers to use HTTPS, not to guess types and not to frame it", async () => {
    const client = await createClient();
    const { headers } = await worker.get(client, "/api/credit-balance");
    expect(headers.get("X-Content-Type-Options")).toBe("nosniff");
    expect(headers.get("X-Frame-Options")).toBe("SAMEORIGIN");
    expect(headers.get("Strict-Transport-Security")).toMatch(/max-age=\d+/);
  });
});
