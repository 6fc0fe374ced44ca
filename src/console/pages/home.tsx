// The first page: what happened, and what waits for the viewer.
import { agoText } from "../../core/values/ago.ts";
import { creditList } from "../../operator/credit/list.ts";
import type { AnyList } from "../../operator/declaration/declare.ts";
import { readList } from "../../operator/declaration/execute.ts";
import { type JsonValue, KINDS } from "../../operator/declaration/kinds.ts";
import { emailList } from "../../operator/email/list.ts";
import type { HOME_FACTS } from "../../operator/home/show.ts";
import { paymentList } from "../../operator/payment/list.ts";
import { may, type Permission } from "../../operator/roles.ts";
import { MAX_COUNTED } from "../../operator/shipment/count-queries.ts";
import { shipmentList } from "../../operator/shipment/list.ts";
import { webhookList } from "../../operator/webhook/list.ts";
import { contextOf } from "../context.ts";
import type { ConsoleContext } from "../environment.ts";
import { RowTable } from "../skin/content.tsx";
import type { PageByHand } from "../skin/read-page.tsx";
import { Columns } from "../ui/bars.tsx";

interface Work {
  href: string;
  /** That of those who do the work. */
  permission: Permission;
  /** The list at `href`, and those of its columns that say what waits, since when, and the amount. */
  first?: { list: AnyList; columns: readonly string[] };
}

const GIFT = ["gift", "name", "product"];

/** By what is counted. */
const WORK: Readonly<Record<keyof typeof HOME_FACTS, Work>> = {
  failed_emails: {
    href: "/email/list?status=unresolved",
    permission: "gifts",
    first: { list: emailList, columns: ["gift", "name", "status", "reason", "attempted"] },
  },
  to_ship: {
    href: "/shipment/list",
    permission: "shipments",
    first: { list: shipmentList, columns: [...GIFT, "ready"] },
  },
  late: { href: "/shipment/list?older_than=2d", permission: "shipments" },
  undelivered: {
    href: "/shipment/list?status=returned",
    permission: "shipments",
    first: { list: shipmentList, columns: [...GIFT, "shipped"] },
  },
  unpaid: {
    href: "/payment/list",
    permission: "money",
    first: { list: paymentList, columns: ["order", "client", "to_be_paid", "placed"] },
  },
  to_refund: {
    href: "/payment/list?show=to-be-refunded",
    permission: "money",
    first: { list: paymentList, columns: ["order", "client", "to_be_refunded", "placed"] },
  },
  low_accounts: {
    href: "/credit/list?low=yes",
    permission: "money",
    first: { list: creditList, columns: ["client", "balance", "alert_below"] },
  },
  low_codes: { href: "/code/list", permission: "stock" },
  expiring_codes: { href: "/code/list", permission: "stock" },
  failing_webhooks: {
    href: "/webhook/list?show=failing",
    permission: "webhooks",
    first: { list: webhookList, columns: ["webhook", "client", "failing_since", "waiting"] },
  },
  health: { href: "/health", permission: "catalogue" },
};

type Waiting = [name: string, work: Work];

/** First what the viewer's roles permit to do. Nothing that is zero or in order is shown. */
export const homePage: PageByHand = async ({ shape, content: { facts, lists } }, c) => {
  const all = Object.entries(WORK).filter(([name]) => isWaiting(facts[name] ?? null));
  const [own, others] = [true, false].map((isOwn) =>
    all.filter(([, { permission }]) => may(c.get("user"), permission) === isOwn),
  ) as [Waiting[], Waiting[]];
  const tables = await Promise.all(own.map(([, work]) => firstRows(c, work)));
  const labelOf = (name: string) => shape?.facts?.[name]?.label;
  const tiles = (items: Waiting[]) => (
    <ul class="tiles">
      {items.map(([name, { href }]) => (
        <li>
          <a href={href}>
            <Amount value={facts[name] ?? null} /> {labelOf(name)}
          </a>
        </li>
      ))}
    </ul>
  );
  const [, ...counts] = Object.entries(shape?.lists?.["days"]?.columns ?? {});
  const charts = counts.map(([name, { label }]) => {
    const values = (lists["days"] ?? []).map((day) => Number(day[name])).reverse();
    const text = (value: number) => value.toLocaleString("en");
    const today = `${text(values.at(-1) ?? 0)} today`;
    const total = values.reduce((sum, value) => sum + value, 0);
    const sum = `${text(total)} in 30 days, at most ${text(Math.max(...values))} a day`;
    return (
      <li>
        <a href={name === "failures" ? "/email/list" : "/report"}>
          <b>{today}</b> {label}
          <Columns label={`${label}: ${today}, ${sum}`} values={values} />
          <small>{sum}</small>
        </a>
      </li>
    );
  });
  const content = (
    <>
      <ul class="tiles charts">{charts}</ul>
      <p class="hint">
        The last 30 days in UTC. Accepted and shipped gifts are shown on the day of their order.
      </p>
      <h2>What waits</h2>
      {own.length > 0 ? tiles(own) : <p class="answer">Nothing waits for you.</p>}
      {own.map(
        ([name, { href }], index) =>
          tables[index] && (
            <>
              <h2>
                <a href={href}>{labelOf(name)}</a>
              </h2>
              {tables[index]}
            </>
          ),
      )}
      {others.length > 0 && (
        <>
          <h2>For others</h2>
          {tiles(others)}
        </>
      )}
    </>
  );
  return { title: "Home", content };
};

/** The first five rows of the list, with times as ages. */
async function firstRows(c: ConsoleContext, { href, first }: Work) {
  if (!first) return undefined;
  const { list, columns: names } = first;
  const query = Object.fromEntries(new URL(href, c.req.url).searchParams);
  const { rows } = await readList(contextOf(c), list, query, { after: undefined, limit: 5 });
  const isTime = (name: string) => KINDS[list.columns[name]?.type ?? "text"].isTime;
  const columns = Object.entries(list.columns)
    .filter(([name]) => names.includes(name))
    .map(([name, column]) => {
      // A sum of five rows would be taken for that of all.
      const shown = { ...column, hasSum: false };
      return [name, isTime(name) ? { ...shown, type: "text" as const } : shown] as const;
    });
  const aged = rows.map((row) =>
    Object.fromEntries(
      columns.map(([name]) => {
        const value = row[name] ?? null;
        const isAge = isTime(name) && typeof value === "string";
        return [name, isAge ? agoText(Date.parse(value), c.get("nowMs")) : value];
      }),
    ),
  );
  const shape = { title: list.title, columns: Object.fromEntries(columns) };
  return <RowTable list={shape} rows={aged} values={{}} />;
}

const isWaiting = (value: JsonValue) => (typeof value === "number" ? value > 0 : value !== "OK");

function Amount({ value }: { value: JsonValue }) {
  if (typeof value !== "number") return <strong>{value}</strong>;
  const text = Math.min(value, MAX_COUNTED).toLocaleString("en");
  return <b>{value > MAX_COUNTED ? `${text}+` : text}</b>;
}
