// Valid inputs of operations, for the tests of what all operations have in common.
import { env } from "cloudflare:workers";
import { orderNumber, toGiftNumber } from "../../src/core/values/ids.ts";
import { dayIn } from "../../src/core/values/redeem-by.ts";
import { adjustCredit } from "../../src/features/credit/adjust-queries.ts";
import { insertCredential } from "../../src/features/credentials/queries.ts";
import { listClientCredentials } from "../../src/operator/client/queries.ts";
import { createFinished } from "../features/privacy/personal.ts";
import { collect, PICKS } from "../support/collections.ts";
import {
  addCodesTo,
  codeProduct,
  createClient,
  openShop,
  orderOf,
  recipients,
  simpleProduct,
  unique,
  variableProduct,
} from "../support/fixtures.ts";
import { changeParcels, createGift, decline } from "../support/gift.ts";
import { invoicedOrders } from "../support/invoiced-orders.ts";
import { placeOrder } from "../support/orders.ts";
import { transition } from "../support/transition.ts";
import { addDelivery, addEvents, createWebhook, setColumns } from "../support/webhooks.ts";
import { startWorker } from "../support/worker.ts";
import { fileOf, openCatalogue, shopFile, tracked } from "./catalogue/published.ts";
import { openOperatorApi } from "./operator-api.ts";

const worker = startWorker();
const reason = "Ticket 7";

async function newCatalogue(): Promise<string> {
  const catalogue = `sample ${String(unique())}`;
  await (await openOperatorApi()).run("catalogue add", { name: catalogue, currency: "AUD" });
  return catalogue;
}

/** Another vendor. */
async function newVendor() {
  const { vendor } = simpleProduct().product;
  const name = `Vendor ${String(unique())}`;
  await openShop(simpleProduct({ vendor: { ...vendor, name } }));
  return { vendor: name };
}

async function newCollection() {
  const { client, product } = await openShop();
  await collect(client, [product]);
  return { catalogue: client.catalogue, product: product.product };
}

async function newCollectionKey() {
  return { catalogue: (await newCollection()).catalogue, collection: PICKS, reason: "Outdated" };
}

const newProduct = async () => (await openShop(simpleProduct({}, { quantity: 5 }))).product.product;

const newClient = async (options = {}) => ({ client: (await createClient(options)).clientId });

/** An endpoint that has been sent three events. */
async function newWebhook() {
  const client = await createClient();
  const { webhook_id: webhook } = await createWebhook(worker, client);
  await addEvents(client.clientId, 3);
  await setColumns(webhook, { position: 3 });
  await addDelivery(webhook, 2, { status: "failed", attempts: 10 });
  return { webhook };
}

/** A set with the scope `order`. */
async function newSet(clientId: string) {
  const set = { clientId, digest: crypto.randomUUID(), scope: "order" as const, name: null };
  const added = { ...set, keyEnd: "-key", limits: null, usedId: null, nowMs: Date.now() };
  return (await insertCredential(env.DB, added))?.id;
}

const BRANDING = {
  logo: "/a.svg",
  claimLogo: "/b.svg",
  primaryColor: "#112233",
  secondaryColor: "#445566",
};

/** A product with three codes of the batch `test`. */
export async function withCodes() {
  const { client, product } = await openShop(codeProduct());
  await addCodesTo(product, 3);
  return { client, product, id: product.product.id };
}

/** A gift with a code, of a product with two more. */
export async function withCode() {
  const shop = await withCodes();
  const { order_data } = await placeOrder(worker, shop.client, orderOf(shop.product));
  const orderId = order_data.order_id;
  return { ...shop, orderId, gift: toGiftNumber(orderId, 1) };
}

const ofClient = (input: object) => async () => {
  const { clientId } = await createClient();
  return { client: clientId, ...input };
};

/** The numbers of a paid order with two links, and of its first gift. */
async function linked() {
  const product = simpleProduct({}, { quantity: 10 });
  const details = { recipient_details: recipients(2) };
  const { orderId, path } = await createGift(worker, [product], details);
  return { order: orderNumber(orderId), gift: toGiftNumber(orderId, 1), path };
}

async function newGift(): Promise<string> {
  const { orderId } = await createGift(worker, [simpleProduct()]);
  return toGiftNumber(orderId, 1);
}

/** A file of `restore list` with these objects. */
export async function lastingFile(objects: Record<string, object[]>): Promise<File> {
  const { facts } = await (await openOperatorApi()).view("restore list", { since: "2999-01-01" });
  const lasting = { ...(facts["lasting"] as object), ...objects };
  const since = "2020-01-01T00:00:00.000Z";
  return new File([JSON.stringify({ facts: { ...facts, since, lasting } })], "lasting.json");
}

