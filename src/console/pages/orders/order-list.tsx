// The list of orders.
import { orderNumber } from "../../../core/values/ids.ts";
import { ORDER_METHODS, ORDER_STATUSES } from "../../../features/orders/order.ts";
import { statusLabel } from "../../../features/orders/status-label.ts";
import { listOrders, type OrderFilter } from "../../../operator/orders/queries.ts";
import type { ConsoleContext } from "../../environment.ts";
import { COMMON } from "../../texts/common.ts";
import { ORDERS } from "../../texts/orders.ts";
import { Filters } from "../../ui/form.tsx";
import type { Page } from "../../ui/layout.tsx";
import { Table } from "../../ui/table.tsx";
import { Money, Time } from "../../ui/values.tsx";
import { dayMs, oneOf, optionsOf } from "./filters.ts";
import { ColouredStatus } from "./shown.tsx";

const LIMIT = 50;

/** One round trip. */
export async function orderList(c: ConsoleContext): Promise<Page> {
  const { client = "", since, until, ...query } = c.req.query();
  const status = oneOf(ORDER_STATUSES, query["status"]);
  const method = oneOf(ORDER_METHODS, query["method"]);
  // One order after the page shows that more follow.
  const found = await listOrders(c.env.DB, {
    clientId: client || undefined,
    status: status ?? undefined,
    method: method ?? undefined,
    sinceMs: dayMs(since) ?? undefined,
    untilMs: dayMs(until) ?? undefined,
    after: positionOf(query["after"]),
    limit: LIMIT + 1,
  });
  const orders = found.slice(0, LIMIT);
  const last = found.length > LIMIT ? orders.at(-1) : undefined;
  const after = last ? `${String(last.createdAtMs)}-${String(last.id)}` : null;
  return {
    title: ORDERS.title,
    content: (
      <>
        <Filters
          fields={[
            { name: "client", type: "text", label: ORDERS.client, value: client },
            {
              name: "status",
              type: "select",
              label: ORDERS.status,
              value: status,
              options: optionsOf(COMMON.all, ORDER_STATUSES, statusLabel),
            },
            {
              name: "method",
              type: "select",
              label: ORDERS.method,
              value: method,
              options: optionsOf(COMMON.all, ORDER_METHODS),
            },
            { name: "since", type: "date", label: ORDERS.since, value: since ?? null },
            { name: "until", type: "date", label: ORDERS.until, value: until ?? null },
          ]}
        />
        <Table
          caption={client ? ORDERS.caption : ORDERS.captionAll}
          rows={orders}
          empty={ORDERS.empty}
          next={after}
          columns={[
            {
              label: ORDERS.order,
              cell: ({ id }) => <a href={`/orders/${orderNumber(id)}`}>{orderNumber(id)}</a>,
              sortBy: ({ id }) => id,
            },
            {
              label: ORDERS.placed,
              cell: ({ createdAtMs }) => <Time ms={createdAtMs} />,
              sortBy: ({ createdAtMs }) => createdAtMs,
            },
            {
              label: ORDERS.client,
              cell: ({ clientId }) => clientId,
              sortBy: ({ clientId }) => clientId,
            },
            { label: ORDERS.reference, cell: ({ orderRefId }) => orderRefId },
            { label: ORDERS.method, cell: ({ giftOrderMethod }) => giftOrderMethod },
            {
              label: ORDERS.status,
              cell: (order) => <ColouredStatus text={statusLabel(order.status)} />,
              sortBy: (order) => statusLabel(order.status),
            },
            { label: ORDERS.quantity, isNumber: true, cell: ({ qty }) => qty },
            {
              label: ORDERS.total,
              isNumber: true,
              cell: ({ orderTotalMinor, currency }) => (
                <Money minor={orderTotalMinor} currency={currency} />
              ),
            },
          ]}
        />
      </>
    ),
  };
}

function positionOf(after = ""): OrderFilter["after"] {
  const [, createdAtMs, id] = /^(-?\d{1,16})-(\d{1,16})$/.exec(after) ?? [];
  return id === undefined ? undefined : { createdAtMs: Number(createdAtMs), id: Number(id) };
}
