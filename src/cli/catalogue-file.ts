// A catalogue file on the command line: its options, and the settings that its catalogue remembers.
import { readFile } from "node:fs/promises";
import { type Command, Option } from "commander";
import { readInventory } from "../catalogue/import/shopify/inventory.ts";
import { readCatalogue } from "../catalogue/import/read.ts";
import type { CatalogueSource, SourceDefaults } from "../catalogue/import/source.ts";
import { UnreadableFile } from "../catalogue/import/unreadable-file.ts";
import { countTracked, listCatalogues } from "../catalogue/admin.ts";
import type { CatalogueVersion } from "../clients/profile.ts";
import type { CatalogueSettings } from "../db/schema.ts";
import { formatAmount, parseAmount } from "../values/money.ts";
import { countryCode, imageUrl } from "../validation/fields.ts";
import { Refusal, Usage } from "./failures.ts";
import { currencyOption } from "./options.ts";

export interface FileOptions {
  catalogue: string;
  currency?: string;
  locations?: string;
  shipping?: string;
  vendor?: string;
  vendorLogo?: string;
  placeholder?: string;
  stockFrom?: string;
  untracked?: true;
  shareStock?: true;
}

export const withFileOptions = (command: Command) =>
  command
    .option("--catalogue <name>", "the catalogue", "main")
    .option("--currency <code>", "of all prices, such as AUD")
    .option("--locations <codes>", 'where it is available, such as AU,NZ ("": everywhere)')
    .option("--shipping <amount>", "cost of shipping a physical piece (0.00 until it is set)")
    .option("--vendor <name>", "the vendor, where the file names none")
    .option("--vendor-logo <url>", "the vendor's logo (a neutral image until it is set)")
    .option("--placeholder <url>", 'the image of products without one ("": refuse them)')
    .addOption(
      new Option("--stock-from <file>", "quantities: Shopify's inventory export").conflicts(
        "untracked",
      ),
    )
    .option("--untracked", "count no stock of a Shopify export")
    .option("--share-stock", "list products of another catalogue: both sell the same stock");

export const FILE_HELP = `
The format is recognised by its content: Regalo's own JSON (the answer of GET /api/products), or the product
CSV export of WooCommerce or Shopify, in English and UTF-8.

--currency, --locations, --shipping, --vendor, --vendor-logo and --placeholder say what a shop's file does not.
The catalogue remembers them: what is not given is as it was in the last publication. Images are http(s) URLs
or paths of this service, such as /images/products/gift.svg.

Shopify leaves quantities out of its product export where a shop has several locations. Then stock is not
tracked, unless --stock-from names the inventory export of the same shop (Products > Inventory > Export): what is
available at all of its locations is added up.`;

/** A file as it is read for a catalogue. */
export interface CatalogueFile {
  source: CatalogueSource;
  /** What is published now; version 0 is nothing. */
  published: CatalogueVersion;
  /** What the catalogue remembers now, and what it is going to. */
  before: CatalogueSettings;
  settings: CatalogueSettings;
  /** What the operator should know besides, a sentence each. */
  notes: string[];
}

/** Settings that a file of our own has for each product. */
const OF_SHOPS = ["currency", "locations", "shippingMinor", "vendor"] as const;

/** What the command line says of a file. Errors: `Usage`, `Refusal`. */
export async function openFile(file: string, options: FileOptions) {
  const given = settingsIn(options);
  const bytes = await bytesOf(file);
  const { stockFrom } = options;
  const stock =
    stockFrom === undefined
      ? options.untracked && ("untracked" as const)
      : readable(stockFrom, readInventory, await bytesOf(stockFrom));
  return { file, catalogue: options.catalogue, bytes, given, stock, stockFrom };
}

