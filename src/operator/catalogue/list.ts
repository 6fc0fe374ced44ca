// The list of catalogues.
import { list } from "../declaration/declare.ts";
import * as kinds from "../declaration/kinds.ts";
import { listCatalogues } from "./queries.ts";
import { CATALOGUE_SETTINGS } from "./settings.ts";

const { currency, language } = CATALOGUE_SETTINGS;

/** One round trip. */
export const catalogueList = list({
  name: "catalogue list",
  title: "Catalogues",
  permission: "view",
  input: {},
  columns: {
    catalogue: kinds.from("name", kinds.catalogue("Catalogue")),
    version: kinds.id("Version"),
    products: kinds.from("all", kinds.count("Products")),
    physical: kinds.count("Physical"),
    digital: kinds.count("Digital"),
    clients: kinds.count("Clients"),
    published: kinds.from("publishedAtMs", kinds.time("Published")),
    currency,
    language,
  },
  empty: "There is no catalogue yet.",
  actions: ["catalogue add"],
  first: () => ({ name: "" }),
  read: ({ DB }, _input, { after, limit }) =>
    listCatalogues(DB, undefined, { after: after.name, limit }),
  row: (catalogue) => ({
    ...catalogue,
    ...catalogue.totals,
    version: catalogue.version || null,
    currency: catalogue.settings.currency ?? null,
    language: catalogue.settings.language ?? null,
  }),
});
