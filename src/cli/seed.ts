// The demo data of the local environment: three clients, three catalogues, codes, credit and some past orders.
import catalogue from "../../seed/catalogue.json" with { type: "json" };
import collections from "../../seed/collections.json" with { type: "json" };
import japaneseCatalogue from "../../seed/catalogue-jp.json" with { type: "json" };
import orders from "../../seed/orders.json" with { type: "json" };
import { ApiError } from "../core/api-error.ts";
import { toGiftId } from "../core/values/ids.ts";
import { DAY_MS } from "../core/values/time.ts";
import { validate } from "../core/validation/validate.ts";
import { hasCodes } from "../features/catalogue/product.ts";
import { secretDigest } from "../features/clients/credentials.ts";
import { keyEndOf } from "../features/credentials/create.ts";
import { storedLimits } from "../features/credentials/limits.ts";
import { insertCredential } from "../features/credentials/queries.ts";
import { findClient } from "../features/clients/queries.ts";
import { seal } from "../features/codes/seal.ts";
import { addCodes } from "../features/codes/upload-queries.ts";
import { insertEmailEvents } from "../features/email/event-queries.ts";
import { endGifts } from "../features/lifecycle/end.ts";
import { operatorKey } from "../features/lifecycle/order-key.ts";
import { GiftLinkRequest } from "../features/orders/contract.ts";
import { offerCache } from "../features/orders/offers.ts";
import { place } from "../features/orders/place.ts";
import { ADDRESS_RULES } from "../operator/address-rules.ts";
import { redeemGift } from "../features/sandbox/redeem-gift.ts";
import { readRegalo } from "../operator/catalogue/import/regalo.ts";
import { fromSource, type KeyedProduct } from "../operator/catalogue/publish/identity.ts";
import { publish } from "../operator/catalogue/publish/publish.ts";
import { writeCollection } from "../operator/collection/queries.ts";
import { addClient, addCredential, listClientCredentials } from "../operator/client/queries.ts";
import { updateAvailability } from "../features/catalogue/availability-queries.ts";
import { adjustCredit } from "../features/credit/adjust-queries.ts";
import type { Currency } from "../core/values/iso.ts";
import type { EmailMessage } from "../platform/db/schema.ts";
import { batch, fragment, sql } from "../platform/db/sql.ts";
import type { Bindings } from "../platform/env.ts";
import { currentGiftUrl } from "../features/orders/gift-link.ts";
import { requireCatalogue } from "../operator/catalogue/queries.ts";
import { hasStoreOrders, type StoreColumns, toStoreOrders } from "../operator/order/queries.ts";

const DEMO_CREDIT_MINOR = 100_000_00;
const DEMO_CURRENCIES = ["AUD", "USD", "GBP"] as const;

/** When the clients were added, before their first order. */
const SINCE_MS = Date.parse("2025-11-01T00:00:00Z");

/** The catalogue `boutique` of the client `demo-two` has the products of `main` up to this id. */
const LAST_BOUTIQUE_PRODUCT_ID = 1020;

/** The number of codes of each product or variation. */
const CODES = 20;

/**
 * Adds the demo data to a new local database. It can be run again after an interruption: every step skips existing
 * data. The credentials are added last, so if they exist, the data of their client is complete. Throws in other environments, because
 * the demo credentials are public.
 */
export async function seed(env: Bindings, nowMs: number): Promise<"seeded" | "existing"> {
  if (env.ENVIRONMENT !== "local") {
    throw new Error(`demo data is for the local environment only, not for ${env.ENVIRONMENT}`);
  }
  const { DB } = env;
  if ((await listClientCredentials(DB, "demo-jp")).length > 0) return "existing";
  await seedCodes(env, await seedCatalogues(DB), nowMs);
  await seedCollections(DB);
  await seedClients(DB);
  for (const currency of DEMO_CURRENCIES) {
    await seedCredit(DB, "demo", currency, DEMO_CREDIT_MINOR);
  }
  await seedCredit(DB, "demo-jp", "JPY", 1_000_000);
  // With the time of the clients, so that they get no events of products that the catalogues list as sold out.
  await updateAvailability(DB, SINCE_MS);
  await seedOrders(DB);
  await seedEmail(env, nowMs);
  await seedCredentials(DB, ["demo", "demo-two", "demo-jp"], nowMs);
  return "seeded";
}

