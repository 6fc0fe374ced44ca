// A client's statement of a month, on screen, to print and as CSV.
import { orderNumber } from "../../../core/values/ids.ts";
import type { Currency } from "../../../core/values/iso.ts";
import { formatDay } from "../../../core/values/time.ts";
import type { StatementEntry } from "../../../operator/credit/account-statement.ts";
import type { InvoiceEntry } from "../../../operator/credit/invoice-statement.ts";
import {
  type AccountStatement,
  type InvoicedStatement,
  isFinalAt,
  owedMinor,
  parseMonth,
  PROVISIONAL,
  readStatement,
  statementSource,
} from "../../../operator/credit/month-statement.ts";
import type { EntryRange } from "../../../operator/credit/ledger-range.ts";
import { statementCsv } from "../../../operator/credit/statement-csv.ts";
import type { KindTotal } from "../../../operator/credit/statement-totals.ts";
import { Refusal } from "../../../operator/refusal.ts";
import { download } from "../../download.ts";
import type { ConsoleContext } from "../../environment.ts";
import { CREDIT, STATEMENT } from "../../texts/credit.ts";
import { Filters } from "../../ui/form.tsx";
import type { Page } from "../../ui/layout.tsx";
import { Facts, Table } from "../../ui/table.tsx";
import { Money, moneyColumn, Time } from "../../ui/values.tsx";
import { clientTarget, findClient } from "./client-target.ts";

/** The entries of each ledger on a page, and on one to print. */
const SHOWN = 30;
const PRINTED = 2_000;
const { columns } = CREDIT;

/** The entries of a month that one request reads. */
const MAX_ENTRIES = 20_000;

/** Two round trips. Errors: `NotFound`, `Refusal`. */
async function sourceOf(c: ConsoleContext) {
  const nowMs = c.get("nowMs");
  const month = parseMonth(c.req.query("month") ?? formatDay(nowMs).slice(0, 7));
  if (!month || month.fromMs > nowMs) throw new Refusal(STATEMENT.badMonth);
  const { id: clientId, name: clientName } = await findClient(c);
  const isFinal = isFinalAt(month, nowMs);
  const head = { ...month, clientId, clientName, isFinal, createdAtMs: isFinal ? null : nowMs };
  const { DB, ENVIRONMENT: environment } = c.env;
  const source = await statementSource(DB, { ...head, environment }, undefined);
  const entries = entriesOf(source.accounts) + entriesOf(source.invoiced);
  if (entries > MAX_ENTRIES) throw new Refusal(STATEMENT.tooLong(entries.toLocaleString("en")));
  return source;
}

/** The sequences of a ledger have no gaps. */
const entriesOf = (ranges: readonly EntryRange[]) =>
  ranges.reduce((sum, { firstSequence, endSequence }) => sum + endSequence - firstSequence, 0);

export async function downloadStatement(c: ConsoleContext): Promise<Response> {
  const source = await sourceOf(c);
  const parts: string[] = [];
  for await (const part of statementCsv(source)) parts.push(part);
  const { clientId, month } = source.head;
  return download(`${clientId}-${month}.csv`, "text/csv", parts.join(""));
}

export async function statementPage(c: ConsoleContext): Promise<Page> {
  const source = await sourceOf(c);
  const { clientId, clientName, month } = source.head;
  const { isFinal, accounts, invoiced } = await readStatement(source);
  const limit = c.req.query("all") === undefined ? SHOWN : PRINTED;
  const query = `month=${month}`;
  const content = (
    <>
      <Filters
        fields={[
          {
            name: "month",
            type: "text",
            label: STATEMENT.month,
            hint: STATEMENT.monthHint,
            value: month,
            required: true,
          },
        ]}
      />
      <ul class="actions">
        <li>
          <a href={`/clients/${clientId}/statement/csv?${query}`}>{STATEMENT.csv}</a>
        </li>
        <li>
          <a href={`?${query}&all=1`}>{STATEMENT.all}</a>
        </li>
      </ul>
      {!isFinal && <p>{PROVISIONAL}</p>}
      {accounts.length + invoiced.length === 0 && <p class="empty">{STATEMENT.empty}</p>}
      {accounts.map((account) => (
        <Account account={account} limit={limit} />
      ))}
      {invoiced.map((ledger) => (
        <Invoiced ledger={ledger} limit={limit} />
      ))}
    </>
  );
  return { title: STATEMENT.title(clientName, month), parent: clientTarget(c), content };
}

