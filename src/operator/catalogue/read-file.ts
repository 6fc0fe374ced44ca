// Reads a catalogue file with the settings of its catalogue.
import { isShownImage } from "../../core/validation/fields.ts";
import { plural } from "../../core/values/plural.ts";
import type { CatalogueSettings } from "../../platform/db/schema.ts";
import type { InputFile } from "../declaration/kinds.ts";
import { excerpt, unreadColumns, UnreadableFile } from "../files/unreadable-file.ts";
import { DEFAULT_PLACEHOLDER, MAX_PROBLEMS } from "./import/check.ts";
import { readCatalogue } from "./import/read.ts";
import { type Inventory, readInventory } from "./import/shopify/inventory.ts";
import type { CatalogueSource } from "./import/source.ts";
import { fromSource, type KeyedProduct } from "./publish/identity.ts";

interface FileOptions {
  settings: CatalogueSettings;
  inventory: InputFile | undefined;
  /** Ignores the quantities of a Shopify export. */
  untracked: boolean;
  skipInvalid: boolean;
  free: readonly string[] | undefined;
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

/** Errors: `UnreadableFile`. */
export function readCatalogueFile(
  { bytes }: InputFile,
  { settings, inventory, untracked, skipInvalid, free }: FileOptions,
): CatalogueFile {
  const counted = inventory && readCounted(inventory);
  const maxProblems = skipInvalid ? MAX_SKIPPED_PROBLEMS : MAX_PROBLEMS;
  const { products, ...source } = readCatalogue(bytes, {
    ...settings,
    stock: counted ?? (untracked ? "untracked" : undefined),
    maxRows: MAX_ROWS,
    maxProblems,
    free,
  });
  return {
    ...source,
    products: products.map(fromSource),
    isIncomplete: source.problems.length >= maxProblems,
    notes: notesOf({ ...source, products }, counted),
  };
}

/** Errors: `UnreadableFile` that names this input. */
function readCounted({ bytes }: InputFile): Inventory {
  try {
    return readInventory(bytes);
  } catch (error) {
    if (!(error instanceof UnreadableFile)) throw error;
    throw new UnreadableFile(error.reason, "inventory");
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

function notesOf(
  { dropped, quantities, notes: readNotes, products }: CatalogueSource,
  inventory: Inventory | undefined,
): string[] {
  const notes = [...readNotes];
  const bare = products.filter(({ product }) => product.featured_image === DEFAULT_PLACEHOLDER);
  if (bare.length > 0) {
    notes.push(
      `${plural(bare.length, "product")} without an image: recipients see a wrapped gift. Set a placeholder to show another picture.`,
    );
  }
  // The last pictures of products.
  const hidden = products
    .map(({ product }) => product.additional_images.at(-1) ?? product.featured_image)
    .filter((url) => !isShownImage(url));
  if (hidden.length > 0) {
    notes.push(
      `${plural(hidden.length, "product")} with a picture in a format that most browsers do not show, unless the shop converts it. The next picture is the main one: ${excerpt(hidden.join(", "))}.`,
    );
  }
  const manual = products.filter(({ product }) => product.digital_delivery === "manual").length;
  if (manual > 0) {
    const count = plural(manual, "digital product");
    notes.push(
      `Operators send the gifts of ${count} by hand (digital_delivery: manual). Give the SKUs of those with codes as codes.`,
    );
  }
  if (dropped > 0) {
    const count = plural(dropped, "control character");
    notes.push(`Removed ${count} of texts that were encoded incorrectly.`);
  }
  if (inventory) {
    notes.push(`Quantities are those at: ${inventory.locations.join(", ")}.`);
    notes.push(...unreadColumns(inventory.unread, "Columns of the inventory"));
  } else if (quantities === "missing") {
    notes.push(
      "The file has no quantities, so stock is not tracked. An inventory export has them.",
    );
  }
  return notes;
}
