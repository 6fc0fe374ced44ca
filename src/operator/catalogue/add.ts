// Adds a catalogue, whose first products a publication adds.
import { refusal } from "../../core/api-error.ts";
import { change } from "../declaration/declare.ts";
import * as kinds from "../declaration/kinds.ts";
import { addCatalogue, listCatalogues } from "./queries.ts";
import { mergedSettings, CATALOGUE_SETTINGS, catalogueSettingChanges } from "./settings.ts";

/** One transaction. */
export const catalogueAdd = change({
  name: "catalogue add",
  title: "Add a catalogue",
  description: "The settings apply to the files of shops, which do not contain these values.",
  permission: "catalogue",
  input: { name: kinds.catalogue("Name"), ...CATALOGUE_SETTINGS },
  examples: ["boutique --currency EUR --locations DE,AT --language de"],
  plan: async ({ DB }, { name: catalogue, ...input }) => {
    const [existing] = await listCatalogues(DB, catalogue);
    if (existing) throw exists(catalogue);
    const settings = mergedSettings({}, input);
    return {
      catalogue,
      settings,
      will: `add the catalogue ${catalogue}, without products`,
      changes: catalogueSettingChanges({}, settings),
      subjects: [{ type: "catalogue", keys: [catalogue] }],
    };
  },
  run: async ({ DB }, { catalogue, settings }) => {
    if (!(await addCatalogue(DB, catalogue, settings))) throw exists(catalogue);
    return { text: `The catalogue ${catalogue} is added. Publish its products.` };
  },
});

const exists = (name: string) => refusal(`there is a catalogue ${name} already.`);
