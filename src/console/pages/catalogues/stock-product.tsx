// The stock of a product.
import { parseId } from "../../../core/values/ids.ts";
import {
  type ProductStock,
  readProductStock,
  type StockRecord,
} from "../../../operator/catalogue/stock.ts";
import { may } from "../../../operator/roles.ts";
import type { ConsoleContext } from "../../environment.ts";
import { NotFound } from "../../page-errors.ts";
import { param } from "../../router.ts";
import { COMMON } from "../../texts/common.ts";
import { STOCK } from "../../texts/stock.ts";
import type { Page } from "../../ui/layout.tsx";
import { Facts, Table } from "../../ui/table.tsx";

export const productIdOf = (c: ConsoleContext): number => param(c, "product", parseId);

export async function productStockPage(c: ConsoleContext): Promise<Page> {
  const productId = productIdOf(c);
  const stock = await readProductStock(c.env.DB, productId);
  if (!stock) throw new NotFound();
  const content = (
    <>
      <Facts
        facts={{
          [STOCK.name]: stock.name ?? STOCK.notPublished,
          [STOCK.catalogues]: stock.catalogues.join(", ") || null,
        }}
      />
      <p>{STOCK.shared}</p>
      <RecordTable stock={stock} mayChange={may(c.get("user"), "stock")} />
    </>
  );
  const parent = { name: STOCK.title, href: "/stock" };
  return { title: STOCK.productTitle(productId), parent, content };
}

export const yesOrNo = (value: boolean) => (value ? COMMON.yes : COMMON.no);

function RecordTable({ stock, mayChange }: { stock: ProductStock; mayChange: boolean }) {
  // All records of an unpublished product can be changed, because its orders may still return stock.
  const mayChangeRecord = ({ published }: StockRecord) =>
    mayChange && (published || stock.type === null);
  return (
    <Table
      caption={STOCK.records}
      rows={stock.records}
      empty={STOCK.noRecords}
      columns={[
        { label: STOCK.variation, cell: ({ variationId }) => variationId || null, isNumber: true },
        { label: STOCK.sku, cell: ({ sku }) => sku },
        { label: STOCK.options, cell: ({ options }) => options },
        {
          label: STOCK.quantity,
          cell: ({ quantity }) => quantity ?? STOCK.untracked,
          isNumber: true,
        },
        {
          label: STOCK.onSale,
          cell: ({ published, sellable }) => (published ? yesOrNo(sellable) : STOCK.notPublished),
        },
        { label: STOCK.orderable, cell: ({ canBeOrdered }) => yesOrNo(canBeOrdered) },
        ...(mayChange
          ? [
              {
                label: STOCK.change,
                cell: (record: StockRecord) =>
                  mayChangeRecord(record) && <ChangeLinks {...stock} record={record} />,
              },
            ]
          : []),
      ]}
    />
  );
}

function ChangeLinks({ productId, record }: { productId: number; record: StockRecord }) {
  const { variationId, sku } = record;
  return (
    <>
      {(["set", "adjust"] as const).map((verb) => (
        <>
          <a
            href={`/stock/${String(productId)}/${String(variationId)}/${verb}`}
            aria-label={STOCK.linkOf(STOCK[verb].link, sku ?? String(variationId || productId))}
          >
            {STOCK[verb].link}
          </a>{" "}
        </>
      ))}
    </>
  );
}
