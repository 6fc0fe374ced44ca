// Publishes a catalogue file.
import { ApiError, refusal, validationError } from "../../core/api-error.ts";
import { plural } from "../../core/values/plural.ts";
import { readCollections } from "../../features/catalogue/collection-queries.ts";
import { isSandbox } from "../../platform/configuration.ts";
import { change } from "../declaration/declare.ts";
import { DEFAULT_PLACEHOLDER, MAX_PRODUCTS } from "./import/check.ts";
import * as kinds from "../declaration/kinds.ts";
import { excerpt } from "../files/unreadable-file.ts";
import {
  CHANGES,
  listsOf,
  PROBLEMS,
  PUBLICATION,
  publicationFacts,
  shortenedNotes,
} from "./publication-shape.ts";
import { planPublication, type PublicationPlan, trackingFault } from "./publish/plan.ts";
import type { KeyedProduct } from "./publish/identity.ts";
import { readVendors } from "./publish/plan-queries.ts";
import { publishPlan } from "./publish/publish.ts";
import { requireCatalogue } from "./queries.ts";
import { type CatalogueFile, problemCount, readCatalogueFile } from "./read-file.ts";
import {
  mergedSettings,
  catalogueSettingChanges,
  type SettingInputs,
  CATALOGUE_SETTINGS,
  catalogueSettingValues,
  SHOP_SETTINGS,
} from "./settings.ts";

/**
 * Reading and publishing a file of this size needs 60 MB besides two copies of the file. A Worker has 128 MB.
 */
const MAX_FILE_BYTES = 20_000_000;
const MAX_INVENTORY_BYTES = 5_000_000;

const NO_SHIPPING =
  "The catalogue has no shipping cost, so it is 0. Enter the cost, even if it is 0.";

const flag = (label: string, hint?: string) =>
  kinds.withDefault(kinds.flag(label, hint === undefined ? {} : { hint }), false);

const INPUT = {
  catalogue: kinds.catalogue("Catalogue"),
  file: kinds.file("File", {
    maxBytes: MAX_FILE_BYTES,
    hint: "A product export (CSV) of WooCommerce or Shopify, or Regalo's own JSON.",
  }),
  inventory: kinds.optional(
    kinds.file("Inventory", {
      maxBytes: MAX_INVENTORY_BYTES,
      hint: "The inventory export of a Shopify shop, whose product export has no quantities if it has several locations.",
    }),
  ),
  stock: kinds.withDefault(
    kinds.choice("Quantities of existing products", ["keep", "replace"], {
      hint: "Keep the present ones, because a file lacks later orders, or replace them with those of the file.",
    }),
    "keep",
  ),
  skip_invalid: flag("Leave out products with problems", "They are unpublished."),
  untracked: flag(
    "End the tracking of stock that the file does not track",
    "For a Shopify export: of all stock. Orders are then not limited.",
  ),
  free: kinds.optional(
    kinds.many(
      kinds.text("Free products", { hint: "SKUs or names whose price is zero on purpose." }),
    ),
  ),
  confirm_vendors: kinds.optional(
    kinds.many(
      kinds.text("Confirmed vendors", { hint: "Those whose people will see recipients." }),
    ),
  ),
  share_stock: flag(
    "Allow products of another catalogue",
    "Both catalogues then sell the same stock.",
  ),
  allow_large_changes: flag(
    "Allow large changes",
    "More than a tenth of the products unpublished, sold out or without their picture, or more than a fifth of the prices changed by more than half.",
  ),
  ...CATALOGUE_SETTINGS,
};

type Input = kinds.InputOf<typeof INPUT>;

