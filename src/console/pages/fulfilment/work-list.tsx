// The gifts to ship, and the pick list to download.
import { countryOf } from "../../../core/values/country.ts";
import { suborderId, suborderNumber } from "../../../core/values/ids.ts";
import { DAY_MS, formatDay } from "../../../core/values/time.ts";
import { recordReading } from "../../../operator/audit/reading.ts";
import { csvRow } from "../../../operator/files/csv-output.ts";
import { PICK_LIST_COLUMNS, pickListRow } from "../../../operator/fulfilment/pick-list.ts";
import {
  destinationOf,
  listOpen,
  readOpenPage,
  type WorkListFilter,
} from "../../../operator/fulfilment/work-list.ts";
import type { ListedGift, OpenPosition } from "../../../operator/fulfilment/work-list-queries.ts";
import type { GiftKey } from "../../../features/fulfilment/shipment.ts";
import { Refusal } from "../../../operator/refusal.ts";
import { formTokenOf } from "../../access/forms.ts";
import { may } from "../../../operator/roles.ts";
import { download } from "../../download.ts";
import type { ConsoleContext } from "../../environment.ts";
import type { SubmittedForm } from "../../router.ts";
import { SHIPMENTS } from "../../texts/shipments.ts";
import { Filters, Form, HiddenFields } from "../../ui/form.tsx";
import type { Page } from "../../ui/layout.tsx";
import { type Column, Table } from "../../ui/table.tsx";
import { Time } from "../../ui/values.tsx";
import { STEPS } from "./steps.ts";

const PAGE_GIFTS = 50;
const MAX_PICKED = 10_000;
export const PICK_LIST_PATH = "/shipments/pick-list";

const FILTERS = ["client", "vendor", "country", "age"] as const;
type FilterValues = Record<(typeof FILTERS)[number], string>;

const filterValues = (get: (name: string) => string | null | undefined) =>
  Object.fromEntries(FILTERS.map((name) => [name, get(name)?.trim() ?? ""])) as FilterValues;

function workListFilter({ client, vendor, country, age }: FilterValues, nowMs: number) {
  const days = /^\d{1,2}d$/.test(age) ? Number.parseInt(age, 10) : 0;
  return {
    clientId: client || null,
    vendor: vendor || null,
    country: country === "" ? null : (countryOf(country) ?? country),
    readyUntilMs: days > 0 ? nowMs - days * DAY_MS : null,
    catalogueId: null,
    delivery: null,
  } satisfies WorkListFilter;
}

const { columns, filters, pickList } = SHIPMENTS;

const numberOf = ({ orderId, sequence }: GiftKey) => suborderNumber(orderId, sequence);

const cursorOf = ({ clientId, orderedAtMs, orderId, sequence }: OpenPosition) =>
  [clientId, orderedAtMs, orderId, sequence].join("~");

function positionOf(text: string): OpenPosition | undefined {
  const [clientId = "", orderedAtMs, orderId, sequence] = text.split("~");
  if (sequence === undefined) return undefined;
  return {
    clientId,
    orderedAtMs: Number(orderedAtMs) || 0,
    orderId: Number(orderId) || 0,
    sequence: Number(sequence) || 0,
  };
}

