// The collections of a catalogue.
import { MAX_COLLECTIONS, readCollections } from "../../features/catalogue/collection-queries.ts";
import { requireCatalogue } from "../catalogue/queries.ts";
import { list } from "../declaration/declare.ts";
import * as kinds from "../declaration/kinds.ts";

/** Two round trips. */
export const collectionList = list({
  name: "collection list",
  title: "Collections",
  description: "Recipients of an order with a collection choose from its products.",
  permission: "view",
  input: { catalogue: kinds.catalogue("Catalogue") },
  columns: {
    collection: kinds.text("Collection"),
    name: kinds.text("Name"),
    text: kinds.text("Text", { max: 500 }),
    languages: kinds.text("Other languages"),
    products: kinds.text("Products", { max: 10_000 }),
  },
  examples: ["main"],
  empty: "The catalogue has no collections.",
  actions: ["collection set"],
  rowActions: ["collection remove"],
  first: () => ({ id: "" }),
  read: async ({ DB }, { catalogue }, { after, limit }) => {
    const { id } = await requireCatalogue(DB, catalogue);
    const all = await readCollections(DB, id);
    return all
      .slice(0, MAX_COLLECTIONS)
      .filter((each) => each.id > after.id)
      .slice(0, limit);
  },
  row: ({ id, name, description, translations, products }) => ({
    collection: id,
    name,
    text: description || null,
    languages: Object.keys(translations).join(", ") || null,
    products: products.join(", "),
  }),
});
