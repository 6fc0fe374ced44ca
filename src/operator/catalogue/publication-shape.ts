// What the plan of a publication and its result show.
import * as kinds from "../declaration/kinds.ts";
import type { FileProblem } from "./import/source.ts";
import type { Comparison } from "./publish/compare.ts";
import type { PublicationPlan } from "./publish/plan.ts";
import type { CatalogueFile } from "./read-file.ts";

export const PUBLICATION = {
  products: kinds.count("Products"),
  added: kinds.count("New"),
  changed: kinds.count("Changed"),
  unpublished: kinds.count("Unpublished"),
  unchanged: kinds.count("Unchanged"),
  left_out: kinds.count("Hidden in the shop, left out"),
  problems: kinds.count("Problems"),
};

export const publicationFacts = (
  { unpublished, problems }: Pick<CatalogueFile, "unpublished" | "problems">,
  plan: PublicationPlan | null,
) => ({
  ...(plan && {
    products: plan.products.length,
    added: plan.comparison.added.length,
    changed: plan.comparison.changed.length,
    unpublished: plan.comparison.unpublished.length,
    unchanged: plan.comparison.unchanged,
  }),
  left_out: unpublished || null,
  problems: problems.length || null,
});

export const PROBLEMS = {
  title: "Problems in the file",
  columns: {
    row: kinds.count("Row"),
    product: kinds.text("Product"),
    field: kinds.text("Field"),
    problem: kinds.text("Problem"),
  },
};

/** No list if there are none. */
export const problemList = (problems: readonly FileProblem[]) =>
  problems.length > 0 && {
    problems: problems.map(({ row, product = null, field, reason }) => ({
      row,
      product,
      field,
      problem: reason,
    })),
  };

const PRODUCT = { product: kinds.product("Product"), name: kinds.text("Name") };

/** The lists of changes. */
export const CHANGES = {
  ended: {
    title: "Stock whose tracking ends, so that orders are no longer limited",
    columns: {
      product: kinds.product("Product"),
      variation: kinds.id("Variation"),
      quantity: kinds.count("Quantity"),
    },
  },
  unpublished: { title: "Products that are unpublished", columns: PRODUCT },
  changed: {
    title: "Products that change",
    columns: { ...PRODUCT, changes: kinds.text("Changes") },
  },
  added: { title: "New products", columns: { name: kinds.text("Name") } },
};

/** The rows of each list. The numbers of all are facts. */
export const MAX_CHANGES = 100;

/** Lists without rows are left out. */
export function changeLists({ comparison, endedTracking }: PublicationPlan) {
  const { unpublished, changed, added } = comparison;
  return {
    ...(endedTracking.length > 0 && {
      ended: endedTracking.slice(0, MAX_CHANGES).map(({ productId, variationId, quantity }) => ({
        product: productId,
        variation: variationId || null,
        quantity,
      })),
    }),
    ...(unpublished.length > 0 && {
      unpublished: unpublished.slice(0, MAX_CHANGES).map(({ id, name }) => ({ product: id, name })),
    }),
    ...(changed.length > 0 && {
      changed: changed
        .slice(0, MAX_CHANGES)
        .map((each) => ({ product: each.id, name: each.name, changes: changesText(each) })),
    }),
    ...(added.length > 0 && { added: added.slice(0, MAX_CHANGES) }),
  };
}

/** `price 12.00 → 15.00, product_description` */
const changesText = ({ fields, values }: Comparison["changed"][number]) =>
  fields.map((field) => [field, values[field]?.join(" → ")].filter(Boolean).join(" ")).join(", ");

/** Says that lists have only the first changes. */
export function shortenedNotes({ comparison, endedTracking }: PublicationPlan): string[] {
  const { unpublished, changed, added } = comparison;
  const isShortened = [unpublished, changed, added, endedTracking].some(
    ({ length }) => length > MAX_CHANGES,
  );
  return isShortened ? [`Only the first ${String(MAX_CHANGES)} of each list are shown.`] : [];
}
