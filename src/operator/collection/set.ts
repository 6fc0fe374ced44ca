// Adds or changes a collection.
import { refusal, validationError } from "../../core/api-error.ts";
import { parseId } from "../../core/values/ids.ts";
import { plural } from "../../core/values/plural.ts";
import {
  type Collection,
  MAX_COLLECTION_PRODUCTS,
  MAX_COLLECTIONS,
  readCollections,
} from "../../features/catalogue/collection-queries.ts";
import { collectionId } from "../../features/catalogue/contract.ts";
import { requireCatalogue } from "../catalogue/queries.ts";
import { affectedText } from "../client/money-queries.ts";
import { readIdsOf } from "../stock/target.ts";
import { change } from "../declaration/declare.ts";
import * as kinds from "../declaration/kinds.ts";
import { readListed, writeCollection } from "./queries.ts";

/** One transaction. */
export const collectionSet = change({
  name: "collection set",
  title: "Set a collection",
  description:
    "Adds a collection, or changes one. What is left out stays as it is. Recipients see the change at once, and the filtered product list within a minute.",
  permission: "catalogue",
  input: {
    catalogue: kinds.catalogue("Catalogue"),
    collection: kinds.argument({
      ...kinds.text("Collection", { hint: "Its id: letters a to z, digits and hyphens." }),
      schema: collectionId,
    }),
    products: kinds.optional(
      kinds.many(
        kinds.text("Products", { hint: "Ids, SKUs, or keys of the shop, such as 1001,1004." }),
      ),
    ),
    language: kinds.optional(
      kinds.language("Language", {
        hint: "Of the name and the text, if they are a translation, such as de.",
      }),
    ),
    name: kinds.nullable(kinds.text("Name", { max: 100 })),
    text: kinds.nullable(kinds.text("Text", { max: 500 })),
  },
  examples: [
    'main wellness --name Wellness --products 1003,1010 --text "A quiet evening"',
    "main wellness --language de --name Wohlbefinden",
  ],
  present: async ({ DB }, { catalogue = "", collection = "" }) => {
    const { id } = await requireCatalogue(DB, catalogue);
    const [found] = await readCollections(DB, id, collection);
    if (!found) return {};
    return { name: found.name, text: found.description, products: found.products.map(String) };
  },
  plan: async ({ DB }, { catalogue, collection: id, products: keys, ...texts }) => {
    const { id: catalogueId } = await requireCatalogue(DB, catalogue);
    const all = await readCollections(DB, catalogueId);
    const before = all.find((each) => each.id === id);
    if (!before) checkNew(catalogue, all.length, { ...texts, keys });
    const products = keys && (await productsOf(DB, { catalogue, catalogueId, keys }));
    const unset: Collection = { id, name: "", description: "", translations: {}, products: [] };
    const after = changed(before ?? unset, products?.ids, texts);
    if (after.name === "") throw validationError([{ field: "name", message: "is required" }]);
    const changes = changesOf(before ?? null, after);
    const verb = before ? "change" : "add";
    const affected = await affectedText(DB, catalogueId, { collectionId: id });
    return {
      ...after,
      catalogueId,
      preview: { warnings: products?.notes ?? [] },
      will:
        changes.length === 0
          ? null
          : `${verb} the collection ${id} of catalogue ${catalogue}, with ${plural(after.products.length, "product")}${affected}`,
      changes,
      confirms: changes,
      subjects: [{ type: "collection", keys: [catalogue] }],
    };
  },
  run: async ({ DB, nowMs }, { catalogueId, id, name, description, translations, products }) => {
    const collection = { catalogueId, id, name, description, translations, products };
    await writeCollection(DB, collection, nowMs);
    return { text: `The collection ${id} has ${plural(products.length, "product")}.` };
  },
});

interface Texts {
  language?: string | undefined;
  name?: string | null | undefined;
  text?: string | null | undefined;
}

