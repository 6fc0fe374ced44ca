import { applyD1Migrations, reset } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { expect, onTestFinished, test, vi } from "vitest";
import type { Currency } from "../../src/core/values/iso.ts";
import { adjustCredit } from "../../src/features/credit/adjust-queries.ts";
import { publish } from "../../src/operator/catalogue/publish/publish.ts";
import { addClient, addCredential, findCatalogueId } from "../../src/operator/clients/queries.ts";
import {
  type ClientOptions,
  createClient,
  OTHER_ACCOUNTS,
  simpleProduct,
  variableProduct,
} from "./fixtures.ts";
import { sql } from "./sql.ts";
import type { Credentials } from "./worker.ts";

const soldOut = simpleProduct({ name: 'An "empty" tin' }, { quantity: 0 });
const gift = variableProduct({ delivery: "digital", categories: ["Home > Candles"] });
const german = { translations: { de: { name: "Kerze", options: { S: "K" } } } };

/** The second client shares the stock of the first one. */
const CLIENTS: (ClientOptions & { id: string })[] = [
  { id: "everything", products: [gift, soldOut, variableProduct({}, null)], creditMinor: 1 },
  {
    id: "shared",
    products: [soldOut, gift, simpleProduct({ ...german, locations: ["AU", "JP"] })],
    currency: "USD",
    status: "suspended",
    billing: "invoice",
    reminderDays: null,
  },
  { id: "nothing", creditMinor: 0, currency: "JPY" },
];

async function allRows(): Promise<Record<string, unknown>> {
  const { results } = await sql(
    `SELECT name FROM sqlite_master
     WHERE type = 'table' AND name NOT GLOB '_cf_*' AND name <> 'd1_migrations'`,
  ).all<{ name: string }>();
  const tables = await env.DB.batch(results.map(({ name }) => sql(`SELECT * FROM ${name}`)));
  return Object.fromEntries(results.map(({ name }, n) => [name, tables[n]?.results]));
}

/** Publishes the catalogue, adds the client, and adds its credit and credentials. */
async function addWhole(
  {
    products = [],
    creditMinor = 100_000_000,
    currency = "AUD",
    ...profile
  }: ClientOptions & { id: string },
  credentials: Credentials,
): Promise<void> {
  const nowMs = Date.now();
  const clientId = profile.id;
  const catalogue = `catalogue of ${clientId}`;
  await publish(env.DB, catalogue, products, nowMs, { shareStock: true });
  const catalogueId = (await findCatalogueId(env.DB, catalogue)) as number;
  await addClient(env.DB, {
    name: `Company ${clientId}`,
    billing: "credit",
    feeBasisPoints: 400,
    defaultCurrency: currency,
    catalogueId,
    createdAtMs: nowMs,
    ...profile,
  });
  const credit = { ...OTHER_ACCOUNTS, ...(creditMinor > 0 && { [currency]: creditMinor }) };
  for (const [currency, amountMinor] of Object.entries(credit)) {
    const booking = { clientId, currency: currency as Currency, amountMinor };
    await adjustCredit(env.DB, { ...booking, reference: "initial credit", note: null, nowMs });
  }
  const set = await addCredential(env.DB, clientId, credentials, nowMs);
  if (profile.status === "suspended") return;
  await sql("UPDATE credentials SET last_used_on = date('now') WHERE id = ?", set).run();
}

test("createClient leaves the rows of a publication, a new client, its credit and its credentials", async () => {
  vi.useFakeTimers({ toFake: ["Date"] });
  onTestFinished(() => void vi.useRealTimers());
  const created: Credentials[] = [];
  for (const options of CLIENTS) created.push(await createClient(options));
  const rows = await allRows();

  await reset();
  await applyD1Migrations(env.DB, env.MIGRATIONS);
  for (const [n, options] of CLIENTS.entries()) await addWhole(options, created[n] as Credentials);

  expect(rows).toEqual(await allRows());
});
