// A client's statement of a month, on screen and to print.
import { grouped } from "../../core/values/money.ts";
import { MAX_SHOWN } from "../../operator/statement/show.ts";
import { STATEMENT_COLUMNS } from "../../operator/statement/rows.ts";
import type { JsonValue } from "../../operator/declaration/kinds.ts";
import type { PageByHand } from "../skin/read-page.tsx";
import { columnOf, Value } from "../skin/value.tsx";
import { COMMON } from "../texts/common.ts";
import { type Column, Facts, Table } from "../ui/table.tsx";

type Values = Partial<Record<string, string>>;

type Row = Record<string, JsonValue>;

export const statementPage: PageByHand = ({ content, values }) => {
  const { client = "", month = "", company = "", currency, ...numbered } = values as Values;
  const { sender, addressee, number = "", issued } = numbered;
  const query = new URLSearchParams({ client, month, ...(currency && { currency }) }).toString();
  const { totals = [], entries = [] } = content.lists;
  const ledgers = Map.groupBy(
    totals,
    (each) => `${textOf(each, "ledger")} ${textOf(each, "currency")}`,
  );
  return {
    title: `Statement ${month} of ${company}`,
    content: (
      <>
        <p class="buttons">
          {(["csv", "excel"] as const).map((format) => (
            <a class="button quiet" href={`/statement/entries?${query}&format=${format}`}>
              {COMMON[format]}
            </a>
          ))}
          <a class="button quiet" href={`/statement?${query}&entries=${String(MAX_SHOWN)}`}>
            Show all entries to print
          </a>
        </p>
        {sender !== undefined && (
          <>
            <p class="lines">{sender}</p>
            <p class="lines">{addressee}</p>
            <p>{`Number ${number}, issued on ${String(issued).slice(0, 10)}`}</p>
          </>
        )}
        <p>All amounts are net of tax.</p>
        {content.warnings.map((text) => (
          <p>{text}</p>
        ))}
        {content.text !== undefined && <p class="empty">{content.text}</p>}
        {[...ledgers.values()].map((each) => (
          <Ledger totals={each} entries={entries} />
        ))}
      </>
    ),
  };
};

const textOf = (row: Row, name: string) => {
  const value = row[name] ?? "";
  return typeof value === "object" ? "" : String(value);
};

/** `entries` are those of all ledgers. */
function Ledger({ totals, entries }: { totals: readonly Row[]; entries: readonly Row[] }) {
  const [first = {}] = totals;
  const currency = textOf(first, "currency");
  const isInvoice = textOf(first, "ledger") === "invoice";
  const heading = `${isInvoice ? "Orders on invoice" : "Credit account"} in ${currency}`;
  const rows = entries.filter(
    (row) => row["currency"] === currency && isInvoice === textOf(row, "type").startsWith(INVOICE),
  );
  const balances = isInvoice ? (["unpaid", "to_be_refunded"] as const) : (["balance"] as const);
  return (
    <>
      <h2>{heading}</h2>
      <Facts
        facts={Object.fromEntries(
          totals.map((row) => [
            textOf(row, "item"),
            <Value field={{ type: "money" }} value={row["amount"] ?? null} />,
          ]),
        )}
      />
      <Table
        label={`Entries: ${heading}`}
        rows={rows}
        empty="There are no entries in this month."
        columns={[
          column("sequence"),
          { ...column("date"), cell: (row) => textOf(row, "date").slice(0, 10) },
          {
            ...column("type"),
            cell: (row) => textOf(row, "type").replace(INVOICE, "").replace("_", "-"),
          },
          { label: "Order or reference", cell: referenceOf },
          column("qty"),
          amountColumn("amount"),
          ...balances.map(amountColumn),
        ]}
      />
    </>
  );
}

/** The beginning of the types of entries of orders on invoice. */
const INVOICE = "invoice_";

type Name = keyof typeof STATEMENT_COLUMNS;

const column = (name: Name) => columnOf(STATEMENT_COLUMNS, name);

const amountColumn = (name: Name): Column<Row> => ({
  ...column(name),
  cell: (row) => (
    <span class="money">{`${grouped(textOf(row, name))} ${textOf(row, "currency")}`}</span>
  ),
});

const referenceOf = (row: Row) =>
  ["order_number", "order_ref_id", "reference", "campaign"]
    .map((name) => textOf(row, name))
    .filter((text) => text !== "")
    .join(", ");
