// The demo data of the local environment: two clients, two catalogues, credit and some past orders.
import { readFile } from "node:fs/promises";
import path from "node:path";
import { readRegalo } from "../operator/catalogue/import/regalo.ts";
import { fromSource } from "../operator/catalogue/publish/identity.ts";
import { publish } from "../operator/catalogue/publish/publish.ts";
import { addClient, addCredential, listCredentials } from "../operator/clients/queries.ts";
import { adjustCredit } from "../operator/credit/queries.ts";
import type { Bindings } from "../platform/env.ts";
import {
  findRevision,
  importOrder,
  type ImportedOrder,
  type ImportedSubOrder,
} from "../operator/orders/queries.ts";
import { totalsOf } from "../features/orders/totals.ts";
import { catalogueIdOf } from "./commands/client.ts";
import { PROJECT_ROOT } from "./paths.ts";

const DEMO_CREDIT_MINOR = 100_000_00;
const DEMO_CURRENCIES = ["AUD", "USD", "GBP"] as const;
const DEFAULT_FEE_BASIS_POINTS = 400;

/** The catalogue `boutique` of the client `demo-two` has the products of `main` up to this id. */
const LAST_BOUTIQUE_PRODUCT_ID = 1020;

/**
 * Adds the demo data to a new local database. It can be run again after an interruption: every step skips existing
 * data. The credentials are added last, so if they exist, the data is complete. Throws in other environments, because
 * the demo credentials are public.
 */
export async function seed(env: Bindings, nowMs: number): Promise<"seeded" | "existing"> {
  if (env.ENVIRONMENT !== "local") {
    throw new Error(`demo data is for the local environment only, not for ${env.ENVIRONMENT}`);
  }
  const { DB } = env;
  if ((await listCredentials(DB, "demo-two")).length > 0) return "existing";
  await seedCatalogues(DB, nowMs);
  await seedClients(DB, nowMs);
  await seedCredit(DB, nowMs);
  await seedOrders(DB);
  await seedCredentials(DB, nowMs);
  return "seeded";
}

async function seedCatalogues(d1: D1Database, nowMs: number): Promise<void> {
  const { products, problems } = readRegalo(await readSeed("catalogue.json"));
  const [problem] = problems;
  if (problem) throw new Error(`seed/catalogue.json: ${problem.field} ${problem.reason}`);
  const main = products.map(fromSource);
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
    catalogueId: await catalogueIdOf(d1, "main"),
  });
  await addClient(d1, {
    ...profile,
    id: "demo-two",
    name: "Northwind Studio",
    billing: "invoice",
    catalogueId: await catalogueIdOf(d1, "boutique"),
    branding: {
      logo: "/images/brand/demo-two-logo.svg",
      claimLogo: "/images/brand/demo-two-claim-logo.svg",
      primaryColor: "#1f4d5c",
      secondaryColor: "#e3eef0",
    },
  });
}

async function seedCredit(d1: D1Database, nowMs: number): Promise<void> {
  for (const currency of DEMO_CURRENCIES) {
    await adjustCredit(d1, {
      clientId: "demo",
      currency,
      amountMinor: DEMO_CREDIT_MINOR,
      reference: "seed",
      note: "Demo credit",
      nowMs,
    });
  }
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

async function seedCredentials(d1: D1Database, nowMs: number): Promise<void> {
  for (const id of ["demo", "demo-two"]) {
    if ((await listCredentials(d1, id)).length > 0) continue;
    await addCredential(d1, id, { apiKey: `${id}-key`, apiPassword: `${id}-password` }, nowMs);
  }
}

function readSeed(file: string): Promise<string> {
  return readFile(path.join(PROJECT_ROOT, "seed", file), "utf8");
}
