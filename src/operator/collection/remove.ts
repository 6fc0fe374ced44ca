// Removes a collection.
import { notFound } from "../../core/api-error.ts";
import { readCollections } from "../../features/catalogue/collection-queries.ts";
import { requireCatalogue } from "../catalogue/queries.ts";
import { affectedText } from "../client/money-queries.ts";
import { change } from "../declaration/declare.ts";
import * as kinds from "../declaration/kinds.ts";
import { deleteCollection } from "./queries.ts";

/** One transaction. */
export const collectionRemove = change({
  name: "collection remove",
  title: "Remove the collection",
  description:
    "Recipients of its orders can then accept the offered gift only. New orders cannot have the collection.",
  permission: "catalogue",
  isFinal: true,
  input: {
    catalogue: kinds.catalogue("Catalogue"),
    collection: kinds.argument(kinds.text("Collection", { max: 60 })),
  },
  examples: ['main wellness --reason "The season is over."'],
  plan: async ({ DB }, { catalogue, collection }) => {
    const { id: catalogueId } = await requireCatalogue(DB, catalogue);
    const [found] = await readCollections(DB, catalogueId, collection);
    if (!found) throw missing(catalogue, collection);
    const affected = await affectedText(DB, catalogueId, { collectionId: collection });
    return {
      catalogueId,
      catalogue,
      collection,
      will: `remove the collection ${collection} (${found.name}) of catalogue ${catalogue}${affected}`,
      confirms: found,
      subjects: [{ type: "collection", keys: [catalogue] }],
    };
  },
  run: async ({ DB, nowMs }, { catalogueId, catalogue, collection }) => {
    if (!(await deleteCollection(DB, { catalogueId, id: collection }, nowMs)))
      throw missing(catalogue, collection);
    return { text: `The collection ${collection} is removed.` };
  },
});

const missing = (catalogue: string, collection: string) =>
  notFound(`catalogue ${catalogue} has no collection ${collection}.`);
