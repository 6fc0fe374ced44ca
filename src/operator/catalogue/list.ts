// The list of catalogues.
import { list } from "../declaration/declare.ts";
import * as kinds from "../declaration/kinds.ts";
import { pageOf } from "../declaration/pages.ts";
import { listCatalogues } from "./queries.ts";
import { SETTINGS, settingValues } from "./settings.ts";

const { currency, language } = SETTINGS;

/** One round trip. */
export const catalogueList = list({
  name: "catalogue list",
  title: "Catalogues",
  permission: "view",
  input: {},
  columns: {
    catalogue: kinds.catalogue("Catalogue"),
    version: kinds.id("Version"),
    products: kinds.count("Products"),
    physical: kinds.count("Physical"),
    digital: kinds.count("Digital"),
    clients: kinds.count("Clients"),
    published: kinds.time("Published"),
    currency,
    language,
  },
  empty: "There is no catalogue yet.",
  actions: ["catalogue add"],
  page: async ({ DB }, _input, { after = "", limit }) => {
    const found = await listCatalogues(DB, undefined, { after, limit: limit + 1 });
    const { shown, next } = pageOf(found, limit, ({ name }) => [name]);
    return {
      rows: shown.map((each) => ({
        ...settingValues(each.settings),
        ...each,
        catalogue: each.name,
        version: each.version || null,
        products: each.total,
        published: each.publishedAtMs,
      })),
      next,
    };
  },
});
