// Reads a catalogue file for `catalogue publish` and `catalogue check`.
import { Option } from "@commander-js/extra-typings";
import type { TypedCommand } from "../command.ts";
import { readInventory } from "../../operator/catalogue/import/shopify/inventory.ts";
import { MAX_PROBLEMS } from "../../operator/catalogue/import/check.ts";
import type { CatalogueSource } from "../../operator/catalogue/import/source.ts";
import {
  type CatalogueFile,
  MAX_SKIPPED_PROBLEMS,
  readCatalogueFile,
} from "../../operator/catalogue/read-file.ts";
import { mergeSettings, settingsOf } from "./settings.ts";
import { Refusal } from "../../operator/refusal.ts";
import { readInput } from "../input-file.ts";
import { textOption } from "../options.ts";

export type FileOptions = ReturnType<ReturnType<typeof withFileOptions>["opts"]>;

export const withFileOptions = <Args extends unknown[]>(command: TypedCommand<Args>) =>
  command
    .option("--catalogue <name>", "name of the catalogue", "main")
    .option("--currency <code>", "currency of all prices, such as AUD")
    .option(
      "--locations <codes>",
      'countries where the products are available, such as AU,NZ ("": everywhere)',
    )
    .option(
      "--shipping <amount>",
      "shipping cost of one piece of a physical product (0 until it is set)",
    )
    .option("--vendor <name>", "vendor of products that have none in the file")
    .option("--vendor-logo <url>", "logo of the vendor (a neutral image until it is set)")
    .option(
      "--placeholder <url>",
      'image of products that have none in the file ("": such products are refused)',
    )
    .option(
      "--language <tag>",
      'language of the texts, such as en or pt-BR ("": not known, which is the default)',
    )
    .addOption(
      new Option(
        "--stock-from <file>",
        "read quantities from Shopify's inventory export",
      ).conflicts("untracked"),
    )
    .option("--untracked", "end the tracking of stock: see below")
    .option("--share-stock", "allow products of another catalogue; both then sell the same stock");

export const FILE_HELP = `
The format of the file is detected from its content. It can be Regalo's own JSON (the response of
GET /api/products), or a product CSV export of WooCommerce or Shopify, in English and UTF-8, with at most 50 MB.
Reading stops after 100 problems.

--currency, --locations, --shipping, --vendor, --vendor-logo and --placeholder are settings for shop exports,
which do not contain these values. Publishing saves them with the catalogue. A setting that is not given keeps
its saved value. --language is a setting too, for files of all formats: the gift page marks the texts of products
with it. Images are http(s) URLs or paths of this service, such as /images/products/gift.svg.

If a shop has several locations, Shopify's product export contains no quantities. Stock is then not tracked,
unless --stock-from names the inventory export of the same shop (Products > Inventory > Export). The quantity of
a product is the sum of what is available at all locations.

Texts in other languages are part of Regalo's JSON ("translations" of a product).

A publication that would end the tracking of a product that has a quantity is refused without --untracked, because
orders would no longer be limited. With --untracked, no product of a Shopify export is tracked, even if it has
quantities.
\`stock set --untracked\` ends the tracking of a single product.`;

/** The content of a file and its validated options, before the catalogue's settings are read. */
type OpenedFile = Awaited<ReturnType<typeof openFile>>;

/** Settings that are not allowed for Regalo's own format, which contains these values for each product. */
const SHOP_SETTINGS = ["currency", "locations", "vendor"] as const;

const MAX_NAME_LENGTH = 200;

/** Validates the options and reads the files. Errors: `UsageError`, `Refusal`. */
export async function openFile(file: string, options: FileOptions & { skipInvalid?: true }) {
  textOption("--catalogue", options.catalogue, MAX_NAME_LENGTH);
  const given = settingsOf(options);
  const bytes = await readInput(file, "a catalogue file", (read) => read);
  const maxProblems = options.skipInvalid ? MAX_SKIPPED_PROBLEMS : MAX_PROBLEMS;
  const { stockFrom } = options;
  const stock =
    stockFrom === undefined
      ? options.untracked
        ? ("untracked" as const)
        : undefined
      : await readInput(stockFrom, "an inventory file", readInventory);
  const { catalogue, shipping } = options;
  return { file, catalogue, bytes, given, shipping, stock, stockFrom, maxProblems };
}

/** Parses the file with the settings of its catalogue. Errors: `Refusal`. */
export async function readForCatalogue(
  d1: D1Database,
  opened: OpenedFile,
  nowMs: number,
): Promise<CatalogueFile> {
  const { file, given, shipping } = opened;
  const read = await readCatalogueFile(d1, opened, nowMs, (before) =>
    mergeSettings(before, given, shipping),
  );
  const hasShopSettings = SHOP_SETTINGS.some((name) => given[name] !== undefined);
  if (read.source.format === "regalo" && (hasShopSettings || shipping !== undefined)) {
    throw new Refusal(
      `${file} contains its own currency, locations, shipping costs and vendors. ` +
        "Use --currency, --locations, --shipping and --vendor only for shop exports.",
    );
  }
  return { ...read, notes: [...read.notes, ...quantityNotes(opened, read.source)] };
}

/** Describes where quantities are read from. */
function quantityNotes(
  { stock, stockFrom }: OpenedFile,
  { quantities }: CatalogueSource,
): string[] {
  if (typeof stock === "object" && stockFrom !== undefined) {
    return [`Quantities are read from ${stockFrom}: ${stock.locations.join(", ")}.`];
  }
  if (quantities !== "missing") return [];
  return [
    "The file has no quantities, so stock is not tracked. " +
      "Use --stock-from to read quantities from an inventory export.",
  ];
}