const INSERT_EMAIL_EVENT = sql<{ nowMs: number }>()`${insertEmailEvents(fragment`
  SELECT 'demo' AS client_id, 0 AS key, 'gift.email_sent' AS type, 6 AS order_id, 3 AS sequence,
    'invitation' AS kind, NULL AS reason
  WHERE NOT EXISTS (SELECT 1 FROM emails WHERE order_id = 6 AND sequence = 3)`)}`;

const INSERT_EMAIL = sql<{ nowMs: number; message: string }>()`
  INSERT OR IGNORE INTO emails (order_id, sequence, number, kind, status, due_ms,
    link_generation, attempts, attempted_at_ms, message_id, message)
  VALUES (6, 3, 1, 'invitation', 'sent', ${"nowMs"}, 0, 1, ${"nowMs"}, 'sandbox-demo', ${"message"})`;

/**
 * An e-mail about a gift of the demo order with links, for the mailbox and the sandbox controls. It is shorter than the
 * messages of the Worker, whose components do not run in Node.
 */
async function seedEmail(env: Bindings, nowMs: number): Promise<void> {
  const order = { id: 6, linkNonce: "demogift", linkKeyId: null };
  const giftUrl = await currentGiftUrl(env, order, { sequence: 3, generation: 0 });
  const subject = "Demo Company has sent you a gift";
  const message: EmailMessage = {
    to: "ingrid.solano@example.com",
    from: { name: "Demo Company", email: "gifts@regalo.example" },
    replyTo: "support@regalo.example",
    subject,
    text: `${subject}.\n\nIngrid, a gift for you\n\nOpen your gift\n${giftUrl}\n`,
    html:
      `<!doctype html><html lang="en"><head><title>${subject}</title></head><body><p>${subject}.</p>` +
      `<h1>Ingrid, a gift for you</h1><p><a href="${giftUrl}">Open your gift</a></p></body></html>`,
    headers: {},
  };
  await batch(env.DB, {
    event: INSERT_EMAIL_EVENT.bind(env.DB, { nowMs }),
    email: INSERT_EMAIL.bind(env.DB, { nowMs, message: JSON.stringify(message) }),
  });
}

function productsOf(file: object) {
  const { products, problems } = readRegalo(file);
  const [problem] = problems;
  if (problem) throw new Error(`seed: ${problem.field} ${problem.reason}`);
  return products.map(fromSource);
}

/** Returns the products. */
async function seedCatalogues(d1: D1Database): Promise<KeyedProduct[]> {
  const main = productsOf(catalogue);
  const boutique = main.filter(({ product }) => product.id <= LAST_BOUTIQUE_PRODUCT_ID);
  const options = { settings: { language: "en" }, testCodes: true };
  await publish(d1, "main", main, SINCE_MS, options);
  await publish(d1, "boutique", boutique, SINCE_MS, { ...options, shareStock: true });
  // Prices in yen, which have no decimals.
  const japan = productsOf(japaneseCatalogue);
  await publish(d1, "japan", japan, SINCE_MS, { ...options, settings: { language: "ja" } });
  return [...main, ...japan];
}

/** Products with a barcode have codes with a PIN that expire, and others have a link. */
async function seedCodes(env: Bindings, products: readonly KeyedProduct[], nowMs: number) {
  const expiresAtMs = (Math.floor(nowMs / DAY_MS) + 3 * 365) * DAY_MS;
  for (const { product, stock } of products.filter((each) => hasCodes(each.product))) {
    const { id: productId, sku, digital } = product;
    const vendor = sku.slice(0, 2);
    const isCard = digital?.barcode !== null;
    const rows = stock.flatMap(({ variationId }) =>
      Array.from({ length: CODES }, async (_, index) => {
        const digits = String((productId + 31 * variationId + 977 * index) * 7_654_321).slice(-8);
        const content = isCard
          ? { pin: digits.slice(2, 6), url: null }
          : { pin: null, url: `https://${vendor.toLowerCase()}.example/gift/${digits}` };
        const sealed = await seal(env, { code: `${vendor}-${digits}`, ...content });
        const row = { ...sealed, productId, variationId, batch: "demo", createdAtMs: SINCE_MS };
        return { ...row, expiresAtMs: isCard ? expiresAtMs : undefined };
      }),
    );
    await addCodes(env.DB, await Promise.all(rows));
  }
}

/** The collections of the main catalogue. */
async function seedCollections(d1: D1Database): Promise<void> {
  const catalogueId = (await requireCatalogue(d1, "main")).id;
  for (const each of collections) {
    await writeCollection(d1, { ...each, catalogueId }, SINCE_MS);
  }
}

