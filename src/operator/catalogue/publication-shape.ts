// What the plan of a publication and its result show.
import * as kinds from "../declaration/kinds.ts";
import { wordsOfName } from "../words.ts";
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
    isFolded: true,
    columns: { ...PRODUCT, changes: kinds.text("Changes") },
  },
  added: { title: "New products", isFolded: true, columns: { name: kinds.text("Name") } },
};

/** The rows of each list of changes. The numbers of all are facts. */
const MAX_CHANGES = 100;

/** The lists that have rows. */
export const listsOf = (problems: readonly FileProblem[], plan: PublicationPlan | null) =>
  withoutEmpty({
    problems: problems.map(({ product = null, reason: problem, ...each }) => ({
      ...each,
      product,
      problem,
    })),
    ...(plan && changeLists(plan)),
  });

const changeLists = ({ comparison, endedTracking }: PublicationPlan) => ({
  ended: endedTracking
    .slice(0, MAX_CHANGES)
    .map(({ productId: product, variationId, quantity }) => ({
      product,
      variation: variationId || null,
      quantity,
    })),
  unpublished: comparison.unpublished
    .slice(0, MAX_CHANGES)
    .map(({ id: product, name }) => ({ product, name })),
  changed: comparison.changed
    .slice(0, MAX_CHANGES)
    .map(({ id: product, name, ...each }) => ({ product, name, changes: changesText(each) })),
  added: comparison.added.slice(0, MAX_CHANGES),
});

const withoutEmpty = <Lists extends Record<string, readonly object[]>>(lists: Lists) =>
  Object.fromEntries(Object.entries(lists).filter(([, rows]) => rows.length > 0)) as Partial<Lists>;

/** `price from 12.00 to 15.00, product description` */
const changesText = ({
  fields,
  values,
}: Pick<Comparison["changed"][number], "fields" | "values">) =>
  fields
    .map((field) => {
      const [before, after] = values[field] ?? [];
      const name = wordsOfName(field);
      return before === undefined ? name : `${name} from ${before} to ${String(after)}`;
    })
    .join(", ");

/** Says that lists have only the first changes. */
export function shortenedNotes({ comparison, endedTracking }: PublicationPlan): string[] {
  const { added, changed, unpublished } = comparison;
  const all = [added, changed, unpublished, endedTracking];
  return all.some(({ length }) => length > MAX_CHANGES)
    ? [`Only the first ${MAX_CHANGES} of each list are shown.`]
    : [];
}