export async function workListPage(c: ConsoleContext): Promise<Page> {
  const values = filterValues((name) => c.req.query(name));
  const after = positionOf(c.req.query("after") ?? "");
  const filter = workListFilter(values, c.get("nowMs"));
  const { gifts, hasMore } = await readOpenPage(c.env.DB, filter, { after, limit: PAGE_GIFTS });
  const last = hasMore ? gifts.at(-1) : undefined;
  const mayShip = may(c.get("user"), "shipments");
  const content = (
    <>
      <Filters
        fields={[
          { name: "client", type: "text", label: filters.client, value: values.client },
          { name: "vendor", type: "text", label: filters.vendor, value: values.vendor },
          { name: "country", type: "text", label: filters.country, value: values.country },
          {
            name: "age",
            type: "select",
            label: filters.age,
            options: SHIPMENTS.ages,
            value: values.age,
          },
        ]}
      />
      <Table
        caption={SHIPMENTS.caption}
        rows={gifts}
        columns={mayShip ? [...COLUMNS, SHIP] : COLUMNS}
        empty={SHIPMENTS.empty}
        next={last ? cursorOf(last) : null}
      />
      {mayShip && (
        <>
          <h2>{pickList.heading}</h2>
          <p>{pickList.text}</p>
          <Form
            action={PICK_LIST_PATH}
            token={await formTokenOf(c, PICK_LIST_PATH)}
            submit={pickList.submit}
          >
            <HiddenFields values={values} />
          </Form>
          <h2>{SHIPMENTS.files}</h2>
          <ul class="actions">
            {STEPS.map((step) => (
              <li>
                <a href={`/shipments/${step}`}>{SHIPMENTS.steps[step].fileTitle}</a>
              </li>
            ))}
          </ul>
        </>
      )}
    </>
  );
  return { title: SHIPMENTS.title, content };
}

const COLUMNS: Column<ListedGift>[] = [
  {
    label: columns.gift,
    cell: (gift) => <a href={`/gift/show?gift=${numberOf(gift)}`}>{numberOf(gift)}</a>,
    sortBy: ({ orderId, sequence }) => suborderId(orderId, sequence),
  },
  {
    label: columns.client,
    cell: ({ clientId }) => clientId,
    sortBy: ({ clientId }) => clientId,
  },
  {
    label: columns.product,
    cell: ({ productName, variation }) =>
      [productName, ...(variation?.options ?? []).map(({ option }) => option)].join(", "),
    sortBy: ({ productName }) => productName,
  },
  { label: columns.vendor, cell: ({ vendor }) => vendor, sortBy: ({ vendor }) => vendor },
  {
    label: columns.country,
    cell: (gift) =>
      gift.delivery === "digital"
        ? `${destinationOf(gift)} (${SHIPMENTS.digital})`
        : destinationOf(gift),
    sortBy: destinationOf,
  },
  {
    label: columns.ready,
    cell: ({ readyAtMs }) => <Time ms={readyAtMs} />,
    sortBy: ({ readyAtMs }) => readyAtMs,
  },
];

const SHIP: Column<ListedGift> = {
  label: columns.action,
  cell: (gift) => (
    <a href={`/gifts/${numberOf(gift)}/ship`} aria-label={`${SHIPMENTS.ship} ${numberOf(gift)}`}>
      {SHIPMENTS.ship}
    </a>
  ),
};

/** The addresses of all gifts that match, as CSV. Each gift gets an entry in the audit log. Errors: `Refusal`. */
export async function downloadPickList(
  c: ConsoleContext,
  { values }: SubmittedForm,
): Promise<Response> {
  const nowMs = c.get("nowMs");
  const filter = workListFilter(
    filterValues((name) => values[name]),
    nowMs,
  );
  const gifts: ListedGift[] = [];
  for await (const chunk of listOpen(c.env.DB, filter)) {
    gifts.push(...chunk);
    if (gifts.length > MAX_PICKED)
      throw new Refusal(pickList.tooLong(MAX_PICKED.toLocaleString("en")));
  }
  await recordReading(c.env.DB, {
    actor: c.get("user").name,
    action: "shipment list",
    reason: null,
    nowMs,
    requestId: c.get("requestId"),
    subjects: {
      type: "gift",
      keys: gifts.map(({ orderId, sequence }) => suborderId(orderId, sequence)),
    },
    state: { pickList: "csv" },
  });
  const rows = gifts
    .map(pickListRow)
    .map((row) => csvRow(PICK_LIST_COLUMNS.map((name) => row[name])));
  const csv = [csvRow(PICK_LIST_COLUMNS), ...rows].join("");
  return download(`to-ship-${formatDay(nowMs)}.csv`, "text/csv", csv);
}
