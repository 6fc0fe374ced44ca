// The demo data of the local environment: three clients, three catalogues, credit and some past orders.
import { readFile } from "node:fs/promises";
import path from "node:path";
import { readRegalo } from "../operator/catalogue/import/regalo.ts";
import { fromSource } from "../operator/catalogue/publish/identity.ts";
import { publish } from "../operator/catalogue/publish/publish.ts";
import { addClient, addCredential, listCredentials } from "../operator/clients/queries.ts";
import { updateAvailability } from "../features/catalogue/availability-queries.ts";
import { adjustCredit } from "../features/credit/adjust-queries.ts";
import type { Currency } from "../core/values/iso.ts";
import type { EmailMessage } from "../platform/db/schema.ts";
import { statement } from "../platform/db/statement.ts";
import type { Bindings } from "../platform/env.ts";
import {
  findRevision,
  importOrder,
  type ImportedOrder,
  type ImportedSubOrder,
} from "../operator/orders/queries.ts";
import { currentGiftUrl } from "../features/orders/gift-link.ts";
import { totalsOf } from "../features/orders/totals.ts";
import { requireCatalogueId } from "../operator/clients/require-client.ts";
import { PROJECT_ROOT } from "./paths.ts";

const DEMO_CREDIT_MINOR = 100_000_00;
const DEMO_CURRENCIES = ["AUD", "USD", "GBP"] as const;
const DEFAULT_FEE_BASIS_POINTS = 400;

/** The catalogue `boutique` of the client `demo-two` has the products of `main` up to this id. */
const LAST_BOUTIQUE_PRODUCT_ID = 1020;

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
  if ((await listCredentials(DB, "demo-two")).length > 0) {
    if ((await listCredentials(DB, "demo-jp")).length > 0) return "existing";
  } else {
    await seedCatalogues(DB, nowMs);
    await seedClients(DB, nowMs);
    for (const currency of DEMO_CURRENCIES) {
      await seedCredit(DB, "demo", currency, DEMO_CREDIT_MINOR, nowMs);
    }
    await seedOrders(DB);
    await seedEmail(env, nowMs);
    await seedCredentials(DB, ["demo", "demo-two"], nowMs);
  }
  await seedJapan(DB, nowMs);
  // With the time of the clients, so that they get no events of products that the catalogues list as sold out.
  await updateAvailability(DB, nowMs);
  return "seeded";
}

const INSERT_EMAIL = statement<{ nowMs: number; message: string }>()`
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
  await INSERT_EMAIL.bind(env.DB, { nowMs, message: JSON.stringify(message) }).run();
}

/** A client with prices in yen, which have no decimals. Databases of earlier versions get it too. */
async function seedJapan(d1: D1Database, nowMs: number): Promise<void> {
  const products = await readCatalogue("catalogue-jp.json");
  await publish(d1, "japan", products, nowMs, { settings: { language: "ja" } });
  await addClient(d1, {
    id: "demo-jp",
    name: "デモ商会",
    billing: "credit",
    feeBasisPoints: DEFAULT_FEE_BASIS_POINTS,
    defaultCurrency: "JPY",
    catalogueId: await requireCatalogueId(d1, "japan"),
    createdAtMs: nowMs,
  });
  await seedCredit(d1, "demo-jp", "JPY", 1_000_000, nowMs);
  await seedCredentials(d1, ["demo-jp"], nowMs);
}

async function readCatalogue(file: string) {
  const { products, problems } = readRegalo(await readSeed(file));
  const [problem] = problems;
  if (problem) throw new Error(`seed/${file}: ${problem.field} ${problem.reason}`);
  return products.map(fromSource);
}

async function seedCatalogues(d1: D1Database, nowMs: number): Promise<void> {
  const main = await readCatalogue("catalogue.json");
  const boutique = main.filter(({ product }) => product.id <= LAST_BOUTIQUE_PRODUCT_ID);
  const settings = { language: "en" };
  await publish(d1, "main", main, nowMs, { settings });
  await publish(d1, "boutique", boutique, nowMs, { settings, shareStock: true });
}

async function seedClients(d1: D1Database, nowMs: number): Promise<void> {
  const profile = {
    feeBasisPoints: DEFAULT_FEE_BASIS_POINTS,
    defaultCurrency: "AUD" as const,
    createdAtMs: nowMs,
  };
  await addClient(d1, {
    ...profile,
    id: "demo",
    name: "Demo Company",
    billing: "credit",
    catalogueId: await requireCatalogueId(d1, "main"),
  });
  await addClient(d1, {
    ...profile,
    id: "demo-two",
    name: "Northwind Studio",
    billing: "invoice",
    catalogueId: await requireCatalogueId(d1, "boutique"),
    branding: {
      logo: "/images/brand/demo-two-logo.svg",
      claimLogo: "/images/brand/demo-two-claim-logo.svg",
      primaryColor: "#1f4d5c",
      secondaryColor: "#e3eef0",
    },
  });
}

async function seedCredit(
  d1: D1Database,
  clientId: string,
  currency: Currency,
  amountMinor: number,
  nowMs: number,
): Promise<void> {
  const reference = { reference: "seed", note: "Demo credit" };
  await adjustCredit(d1, { clientId, currency, amountMinor, ...reference, nowMs });
}

/** An order in `seed/orders.json`. Its other values are computed from its product. */
interface SeedOrder extends Omit<
  ImportedOrder,
  "productRevision" | "currency" | "createdAtMs" | "qty" | `${string}Minor`
> {
  createdAt: string;
  recipients: ImportedSubOrder[];
}

async function seedOrders(d1: D1Database): Promise<void> {
  const orders = JSON.parse(await readSeed("orders.json")) as SeedOrder[];
  for (const { createdAt, recipients, ...order } of orders) {
    const found = await findRevision(d1, order.productId);
    if (found?.priceMinor == null) {
      throw new Error(
        `seed/orders.json: there is no simple product ${String(order.productId)} in the catalogue`,
      );
    }
    const { revision, currency, priceMinor, shippingMinor } = found;
    const qty = order.linkHowManyTimes ?? recipients.length;
    await importOrder(
      d1,
      {
        ...order,
        ...totalsOf(priceMinor, shippingMinor, qty, DEFAULT_FEE_BASIS_POINTS),
        productRevision: revision,
        currency,
        createdAtMs: Date.parse(createdAt),
      },
      recipients,
    );
  }
}

async function seedCredentials(d1: D1Database, ids: string[], nowMs: number): Promise<void> {
  for (const id of ids) {
    if ((await listCredentials(d1, id)).length > 0) continue;
    await addCredential(d1, id, { apiKey: `${id}-key`, apiPassword: `${id}-password` }, nowMs);
  }
}

function readSeed(file: string): Promise<string> {
  return readFile(path.join(PROJECT_ROOT, "seed", file), "utf8");
}