/** The new version is staged in chunks, and becomes current in one transaction, which has the entry in the audit log. */
export const cataloguePublish = change({
  name: "catalogue publish",
  title: "Publish a file",
  description:
    "The products of the file become the next version of the catalogue, all or nothing. Those that are not in the file are unpublished.",
  permission: "catalogue",
  input: INPUT,
  examples: [
    "main products.csv --currency AUD --shipping 9.50 --locations AU,NZ",
    "main products_export.csv --inventory inventory_export.csv --stock replace",
  ],
  present: async ({ DB }, { catalogue = "" }) =>
    catalogueSettingValues((await requireCatalogue(DB, catalogue)).settings),
  preview: { facts: PUBLICATION, lists: { problems: PROBLEMS, ...CHANGES } },
  result: {
    facts: { version: kinds.id("Version"), ...PUBLICATION },
    lists: { problems: PROBLEMS },
  },
  plan: async ({ DB, ACCESS_ROLES }, input) => {
    const { catalogue, file, inventory, stock, untracked, skip_invalid: skipInvalid } = input;
    if (inventory && untracked) throw invalid("inventory", "must not be given for untracked stock");
    const found = await requireCatalogue(DB, catalogue);
    const settings = mergedSettings(found.settings, input);
    const options = { settings, inventory, untracked, skipInvalid, free: input.free };
    const { products, ...read } = readCatalogueFile(file, options);
    checkSettings(input, read);
    checkFree(input, products, read);
    const hasParcels =
      read.format !== "regalo" && products.some(({ product }) => product.delivery === "physical");
    const placeholders = [found.settings, settings].map(
      ({ placeholder = DEFAULT_PLACEHOLDER }) => placeholder,
    );
    const { publication, refusals } = await planFile(DB, input, products, read, placeholders);
    const vendors = await readVendors(DB, input, products, ACCESS_ROLES.vendor);
    const unconfirmed = vendors.find(({ status }) => status === "to be confirmed")?.names;
    if (unconfirmed)
      refusals.push(`Confirm vendors whose people will see recipients: ${unconfirmed}.`);
    const isRefused = refusals.length > 0;
    const will = isRefused || !publication ? null : willOf(input, found, publication);
    const changes = isRefused ? [] : catalogueSettingChanges(found.settings, settings);
    return {
      catalogue,
      fileName: file.name,
      read,
      publication: isRefused ? null : publication,
      obstacle: refusals.join(" "),
      options: { stock, untracked, settings },
      will,
      changes,
      subjects: [{ type: "catalogue", keys: [catalogue] }],
      confirms: {
        will,
        changes,
        comparison: { ...publication?.comparison, added: [] },
        vendors,
        problems: read.problems,
      },
      preview: {
        ...(isRefused && { text: refusals.join(" "), hasProblems: true }),
        warnings: [
          ...(hasParcels && settings.shippingMinor === undefined ? [NO_SHIPPING] : []),
          ...read.notes,
          ...(publication ? shortenedNotes(publication) : []),
          ...(publication ? largeChanges(publication) : [])
            .filter(({ isLarge }) => input.allow_large_changes || !isLarge)
            .map(({ text }) => text),
          ...(publication ? await collectionNotes(DB, found.id, publication) : []),
        ],
        facts: {
          ...publicationFacts(read, publication),
          vendors:
            vendors.map(({ status, names }) => `${status}: ${excerpt(names)}`).join("; ") || null,
        },
        lists: listsOf(read, publication),
      },
    };
  },
  run: async (context, { catalogue, fileName, read, publication, obstacle, options }) => {
    if (!publication) throw refusal(obstacle);
    const { DB, user, nowMs, progress } = context;
    const total = publication.products.length;
    const published = await publishPlan(DB, publication, nowMs, {
      ...options,
      testCodes: isSandbox(context),
      publishedBy: user.name,
      fileName: fileName.slice(0, 300),
      onProgress: (staged) => progress(staged, total),
    });
    if (!published) {
      throw refusal("the catalogue has been published meanwhile. Nothing was changed.");
    }
    const { version } = published;
    return {
      text:
        `Version ${String(version)} of ${catalogue} with ${plural(total, "product")} is published. ` +
        "All clients see it within a minute.",
      warnings: read.notes,
      facts: { version, ...publicationFacts(read, publication) },
      lists: listsOf({ ...read, unpublished: [] }, null),
      ...(read.problems.length > 0 && { hasProblems: true }),
    };
  },
});

const invalid = (field: string, message: string) => validationError([{ field, message }]);

/** Errors: `validation_error` for settings that Regalo's own files contain. */
function checkSettings(input: SettingInputs, { format }: Pick<CatalogueFile, "format">): void {
  const given = SHOP_SETTINGS.filter((name) => input[name] !== undefined);
  if (format !== "regalo" || given.length === 0) return;
  const message = "is for the files of shops only: the file contains it";
  throw validationError(given.map((field) => ({ field, message })));
}

/** Errors: `validation_error` for a free product that the file does not have. It may be one of those with problems. */
function checkFree({ free = [] }: Input, products: readonly KeyedProduct[], read: ReadFile): void {
  if (read.problems.length > 0) return;
  const names = products.flatMap(({ product: { name, sku, variations } }) => [
    name,
    sku,
    ...variations.map((variation) => variation.sku),
  ]);
  const unknown = free.filter((each) => !names.includes(each));
  if (unknown.length === 0) return;
  throw invalid("free", `must be names or SKUs of the file: ${unknown.join(", ")}`);
}

type ReadFile = Omit<CatalogueFile, "products">;

