// The local machine's demo data: two clients, a catalogue, credit and some past orders.
import { readFile } from "node:fs/promises";
import path from "node:path";
import { readRegalo } from "../catalogue/import/regalo.ts";
import { publishSources } from "../catalogue/publish/publish.ts";
import { addClient, addCredential } from "../clients/admin.ts";
import { adjustCredit } from "../credit/admin.ts";
import type { Bindings } from "../env.ts";
import { importOrder, type ImportedOrder, type ImportedSubOrder } from "../orders/admin.ts";
import { totalsOf } from "../orders/totals.ts";
import { catalogueIdOf } from "./commands/client.ts";
import { PROJECT_ROOT } from "./platform.ts";

const DEMO_CREDIT_MINOR = 100_000_00;
const DEMO_CURRENCIES = ["AUD", "USD", "GBP"];
const DEFAULT_FEE_BASIS_POINTS = 400;

/** `demo-two` sees a boutique's choice of the main catalogue: its products up to this id. */
const LAST_BOUTIQUE_PRODUCT_ID = 1020;

/**
 * Seeds an empty local database. Safe to run again when it was killed half-way: every step leaves alone what
 * is there, and the credentials, which mark the end, come last. Throws on any other environment, since the
 * demo credentials are known to the world.
 */
export async function seed(env: Bindings, nowMs: number): Promise<"seeded" | "kept"> {
  if (env.ENVIRONMENT !== "local") {
    throw new Error(`demo data is for the local environment only, not for ${env.ENVIRONMENT}`);
  }
  const { DB } = env;
  const { results } = await DB.prepare("SELECT client_id AS id FROM credentials").all<{
    id: string;
  }>();
  const admitted = new Set(results.map(({ id }) => id));
  if (admitted.has("demo-two")) return "kept";

  const { products, problems } = readRegalo(await readSeed("catalogue.json"));
  const [problem] = problems;
  if (problem) throw new Error(`seed/catalogue.json: ${problem.field} ${problem.reason}`);
  await publishSources(DB, "main", products, nowMs);
  await publishSources(
    DB,
    "boutique",
    products.filter(({ product }) => product.product_id <= LAST_BOUTIQUE_PRODUCT_ID),
    nowMs,
    { shareStock: true },
  );

  await addClient(DB, {
    id: "demo",
    name: "Demo Company",
    billing: "credit",
    feeBasisPoints: DEFAULT_FEE_BASIS_POINTS,
    defaultCurrency: "AUD",
    catalogueId: await catalogueIdOf(DB, "main"),
    createdAtMs: nowMs,
  });
  await addClient(DB, {
    id: "demo-two",
    name: "Northwind Studio",
    billing: "invoice",
    feeBasisPoints: DEFAULT_FEE_BASIS_POINTS,
    defaultCurrency: "AUD",
    catalogueId: await catalogueIdOf(DB, "boutique"),
    branding: {
      logo: "/images/brand/demo-two-logo.svg",
      claimLogo: "/images/brand/demo-two-claim-logo.svg",
      primaryColor: "#1f4d5c",
      secondaryColor: "#e3eef0",
    },
    createdAtMs: nowMs,
  });
  for (const currency of DEMO_CURRENCIES) {
    await adjustCredit(DB, {
      clientId: "demo",
      currency,
      amountMinor: DEMO_CREDIT_MINOR,
      reference: "seed",
      note: "Demo credit",
      nowMs,
    });
  }
  await seedOrders(env);
  for (const id of ["demo", "demo-two"]) {
    if (admitted.has(id)) continue;
    const secret = { apiKey: `${id}-key`, apiPassword: `${id}-password` };
    await addCredential(DB, id, secret, nowMs);
  }
  return "seeded";
}

/** An order of the store in `seed/orders.json`: what it says of itself; its totals follow from it. */
interface SeedOrder extends Omit<
  ImportedOrder,
  "productRevision" | "currency" | "createdAtMs" | "qty" | `${string}Minor`
> {
  createdAt: string;
  recipients: ImportedSubOrder[];
}

async function seedOrders({ DB }: Bindings): Promise<void> {
  const seeded = JSON.parse(await readSeed("orders.json")) as SeedOrder[];
  for (const { createdAt, recipients, ...order } of seeded) {
    const product = await DB.prepare(
      `SELECT revision, currency, price_minor AS priceMinor, shipping_minor AS shippingMinor
       FROM product_revisions WHERE product_id = ?`,
    )
      .bind(order.productId)
      .first<{ revision: string; currency: string; priceMinor: number; shippingMinor: number }>();
    if (!product)
      throw new Error(`seed/orders.json: product ${String(order.productId)} is not there`);
    const qty = order.linkHowManyTimes ?? recipients.length;
    await importOrder(
      DB,
      {
        ...order,
        ...totalsOf(product.priceMinor, product.shippingMinor, qty, DEFAULT_FEE_BASIS_POINTS),
        productRevision: product.revision,
        currency: product.currency,
        createdAtMs: Date.parse(createdAt),
      },
      recipients,
    );
  }
}

function readSeed(file: string): Promise<string> {
  return readFile(path.join(PROJECT_ROOT, "seed", file), "utf8");
}