/** Reads the file with the settings of its catalogue. Errors: `Refusal`. */
export async function readForCatalogue(
  d1: D1Database,
  { file, catalogue, bytes, given, stock, stockFrom }: Awaited<ReturnType<typeof openFile>>,
  nowMs: number,
): Promise<CatalogueFile> {
  const [found] = await listCatalogues(d1, catalogue);
  const { id = 0, version = 0, total = 0, physical = 0, digital = 0 } = found ?? {};
  const before = found?.settings ?? {};
  const settings = { ...before, ...given };
  const defaults: SourceDefaults = {
    currency: settings.currency,
    locations: settings.locations ?? [],
    shippingMinor: settings.shippingMinor ?? 0,
    vendor: settings.vendor ?? "",
    vendorLogo: settings.vendorLogo || undefined,
    placeholder: settings.placeholder || undefined,
    stock,
    nowMs,
  };
  const source = readable(file, (content) => readCatalogue(content, defaults), bytes);
  if (source.format === "regalo" && OF_SHOPS.some((setting) => given[setting] !== undefined)) {
    throw new Refusal(
      `${file} says its own currency, locations, shipping and vendors: ` +
        "--currency, --locations, --shipping and --vendor are for the files of shops.",
    );
  }
  const notes = [];
  if (source.quantities === "missing") {
    const tracked = await countTracked(d1, catalogue);
    if (tracked > 0) {
      throw new Refusal(
        `${file} has no quantities, and ${String(tracked)} products of catalogue ${catalogue} are counted: ` +
          "give --stock-from, or --untracked to stop counting them.",
      );
    }
    notes.push(
      "The file has no quantities: stock is not tracked. --stock-from takes them from an inventory export.",
    );
  }
  if (typeof stock === "object" && stockFrom !== undefined) {
    notes.push(`Quantities come from ${stockFrom}: ${stock.locations.join(", ")}.`);
  }
  const published = { id, version, totals: { all: total, physical, digital } };
  return { source, published, before, settings, notes };
}

async function bytesOf(file: string): Promise<Uint8Array> {
  return readFile(file).catch((error: unknown) => {
    const code = (error as NodeJS.ErrnoException).code ?? "unknown";
    throw new Refusal(`${file} cannot be read (${code}).`);
  });
}

function readable<T>(file: string, read: (bytes: Uint8Array) => T, bytes: Uint8Array): T {
  try {
    return read(bytes);
  } catch (error) {
    if (!(error instanceof UnreadableFile)) throw error;
    throw new Refusal(`${file} ${error.message}.`);
  }
}

/** The settings that are given, each held against its rule. Errors: `Usage`. */
function settingsIn(options: FileOptions): CatalogueSettings {
  const { currency, locations, shipping, vendor, vendorLogo, placeholder } = options;
  const given: CatalogueSettings = {
    currency: currencyOption(currency),
    locations: locationsOption(locations),
    shippingMinor: shippingOption(shipping),
    vendor,
    vendorLogo: imageOption("--vendor-logo", vendorLogo),
    placeholder: imageOption("--placeholder", placeholder),
  };
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
}

function locationsOption(text: string | undefined): string[] | undefined {
  const codes = text
    ?.split(",")
    .map((code) => code.trim())
    .filter((code) => code !== "");
  const wrong = codes?.find((code) => !countryCode().safeParse(code).success);
  if (wrong === undefined) return codes;
  throw new Usage(`--locations must be ISO 3166-1 alpha-2 codes, such as AU,NZ: ${wrong}`);
}

function shippingOption(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const minor = parseAmount(text);
  if (minor !== undefined) return minor;
  throw new Usage(`--shipping must be an amount with at most two decimals: ${text}`);
}

function imageOption(name: string, address: string | undefined): string | undefined {
  if (!address) return address;
  const { error } = imageUrl().safeParse(address);
  if (!error) return address;
  throw new Usage(`${name} ${error.issues[0]?.message ?? "is not valid"}: ${address}`);
}

/** The settings as people read them; null where there is none. */
export function shownSettings(settings: CatalogueSettings) {
  const { currency, locations, shippingMinor, vendor, vendorLogo, placeholder } = settings;
  return {
    currency: currency ?? null,
    locations: locations?.length ? locations.join(",") : null,
    shipping: shippingMinor === undefined ? null : formatAmount(shippingMinor),
    vendor: vendor || null,
    "vendor logo": vendorLogo || null,
    placeholder: placeholder || null,
  };
}

/** Each setting that differs: `shipping 12.00 (before 9.50)`. */
export function changedSettings(before: CatalogueSettings, after: CatalogueSettings): string[] {
  const [old, next] = [shownSettings(before), shownSettings(after)];
  return Object.entries(next).flatMap(([name, value]) => {
    const earlier = old[name as keyof typeof old];
    if (earlier === value) return [];
    return [`${name} ${value ?? "none"}${earlier === null ? "" : ` (before ${earlier})`}`];
  });
}