/** Errors: `not_allowed_in_state`, `validation_error`. */
function checkNew(catalogue: string, count: number, given: Texts & { keys?: unknown }): void {
  if (count >= MAX_COLLECTIONS) {
    throw refusal(
      `catalogue ${catalogue} has the maximum of ${String(MAX_COLLECTIONS)} collections.`,
    );
  }
  const problems = [
    ...(given.keys ? [] : [{ field: "products", message: "is required for a new collection" }]),
    ...(given.language === undefined
      ? []
      : [{ field: "language", message: "must not be set for a new collection" }]),
  ];
  if (problems.length > 0) throw validationError(problems);
}

/** A text is kept if it is not given, and removed if it is null. */
const textAfter = (before: string | undefined, given: string | null | undefined) =>
  given === undefined ? before : (given ?? undefined);

function changed(
  before: Collection,
  products: number[] = before.products,
  { language, ...given }: Texts,
): Collection {
  const old = language ? before.translations[language] : before;
  const name = textAfter(old?.name, given.name);
  const description = textAfter(old?.description, given.text);
  if (!language) return { ...before, products, name: name ?? "", description: description ?? "" };
  const translation = { ...(name && { name }), ...(description && { description }) };
  const translations = Object.entries({ ...before.translations, [language]: translation }).filter(
    ([, texts]) => Object.keys(texts).length > 0,
  );
  return { ...before, products, translations: Object.fromEntries(translations) };
}

function changesOf(before: Collection | null, after: Collection) {
  const languages = Object.keys({ ...before?.translations, ...after.translations }).sort();
  const textsOf = (collection: Collection | null) => [
    ["Name", collection?.name],
    ["Text", collection?.description],
    ["Products", collection?.products.join(", ")],
    ...languages.flatMap((language) => [
      [`Name (${language})`, collection?.translations[language]?.name],
      [`Text (${language})`, collection?.translations[language]?.description],
    ]),
  ];
  const present = textsOf(before);
  return textsOf(after).flatMap(([label = "", value], index) => {
    const old = present[index]?.[1];
    return old === value ? [] : [{ label, before: old || null, after: value || null }];
  });
}

interface Selection {
  catalogue: string;
  catalogueId: number;
  keys: string[];
}

/** The products by category and name, and what the operator should know. Errors: `validation_error`. */
async function productsOf(DB: D1Database, { catalogue, catalogueId, keys }: Selection) {
  const refuse = (message: string) => validationError([{ field: "products", message }]);
  const listed = await readListed(DB, catalogueId);
  const byId = new Map(listed.map((product) => [product.id, [product]]));
  const bySku = Map.groupBy(listed, ({ sku }) => sku);
  const idsOf = await readIdsOf(DB, catalogue);
  const given = keys.map((key) => {
    const ofShop = () => new Set(idsOf(key).map(({ productId }) => productId));
    const found =
      byId.get(parseId(key) ?? 0) ??
      bySku.get(key) ??
      [...ofShop()].flatMap((id) => byId.get(id) ?? []);
    if (found.length !== 1) throw refuse(`must each name one product of the catalogue: ${key}`);
    return found;
  });
  const { compare } = new Intl.Collator("en");
  const products = [...new Set(given.flat())].sort(
    (a, b) => compare(a.category, b.category) || compare(a.name, b.name),
  );
  if (products.length > MAX_COLLECTION_PRODUCTS) {
    throw refuse(`must have at most ${String(MAX_COLLECTION_PRODUCTS)} elements`);
  }
  const own = products.map(({ locations }) => locations);
  const missing = own.some((locations) => locations.length === 0)
    ? []
    : [...new Set(listed.flatMap(({ locations }) => locations))]
        .filter((country) => !own.flat().includes(country))
        .sort();
  return {
    ids: products.map(({ id }) => id),
    notes:
      missing.length > 0
        ? [`Other products ship to ${missing.join(", ")}, but none of the collection does.`]
        : [],
  };
}