async function seedClients(d1: D1Database): Promise<void> {
  const profile = {
    feeBasisPoints: 400,
    defaultCurrency: "AUD" as const,
    createdAtMs: SINCE_MS,
  };
  await addClient(d1, {
    ...profile,
    id: "demo",
    name: "Demo Company",
    billing: "credit",
    catalogueId: (await requireCatalogue(d1, "main")).id,
  });
  await addClient(d1, {
    ...profile,
    id: "demo-two",
    name: "Northwind Studio",
    billing: "invoice",
    privacyUrl: "https://northwind.example/privacy",
    catalogueId: (await requireCatalogue(d1, "boutique")).id,
    branding: {
      logo: "/images/brand/demo-two-logo.svg",
      claimLogo: "/images/brand/demo-two-claim-logo.svg",
      primaryColor: "#1f4d5c",
      secondaryColor: "#e3eef0",
    },
  });
  await addClient(d1, {
    ...profile,
    id: "demo-jp",
    name: "デモ商会",
    billing: "credit",
    defaultCurrency: "JPY",
    catalogueId: (await requireCatalogue(d1, "japan")).id,
  });
}

async function seedCredit(
  d1: D1Database,
  clientId: string,
  currency: Currency,
  amountMinor: number,
): Promise<void> {
  const reference = { reference: "seed", note: "Demo credit" };
  await adjustCredit(d1, { clientId, currency, amountMinor, ...reference, nowMs: SINCE_MS });
}

/** An order in `seed/orders.json`. */
interface SeedOrder {
  placedAt: string;
  /** If it is not the client's. */
  billing?: "invoice";
  /** The body of POST /api/gift-link. */
  request: object;
  /** What happens a day later, to all gifts or to those with these sequences. */
  then?: { kind: "redeem" | "cancel" | "fail"; gifts?: number[] };
  /** The columns that only the online store sets. Its orders have no reference and no gift links. */
  store?: StoreColumns;
}

/** Places the orders and changes them as the API does, so that they have their events and ledger entries. */
async function seedOrders(d1: D1Database): Promise<void> {
  // The store's columns are set last and in one transaction. Then the orders are complete.
  if (await hasStoreOrders(d1)) return;
  const client = await findClient(d1, "demo");
  if (!client) throw new Error("the client demo is missing");
  const link = { linkNonce: "demogift", linkKeyId: null };
  const ofStore = new Map<number, StoreColumns>();
  for (const order of orders as SeedOrder[]) {
    const request = validate(GiftLinkRequest(), order.request);
    const requestId = crypto.randomUUID();
    const placedAtMs = Date.parse(order.placedAt);
    const placed = await place(
      { d1, offers: offerCache(), nowMs: placedAtMs, requestId, addresses: ADDRESS_RULES },
      {
        method: "api-giftlink",
        credentialId: null,
        ownId: null,
        client: { ...client, billing: order.billing ?? client.billing },
        request,
        link,
        sendsEmails: false,
      },
    );
    if (placed instanceof ApiError) throw placed;
    const { id } = placed.order;
    if (order.then) await change(d1, id, order.then, { requestId, nowMs: placedAtMs + DAY_MS });
    if (order.store) ofStore.set(id, order.store);
  }
  await toStoreOrders(d1, ofStore);
}

async function change(
  d1: D1Database,
  orderId: number,
  { kind, gifts }: NonNullable<SeedOrder["then"]>,
  request: { requestId: string; nowMs: number },
): Promise<void> {
  const giftIds = gifts?.map((sequence) => toGiftId(orderId, sequence)) ?? null;
  if (kind !== "redeem") {
    await endGifts(d1, { ...operatorKey(orderId), kind, giftIds, ...request });
    return;
  }
  for (const suborder_id of giftIds ?? []) {
    await redeemGift({ d1, clientId: "demo", ...request }, { suborder_id }, ADDRESS_RULES);
  }
}

/** One set for each client, and one with a limit for the client demo. */
async function seedCredentials(d1: D1Database, ids: string[], nowMs: number): Promise<void> {
  for (const id of ids) {
    if ((await listClientCredentials(d1, id)).length > 0) continue;
    await addCredential(d1, id, { apiKey: `${id}-key`, apiPassword: `${id}-password` }, nowMs);
  }
  if ((await listClientCredentials(d1, "demo")).length > 1) return;
  await insertCredential(d1, {
    clientId: "demo",
    digest: await secretDigest("agent-key", "agent-password"),
    keyEnd: keyEndOf("agent-key"),
    scope: "order",
    name: "Agent",
    limits: storedLimits([{ period: "order", currency: "AUD", amount: "100.00" }]),
    usedId: null,
    nowMs,
  });
}