const totalsOf = (totals: Partial<Record<keyof typeof STATEMENT.totals, KindTotal>>) =>
  Object.entries(totals).flatMap(([kind, total]): [string, number][] =>
    total.entries === 0 ? [] : [[STATEMENT.totals[kind as keyof typeof totals], total.amountMinor]],
  );

const Summary = ({ currency, facts }: { currency: Currency; facts: [string, number][] }) => (
  <Facts
    facts={Object.fromEntries(
      facts.map(([label, minor]) => [label, <Money minor={minor} currency={currency} />]),
    )}
  />
);

interface LedgerProps<Entry> {
  caption: string;
  entries: readonly Entry[];
  limit: number;
  currency: Currency;
  balances: Record<string, (entry: Entry) => number>;
}

function Entries<Entry extends StatementEntry | InvoiceEntry>({
  caption,
  entries,
  limit,
  currency,
  balances,
}: LedgerProps<Entry>) {
  const amount = (label: string, minorOf: (entry: Entry) => number) =>
    moneyColumn<Entry>(label, (entry) => ({ minor: minorOf(entry), currency }));
  const hidden = entries.length - limit;
  return (
    <>
      <Table
        caption={caption}
        rows={entries.slice(0, limit)}
        empty={STATEMENT.noEntries}
        columns={[
          { label: columns.entry, cell: ({ sequence }) => sequence, isNumber: true },
          { label: columns.date, cell: ({ createdAtMs }) => <Time ms={createdAtMs} /> },
          { label: columns.kind, cell: ({ kind }) => kind },
          {
            label: columns.reference,
            cell: ({ orderId, orderRefId, reference }) =>
              [orderId === null ? null : orderNumber(orderId), orderRefId, reference]
                .filter((text) => text !== null)
                .join(", "),
          },
          { label: STATEMENT.gifts, cell: ({ qty }) => qty, isNumber: true },
          amount(columns.amount, ({ amountMinor }) => amountMinor),
          ...Object.entries(balances).map(([label, minorOf]) => amount(label, minorOf)),
        ]}
      />
      {hidden > 0 && <p>{STATEMENT.more(hidden.toLocaleString("en"))}</p>}
    </>
  );
}

function Account({ account, limit }: { account: AccountStatement; limit: number }) {
  const { currency, openingMinor, closingMinor, entries } = account;
  const { feesMinor, ...totals } = account.totals;
  const heading = STATEMENT.account(currency);
  return (
    <>
      <h2>{heading}</h2>
      <Summary
        currency={currency}
        facts={[
          [STATEMENT.opening, openingMinor],
          ...totalsOf(totals),
          [STATEMENT.fees, feesMinor],
          [STATEMENT.closing, closingMinor],
        ]}
      />
      <Entries
        {...{ caption: `${STATEMENT.entries}: ${heading}`, entries, limit, currency }}
        balances={{ [columns.after]: ({ balanceMinor }: StatementEntry) => balanceMinor }}
      />
    </>
  );
}

function Invoiced({ ledger, limit }: { ledger: InvoicedStatement; limit: number }) {
  const { currency, opening, closing, entries } = ledger;
  const { feesMinor, ...totals } = ledger.totals;
  const heading = STATEMENT.invoice(currency);
  return (
    <>
      <h2>{heading}</h2>
      <Summary
        currency={currency}
        facts={[
          [STATEMENT.unpaidOpening, opening.unpaidMinor],
          [STATEMENT.toRefundOpening, opening.toRefundMinor],
          ...totalsOf(totals),
          [STATEMENT.fees, feesMinor],
          [STATEMENT.unpaid, closing.unpaidMinor],
          [STATEMENT.toRefund, closing.toRefundMinor],
          [STATEMENT.owed, owedMinor(closing)],
        ]}
      />
      <Entries
        {...{ caption: `${STATEMENT.entries}: ${heading}`, entries, limit, currency }}
        balances={{
          [STATEMENT.unpaid]: ({ unpaidMinor }: InvoiceEntry) => unpaidMinor,
          [STATEMENT.toRefund]: ({ toRefundMinor }: InvoiceEntry) => toRefundMinor,
        }}
      />
    </>
  );
}
