// What the plan of a publication and its result show.
import { amountText, formatAmount, grouped } from "../../core/values/money.ts";
import { type Product, totalQuantity } from "../../features/catalogue/product.ts";
import * as kinds from "../declaration/kinds.ts";
import { wordsOfName } from "../words.ts";
import type { Comparison } from "./publish/compare.ts";
import type { PublicationPlan } from "./publish/plan.ts";
import type { CatalogueFile } from "./read-file.ts";

export const PUBLICATION = {
  products: kinds.count("Products"),
  added: kinds.count("New"),
  changed: kinds.count("Changed"),
  unpublished: kinds.count("Unpublished"),
  unchanged: kinds.count("Unchanged"),
  raised: kinds.count("Prices that rise"),
  largest_rise: kinds.percent("Largest rise"),
  lowered: kinds.count("Prices that fall"),
  largest_fall: kinds.percent("Largest fall"),
  left_out: kinds.count("Hidden in the shop, left out"),
  vendors: kinds.text("Vendors"),
  problems: kinds.count("Problems"),
};

export const publicationFacts = (
  { unpublished, problems }: Pick<CatalogueFile, "unpublished" | "problems">,
  plan: PublicationPlan | null,
) => ({
  ...(plan && priceFacts(plan.comparison)),
  ...(plan && {
    products: plan.products.length,
    added: plan.comparison.added.length,
    changed: plan.comparison.changed.length,
    unpublished: plan.comparison.unpublished.length,
    unchanged: plan.comparison.unchanged,
  }),
  left_out: unpublished.length || null,
  problems: problems.length || null,
});

/** How many prices rise and fall, and by how much at most. */
function priceFacts({ prices }: Pick<Comparison, "prices">) {
  const changes = prices.map(({ change }) => change).filter(Number.isFinite);
  const [rises, falls] = [changes.filter((each) => each > 0), changes.filter((each) => each < 0)];
  return {
    raised: rises.length || null,
    largest_rise: rises[0] ?? null,
    lowered: falls.length || null,
    largest_fall: falls[0] ?? null,
  };
}

export const PROBLEMS = {
  title: "Problems in the file",
  columns: {
    count: kinds.count("Number"),
    row: kinds.count("First row"),
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
  prices: {
    title: "Prices that change, the largest change first",
    columns: {
      ...PRODUCT,
      options: kinds.text("Options"),
      sku: kinds.text("SKU"),
      before: kinds.money("Before"),
      after: kinds.money("After"),
      change: kinds.percent("Change"),
    },
  },
  changed: {
    title: "Products that change",
    isFolded: true,
    columns: { ...PRODUCT, changes: kinds.text("Changes") },
  },
  added: {
    title: "New products",
    isFolded: true,
    columns: {
      picture: kinds.image("Picture"),
      name: PRODUCT.name,
      sku: kinds.text("SKU"),
      price: kinds.text("Price"),
      options: kinds.text("Options"),
      quantity: kinds.count("Stock"),
      weight: kinds.text("Weight"),
    },
  },
  hidden: {
    title: "Products that the shop hides, left out",
    isFolded: true,
    columns: { name: PRODUCT.name },
  },
};

/** The rows of each list of changes. The numbers of all are facts. */
const MAX_CHANGES = 100;

/** The lists that have rows. */
export const listsOf = (
  { problems, unpublished }: Pick<CatalogueFile, "problems" | "unpublished">,
  plan: PublicationPlan | null,
) =>
  withoutEmpty({
    hidden: unpublished.slice(0, MAX_CHANGES).map((name) => ({ name })),
    problems: [
      ...Map.groupBy(problems, ({ field, reason }) => `${field} ${reason}`).values(),
    ].flatMap(([first, ...others]) =>
      first
        ? {
            ...first,
            product: first.product ?? null,
            problem: first.reason,
            count: others.length + 1,
          }
        : [],
    ),
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
  prices: comparison.prices
    .slice(0, MAX_CHANGES)
    .map(({ change, ...each }) => ({ ...each, change: Number.isFinite(change) ? change : null })),
  added: comparison.added.slice(0, MAX_CHANGES).map(({ product, stock }) => ({
    picture: product.featuredImage,
    name: product.name,
    sku: product.sku || null,
    price: priceText(product),
    options:
      product.attributes.map(({ name, options }) => `${name}: ${options.join(", ")}`).join("; ") ||
      null,
    quantity: totalQuantity(stock),
    weight: product.parcel.weight ? `${product.parcel.weight} kg` : null,
  })),
});

/** `20.00–30.00 AUD` */
export function priceText({ priceMinor, variations, currency }: Product): string {
  const prices = priceMinor === null ? variations.map((each) => each.priceMinor) : [priceMinor];
  const [lowest, highest] = [Math.min(...prices), Math.max(...prices)];
  const from = lowest === highest ? "" : `${grouped(formatAmount(lowest, currency))}–`;
  return from + amountText(highest, currency);
}

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
  const { added, changed, unpublished, prices } = comparison;
  const all = [added, changed, unpublished, prices, endedTracking];
  return all.some(({ length }) => length > MAX_CHANGES)
    ? [`Only the first ${MAX_CHANGES} of each list are shown.`]
    : [];
}
