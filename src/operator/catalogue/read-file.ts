// Reads a catalogue file with the settings of its catalogue.
import { plural } from "../../core/values/plural.ts";
import type { CatalogueSettings } from "../../platform/db/schema.ts";
import type { InputFile } from "../declaration/kinds.ts";
import { refuse } from "../files/unreadable-file.ts";
import { MAX_PROBLEMS } from "./import/check.ts";
import { readCatalogue } from "./import/read.ts";
import { type Inventory, readInventory } from "./import/shopify/inventory.ts";
import type { CatalogueSource, SourceDefaults } from "./import/source.ts";
import { fromSource, type KeyedProduct } from "./publish/identity.ts";

interface FileOptions {
  settings: CatalogueSettings;
  inventory: InputFile | undefined;
  /** Ignores the quantities of a Shopify export. */
  untracked: boolean;
  skipInvalid: boolean;
  nowMs: number;
}

export interface CatalogueFile extends Omit<CatalogueSource, "products"> {
  products: KeyedProduct[];
  /** Whether reading has stopped, because the file has too many problems. */
  isIncomplete: boolean;
  notes: string[];
}

/** More products with problems than a shop can have on purpose. */
const MAX_SKIPPED_PROBLEMS = 1_000;

/** A product of a shop's file has a row for each variation and each image. */
const MAX_ROWS = 100_000;

/** Errors: `Refusal`. */
export function readCatalogueFile(
  { name, bytes }: InputFile,
  { settings, inventory, untracked, skipInvalid, nowMs }: FileOptions,
): CatalogueFile {
  const counted = inventory && reading(inventory.name, () => readInventory(inventory.bytes));
  const maxProblems = skipInvalid ? MAX_SKIPPED_PROBLEMS : MAX_PROBLEMS;
  const defaults: SourceDefaults = {
    currency: settings.currency,
    locations: settings.locations ?? [],
    shippingMinor: settings.shippingMinor ?? 0,
    vendor: settings.vendor ?? "",
    language: settings.language,
    vendorLogo: settings.vendorLogo,
    placeholder: settings.placeholder,
    stock: counted ?? (untracked ? "untracked" : undefined),
    maxRows: MAX_ROWS,
    maxProblems,
    nowMs,
  };
  const { products, ...source } = reading(name, () => readCatalogue(bytes, defaults));
  return {
    ...source,
    products: products.map(fromSource),
    isIncomplete: source.problems.length >= maxProblems,
    notes: [...droppedNotes(source), ...quantityNotes(source, counted)],
  };
}

function reading<T>(file: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    return refuse(file, error);
  }
}

/** `7 problems in 6 rows`, and whether there may be more. */
export function problemCount({
  problems,
  isIncomplete,
}: Pick<CatalogueFile, "problems" | "isIncomplete">): string {
  const rows = new Set(problems.map(({ row }) => row)).size;
  const count = `${plural(problems.length, "problem")} in ${plural(rows, "row")}`;
  return isIncomplete ? `at least ${count}, after which reading stopped` : count;
}

const droppedNotes = ({ dropped }: Pick<CatalogueSource, "dropped">): string[] =>
  dropped > 0
    ? [`Removed ${plural(dropped, "control character")} of texts that were encoded incorrectly.`]
    : [];

/** Describes where quantities are read from. */
function quantityNotes(
  { quantities }: Pick<CatalogueSource, "quantities">,
  inventory: Inventory | undefined,
) {
  if (inventory) return [`Quantities are those at: ${inventory.locations.join(", ")}.`];
  if (quantities !== "missing") return [];
  return ["The file has no quantities, so stock is not tracked. An inventory export has them."];
}
