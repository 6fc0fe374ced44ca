// Products whose stock is low.
import { validationError } from "../../../core/api-error.ts";
import { parseId } from "../../../core/values/ids.ts";
import { listCatalogues } from "../../../operator/catalogue/queries.ts";
import { listLowStock, MAX_QUANTITY } from "../../../operator/catalogue/stock.ts";
import { findTarget } from "../../../operator/catalogue/stock-target.ts";
import type { ConsoleContext } from "../../environment.ts";
import { COMMON } from "../../texts/common.ts";
import { STOCK } from "../../texts/stock.ts";
import { type Field, Filters } from "../../ui/form.tsx";
import type { Page } from "../../ui/layout.tsx";
import { Table } from "../../ui/table.tsx";
import { yesOrNo } from "./stock-product.tsx";

const PAGE_ROWS = 50;
const DEFAULT_BELOW = 10;

type LowStock = Awaited<ReturnType<typeof listLowStock>>["low"][number];

/** The list, or the product that the form names. Errors: `ApiError`, `Refusal`. */
export async function stockListPage(c: ConsoleContext): Promise<Page | Response> {
  const { catalogue = "", product = "", after = "" } = c.req.query();
  if (product.trim() !== "") return openProduct(c, product.trim(), catalogue);
  const below = parseQuantity(c.req.query("below") ?? "") ?? DEFAULT_BELOW;
  const { total, low } = await listLowStock(c.env.DB, {
    below,
    catalogue: catalogue || null,
    after: positionOf(after),
    limit: PAGE_ROWS + 1,
  });
  const shown = low.slice(0, PAGE_ROWS);
  const last = low.length > PAGE_ROWS ? shown.at(-1) : undefined;
  const names = (await listCatalogues(c.env.DB)).map(({ name }) => name);
  const select: Field = {
    name: "catalogue",
    type: "select",
    label: STOCK.catalogue,
    value: catalogue,
    options: { "": COMMON.all, ...Object.fromEntries(names.map((name) => [name, name])) },
  };
  const content = (
    <>
      <Filters
        fields={[
          { name: "below", type: "number", label: STOCK.below, value: String(below) },
          select,
          { name: "product", type: "text", label: STOCK.product, hint: STOCK.productHint },
        ]}
      />
      <LowStockTable
        caption={STOCK.caption(total, below)}
        rows={shown}
        next={last ? [last.quantity, last.productId, last.variationId].map(String).join("-") : null}
      />
    </>
  );
  return { title: STOCK.title, content };
}

async function openProduct(c: ConsoleContext, key: string, catalogue: string): Promise<Response> {
  const id = parseId(key);
  if (id === undefined && catalogue === "") {
    throw validationError([{ field: "product", message: STOCK.productRule }]);
  }
  const { productId } = await findTarget(
    c.env.DB,
    id === undefined
      ? { productId: id, variationId: undefined, source: { catalogue, key } }
      : { productId: id, variationId: undefined, source: null },
  );
  return c.redirect(`/stock/${String(productId)}`, 303);
}

function parseQuantity(text: string): number | undefined {
  const quantity = Number(text);
  return /^\d+$/.test(text) && quantity <= MAX_QUANTITY ? quantity : undefined;
}

/** `3-1001-0` */
function positionOf(text: string) {
  const [quantity, productId, variationId] = text.split("-").map(parseQuantity);
  return quantity === undefined || productId === undefined || variationId === undefined
    ? undefined
    : { quantity, productId, variationId };
}

interface LowStockTableProps {
  caption: string;
  rows: LowStock[];
  next: string | null;
}

const LowStockTable = ({ caption, rows, next }: LowStockTableProps) => (
  <Table
    caption={caption}
    rows={rows}
    next={next}
    empty={STOCK.empty}
    columns={[
      {
        label: STOCK.product,
        cell: ({ productId, name, sku }) => (
          <>
            <a href={`/stock/${String(productId)}`} aria-label={`${name} ${sku}`}>
              {name}
            </a>{" "}
            <small>{productId}</small>
          </>
        ),
        sortBy: ({ name }) => name,
      },
      { label: STOCK.variation, cell: ({ variationId }) => variationId || null, isNumber: true },
      { label: STOCK.sku, cell: ({ sku }) => sku, sortBy: ({ sku }) => sku },
      {
        label: STOCK.quantity,
        cell: ({ quantity }) => quantity,
        sortBy: ({ quantity }) => quantity,
        isNumber: true,
      },
      { label: STOCK.onSale, cell: ({ sellable }) => yesOrNo(sellable) },
      { label: STOCK.catalogues, cell: ({ catalogues }) => catalogues },
    ]}
  />
);
