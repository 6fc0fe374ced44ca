// A catalogue, its settings and its last publications.
import { view } from "../declaration/declare.ts";
import * as kinds from "../declaration/kinds.ts";
import { listVersions, requireCatalogue } from "./queries.ts";
import { CATALOGUE_SETTINGS, catalogueSettingValues } from "./settings.ts";

const COUNTS = {
  products: kinds.from("all", kinds.count("Products")),
  physical: kinds.count("Physical"),
  digital: kinds.count("Digital"),
};

const REPUBLISH = "catalogue republish";

/** Two round trips. */
export const catalogueShow = view({
  name: "catalogue show",
  title: "Catalogue",
  description: "The settings are values that the files of shops do not contain.",
  permission: "view",
  input: { catalogue: kinds.catalogue("Catalogue") },
  examples: ["main"],
  shape: {
    facts: {
      version: kinds.id("Version"),
      ...COUNTS,
      clients: kinds.count("Clients"),
      published: kinds.from("publishedAtMs", kinds.time("Published")),
      ...CATALOGUE_SETTINGS,
    },
    lists: {
      versions: {
        title: "Last publications",
        empty: "Nothing has been published yet.",
        columns: {
          version: kinds.id("Version"),
          published: kinds.from("publishedAtMs", kinds.time("Published")),
          by: kinds.from("publishedBy", kinds.text("By")),
          file: kinds.from("fileName", kinds.text("File")),
          ...COUNTS,
          raised: kinds.count("Prices that rose"),
          lowered: kinds.count("Prices that fell"),
          actions: kinds.many(kinds.text("What can be done", { isInFilesOnly: true })),
        },
        rowActions: [REPUBLISH],
      },
    },
  },
  read: async ({ DB }, { catalogue: name }) => {
    const { id, settings, version, totals, ...facts } = await requireCatalogue(DB, name);
    const versions = await listVersions(DB, id);
    return {
      facts: {
        ...catalogueSettingValues(settings),
        ...facts,
        ...totals,
        version: version || null,
      },
      lists: {
        versions: versions.map((each) => ({
          ...each,
          actions: each.version === version ? [] : [REPUBLISH],
        })),
      },
      actions: [
        "catalogue publish",
        "catalogue products",
        "stock list",
        "collection list",
        "collection set",
      ],
    };
  },
});