/** The plan of the publication, and why it is refused. Null if it cannot be compared with the present version. */
async function planFile(
  d1: D1Database,
  { catalogue, file, ...input }: Input,
  products: readonly KeyedProduct[],
  read: ReadFile,
  placeholders: readonly string[],
): Promise<{ publication: PublicationPlan | null; refusals: string[] }> {
  const refusals = fileFaults(file.name, products.length, read, input.skip_invalid);
  if (read.isIncomplete || products.length > MAX_PRODUCTS) return { publication: null, refusals };
  try {
    const options = { shareStock: input.share_stock, stock: input.stock, placeholders };
    const publication = await planPublication(d1, catalogue, products, options);
    const faults = [
      input.allow_large_changes ? null : largeChangesFault(publication),
      input.untracked ? null : trackingFault(publication),
    ];
    return { publication, refusals: [...refusals, ...faults.filter((each) => each !== null)] };
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return { publication: null, refusals: [...refusals, error.message] };
  }
}

/** The collections that lose products. */
async function collectionNotes(d1: D1Database, catalogueId: number, plan: PublicationPlan) {
  const unpublished = new Set(plan.comparison.unpublished.map(({ id }) => id));
  const collections = await readCollections(d1, catalogueId);
  return collections.flatMap(({ id, products }) => {
    const lost = products.filter((product) => unpublished.has(product)).length;
    const count = `${String(lost)} of ${plural(products.length, "product")}`;
    return lost === 0 ? [] : [`The collection ${id} loses ${count}.`];
  });
}

function fileFaults(name: string, products: number, read: ReadFile, skipInvalid: boolean) {
  const faults: string[] = [];
  if (read.problems.length > 0 && (read.isIncomplete || !skipInvalid)) {
    const skip = skipInvalid ? "" : ", or leave out products with problems";
    faults.push(`${name} has ${problemCount(read)}. Correct the file${skip}.`);
  }
  if (products === 0) faults.push(`${name} has no product that can be published.`);
  if (products > MAX_PRODUCTS) {
    faults.push(`${name} has more than ${plural(MAX_PRODUCTS, "product")}.`);
  }
  return faults;
}

/** What may be a mistake of the file, and whether it concerns so much of the catalogue that it must be allowed. */
function largeChanges({ listed, comparison }: PublicationPlan) {
  const { unpublished, withoutPicture, soldOut, prices, comparedPrices } = comparison;
  const part = (text: string, found: readonly { name: string }[], of: number, share: number) => {
    const names = excerpt(found.map(({ name }) => name).join(", "));
    const count = `${String(found.length)} of ${of.toLocaleString("en")}`;
    return found.length === 0
      ? []
      : [{ text: `${count} ${text}: ${names}.`, isLarge: found.length > of * share }];
  };
  const halved = prices.filter(({ change }) => Math.abs(change) > 5_000);
  return [
    ...part("products are not in the file and will be unpublished", unpublished, listed, 0.1),
    ...part("prices change by more than half", halved, comparedPrices, 0.2),
    ...part("products lose their picture", withoutPicture, listed, 0.1),
    ...part("products can no longer be ordered", soldOut, listed, 0.1),
  ];
}

/** Why a plan with large changes is refused: the file may be incomplete or wrong by mistake. Otherwise null. */
function largeChangesFault(plan: PublicationPlan): string | null {
  const large = largeChanges(plan).filter(({ isLarge }) => isLarge);
  if (large.length === 0) return null;
  const texts = large.map(({ text }) => text).join(" ");
  return `Of catalogue ${plan.catalogueName}, ${texts} Allow large changes if that is intended.`;
}

export function willOf(
  { catalogue, file, stock }: { catalogue: string; file: { name: string }; stock: string },
  { version, clients }: Awaited<ReturnType<typeof requireCatalogue>>,
  { products, comparison, endedTracking }: PublicationPlan,
): string {
  const { added, changed, unpublished, unchanged } = comparison;
  const place = version === 0 ? "as the first version" : `in place of version ${String(version)}`;
  const quantities =
    stock === "replace"
      ? "quantities are those of the file"
      : "existing products keep their quantity";
  const ended =
    endedTracking.length > 0
      ? `; the tracking of ${plural(endedTracking.length, "stock record")} ends`
      : "";
  return (
    `publish ${plural(products.length, "product")} of ${file.name} ${place} of catalogue ${catalogue}, ` +
    `which ${plural(clients, "client")} can order from: ` +
    `${String(added.length)} new, ${String(changed.length)} changed, ${String(unpublished.length)} unpublished, ` +
    `${String(unchanged)} unchanged; ${quantities}${ended}`
  );
}