/** A gift to ship. */
async function toShip() {
  const { client, product } = await openShop();
  const { order_data } = await placeOrder(worker, client, orderOf(product));
  const key = { orderId: order_data.order_id, sequence: 1 };
  return { client, key, gift: toGiftNumber(key.orderId, key.sequence) };
}

/** A parcel. */
async function shipped() {
  const { key, gift } = await toShip();
  await changeParcels("ship", [{ ...key, carrier: "DHL", trackingNumber: "JD0146" }]);
  return { gift };
}

/** Of each operation: creates what it needs, and returns an input whose plan changes something. */
export const SAMPLES: Readonly<Record<string, () => Promise<Readonly<Record<string, unknown>>>>> = {
  home: () => Promise.resolve({}),
  "catalogue list": () => Promise.resolve({}),
  "catalogue show": async () => ({ catalogue: await newCatalogue() }),
  "catalogue products": async () => ({ catalogue: (await openShop()).client.catalogue }),
  "catalogue add": () =>
    Promise.resolve({ name: `sample ${String(unique())}`, locations: ["AU", "NZ"] }),
  "catalogue publish": async () => ({
    catalogue: await newCatalogue(),
    file: shopFile(tracked(2)),
    stock: "replace",
    vendor: "Acme",
  }),
  "catalogue republish": async () => {
    const catalogue = await openCatalogue(await openOperatorApi(), tracked(1));
    const file = shopFile(tracked(2));
    await (await openOperatorApi()).run("catalogue publish", { catalogue, file });
    return { catalogue, version: 1 };
  },
  "collection list": async () => ({ catalogue: (await newCollection()).catalogue }),
  "collection set": async () => {
    const { catalogue, product } = await newCollection();
    return {
      catalogue,
      collection: "picks",
      name: "Wellness",
      products: [String(product.id)],
      text: "A quiet evening",
      language: "de",
    };
  },
  "collection remove": newCollectionKey,
  "stock list": async () => ({ catalogue: (await openShop()).client.catalogue, below: 1_000 }),
  "stock show": async () => ({ product: String((await newProduct()).id) }),
  "stock set": async () => {
    const { product } = (await openShop(variableProduct())).product;
    const variation = product.variations[0]?.id;
    return { product: String(product.id), variation, quantity: 7, reason: "Stocktaking" };
  },
  "stock adjust": async () => ({
    product: String((await newProduct()).id),
    pieces: -3,
    reason: "Broken",
  }),
  "stock upload": async () => ({
    file: fileOf(`product,quantity\n${String((await newProduct()).id)},9\n`, "counts.csv"),
    reason: "Stocktaking",
  }),
  "client list": () => Promise.resolve({}),
  "client show": () => newClient(),
  "client add": async () => ({
    client_id: `added-${String(unique())}`,
    name: "Added Ltd",
    billing: "invoice",
    currency: "EUR",
    catalogue: (await createClient()).catalogue,
  }),
  "client set": async () => ({
    ...(await newClient({ branding: BRANDING })),
    fee: "2.75",
    reminder_days: "none",
  }),
  "client suspend": () => newClient(),
  "client resume": () => newClient({ status: "suspended" }),
  "credential issue": async () => ({ ...(await newClient()), scope: "read" }),
  "credential limit": async () => {
    const { client } = await newClient();
    const set = await newSet(client);
    return { client, set, limits: ["500.00 AUD day", "20000 JPY month"] };
  },
  "credential revoke": async () => {
    const { client } = await newClient();
    const [set] = await listClientCredentials(env.DB, client);
    return { client, set: set?.id, reason: "It was published." };
  },
  "webhook list": () => Promise.resolve({}),
  "webhook show": newWebhook,
  "webhook redeliver": async () => ({ ...(await newWebhook()), event: 2 }),
  "event list": async () => {
    const { client } = await createGift(worker, [simpleProduct()]);
    return { client: client.clientId };
  },
  "code list": async () => ({ product: String((await withCodes()).id) }),
  "code upload": async () => {
    const { id } = await withCodes();
    return { file: new File([`product,code\n${String(id)},NEW-${String(id)}\n`], "codes.csv") };
  },
  "code show": async () => ({ gift: (await withCode()).gift, reason }),
  "code replace": async () => ({ gift: (await withCode()).gift, reason }),
  "code void": async () => ({ product: String((await withCodes()).id), batch: "test", reason }),
  "credit list": ofClient({}),
  "credit show": ofClient({}),
  "credit add": ofClient({
    amount: "-120.50",
    currency: "USD",
    reference: "CORR-7",
    note: "Agreed",
  }),
  "credit alert": ofClient({ currency: "USD", below: "500.00" }),
  "credit ledger": ofClient({ currency: "USD" }),
  statement: ofClient({ entries: 10 }),
  "statement entries": ofClient({ currency: "USD" }),
  "statement list": () => Promise.resolve({}),
  "statement close": async () => {
    const { clientId } = await createClient({ creditMinor: 0 });
    const month = "2020-02";
    const booking = {
      clientId,
      currency: "GBP" as const,
      amountMinor: 100,
      reference: "A",
      note: null,
    };
    await adjustCredit(env.DB, { ...booking, nowMs: Date.UTC(2020, 1, 3) });
    return { month, sender: "Regalo Ltd", reason };
  },
  report: ofClient({ group_by: "product" }),
  "order list": () => Promise.resolve({}),
  "order show": async () => ({ order: (await linked()).order }),
  "order find": () => Promise.resolve({ text: "example.com" }),
  "order cancel": async () => {
    const { order, gift } = await linked();
    return { order, gift: [gift], redeemed: true, reason };
  },
  "order extend": async () => {
    const { order } = await linked();
    return { order, redeem_by: dayIn(40, Date.now()) };
  },
  "order pay": async () => {
    const { orders } = await invoicedOrders(2);
    return { order: orders.map(({ number }) => number) };
  },
  "order refund": async () => {
    const { id, number: order } = await invoicedOrders();
    await transition(env.DB, id, "pay", Date.now());
    await transition(env.DB, id, "cancel", Date.now());
    return { order, reference: "Back 1", reason };
  },
  "order note": async () => ({ order: (await invoicedOrders()).number, text: "Called back" }),
  "order fail": async () => ({ order: (await invoicedOrders()).number, reason }),
  "payment list": () => Promise.resolve({}),
  "payment upload": async () => {
    const { number } = await invoicedOrders();
    return { file: new File([`order_number,amount\n${number},31.20`], "payments.csv") };
  },
  "gift list": () => Promise.resolve({}),
  "gift show": async () => ({ gift: (await linked()).gift }),
  "gift extend": async () => ({
    gift: (await linked()).gift,
    redeem_by: dayIn(40, Date.now()),
  }),
  "gift renew": async () => ({ gift: (await linked()).gift, email: "new@example.com" }),
  "gift swap": async () => {
    const products = [simpleProduct(), simpleProduct({ delivery: "digital", shippingMinor: 0 })];
    const client = await createClient({ products });
    const { order_data } = await placeOrder(
      worker,
      client,
      orderOf(products[0] ?? simpleProduct()),
    );
    return { gift: toGiftNumber(order_data.order_id, 1), product: products[1]?.product.id, reason };
  },
  "gift note": async () => ({ gift: (await linked()).gift, text: "Called back" }),
  "gift reinstate": async () => {
    const { gift, path } = await linked();
    await decline(worker, path);
    return { gift };
  },
  "recipient show": async () => ({ all_of: await newGift() }),
  "recipient correct": async () => ({ gift: (await linked()).gift, last_name: "Quintana" }),
  "recipient export": async () => ({ gift: [await newGift()], reason }),
  "recipient erase": async () => {
    const { orderId } = await createFinished();
    return { gift: [toGiftNumber(orderId, 1)], reason };
  },
  "email list": () => Promise.resolve({ status: "problem" }),
  "email resend": async () => ({ gift: await newGift() }),
  "email stop": async () => ({ gift: await newGift(), reason }),
  "audit list": () => Promise.resolve({ operator: "engineer@regalo.example" }),
  health: () => Promise.resolve({ full: "yes" }),
  "restore list": () => Promise.resolve({ since: "2026-05-01" }),
  "restore finish": async () => ({
    restored_to: new Date(Date.now() - 1_000).toISOString(),
    file: await lastingFile({ "client suspend": [{ object: (await newClient()).client }] }),
  }),
  "region begin": () => Promise.resolve({}),
  "shipment list": async () => ({ client: (await toShip()).client.clientId }),
  "shipment picklist": async () => ({ client: (await toShip()).client.clientId }),
  "shipment ship": async () => {
    const { gift } = await toShip();
    return { gift, carrier: "DHL", tracking_number: "JD0146" };
  },
  "shipment deliver": shipped,
  "shipment correct": async () => ({ ...(await shipped()), tracking_number: "JD0147" }),
  "shipment reopen": shipped,
  "shipment return": async () => ({ ...(await shipped()), problem: "refused" }),
  "shipment fail": async () => ({ ...(await shipped()), problem: "lost" }),
  "shipment reship": async () => {
    const { key, gift } = await toShip();
    await changeParcels("ship", [key]);
    await changeParcels("return", [{ ...key, problem: "refused" }]);
    return { gift };
  },
  "vendor list": () => Promise.resolve({}),
  "vendor show": newVendor,
  "vendor set": async () => ({
    ...(await newVendor()),
    time_zone: "Asia/Tokyo",
    shows_client: true,
  }),
  "shipment upload": async () => {
    const { gift } = await toShip();
    return { file: new File([`gift,tracking\n${gift},JD0146\n`], "shipped.csv"), step: "ship" };
  },
};
