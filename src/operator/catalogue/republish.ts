// Publishes the products of an earlier version again, which undoes a publication.
import { refusal } from "../../core/api-error.ts";
import { isSandbox } from "../../platform/configuration.ts";
import { change } from "../declaration/declare.ts";
import * as kinds from "../declaration/kinds.ts";
import { CHANGES, listsOf, PUBLICATION, publicationFacts } from "./publication-shape.ts";
import { willOf } from "./publish.ts";
import { planPublication } from "./publish/plan.ts";
import { readProductsOf } from "./publish/plan-queries.ts";
import { publishPlan } from "./publish/publish.ts";
import { listVersions, requireCatalogue } from "./queries.ts";

const NO_FILE = { problems: [], unpublished: [] };

/** As `catalogue publish`. */
export const catalogueRepublish = change({
  name: "catalogue republish",
  title: "Publish again",
  description:
    "The products of the version before the current one become the next version. The settings and the stock stay as they are.",
  permission: "catalogue",
  input: {
    catalogue: kinds.catalogue("Catalogue"),
    version: kinds.argument(kinds.id("Version")),
  },
  preview: { facts: PUBLICATION, lists: CHANGES },
  plan: async ({ DB }, { catalogue, version }) => {
    const found = await requireCatalogue(DB, catalogue);
    const kept = (await listVersions(DB, found.id)).find((each) => each.version === version);
    if (!kept || version === found.version) {
      throw refusal(
        `only the version before the current version ${String(found.version)} is kept.`,
      );
    }
    const products = await readProductsOf(DB, found.id, kept);
    const publication = await planPublication(DB, catalogue, products, { shareStock: true });
    const source = { catalogue, file: { name: `version ${String(version)}` }, stock: "keep" };
    return {
      catalogue,
      fileName: source.file.name,
      publication,
      will: willOf(source, found, publication),
      subjects: [{ type: "catalogue", keys: [catalogue] }],
      confirms: found.version,
      preview: {
        facts: publicationFacts(NO_FILE, publication),
        lists: listsOf(NO_FILE, publication),
      },
    };
  },
  run: async (context, { catalogue, fileName, publication }) => {
    const { DB, user, nowMs } = context;
    const options = { testCodes: isSandbox(context), publishedBy: user.name, fileName };
    const published = await publishPlan(DB, publication, nowMs, options);
    if (!published) throw refusal("the catalogue has been published meanwhile.");
    return { text: `Version ${String(published.version)} of ${catalogue} is published.` };
  },
});
