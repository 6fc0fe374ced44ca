// The unpaid orders, and the pages that record payments and refunds.
import * as z from "zod/mini";
import { validationError } from "../../../core/api-error.ts";
import { optional, requiredText } from "../../../core/validation/fields.ts";
import { validate } from "../../../core/validation/validate.ts";
import { orderNumber, parseNumber } from "../../../core/values/ids.ts";
import { namedOrders, type PaymentRow } from "../../../operator/lifecycle/check-payments.ts";
import { MAX_REFERENCE } from "../../../operator/lifecycle/payment-file.ts";
import {
  type PaymentsChange,
  paymentsChange,
  resultOf,
} from "../../../operator/lifecycle/pay-orders.ts";
import { REFUND_ORDER } from "../../../operator/lifecycle/refund-order.ts";
import {
  listUnpaid,
  type UnpaidOrder,
  type UnpaidPosition,
} from "../../../operator/orders/unpaid-queries.ts";
import { Refusal } from "../../../operator/refusal.ts";
import { formTokenOf } from "../../access/forms.ts";
import { may } from "../../../operator/roles.ts";
import type { ActionOf } from "../../actions/action.ts";
import type { ConsoleContext } from "../../environment.ts";
import { PAYMENTS } from "../../texts/payments.ts";
import { type Field, FieldInput, Filters, Form } from "../../ui/form.tsx";
import type { Page } from "../../ui/layout.tsx";
import { type Column, Table } from "../../ui/table.tsx";
import { moneyColumn, Time } from "../../ui/values.tsx";
import { orderIdOf, orderTarget } from "../orders/order-target.ts";

const PAGE_ORDERS = 50;
/** The orders that one request pays. */
const MAX_PAID = 500;
const PAY_PATH = "/payments/pay";
const { columns, pay, refund } = PAYMENTS;

export async function unpaidPage(c: ConsoleContext): Promise<Page> {
  const clientId = c.req.query("client")?.trim() || null;
  const rows = await listUnpaid(c.env.DB, {
    clientId,
    after: positionOf(c.req.query("after") ?? ""),
    limit: PAGE_ORDERS + 1,
  });
  const orders = rows.slice(0, PAGE_ORDERS);
  const last = rows.length > PAGE_ORDERS ? orders.at(-1) : undefined;
  const mayPay = may(c.get("user"), "money");
  const table = (
    <Table
      caption={PAYMENTS.caption}
      rows={orders}
      columns={mayPay ? [SELECT, ...COLUMNS] : COLUMNS}
      empty={PAYMENTS.empty}
      next={last ? cursorOf(last) : null}
    />
  );
  const content = (
    <>
      <Filters
        fields={[{ name: "client", type: "text", label: PAYMENTS.client, value: clientId }]}
      />
      {mayPay && orders.length > 0 ? (
        <Form action={PAY_PATH} token={await formTokenOf(c, PAY_PATH)} submit={PAYMENTS.selected}>
          {table}
          <FieldInput field={REFERENCE} error={undefined} />
        </Form>
      ) : (
        table
      )}
    </>
  );
  return { title: PAYMENTS.title, content };
}

/** The position in a URL. It contains no reference of a client. */
const cursorOf = ({ clientId, giftOrderMethod, createdAtMs, id }: UnpaidPosition) =>
  [clientId, giftOrderMethod, createdAtMs, id].join("~");

function positionOf(text: string): UnpaidPosition | null {
  const [clientId = "", method, createdAtMs, id] = text.split("~");
  if (id === undefined) return null;
  const giftOrderMethod = method as UnpaidPosition["giftOrderMethod"];
  return { clientId, giftOrderMethod, createdAtMs: Number(createdAtMs) || 0, id: Number(id) || 0 };
}

const SELECT: Column<UnpaidOrder> = {
  label: columns.select,
  cell: ({ id }) => (
    <input
      type="checkbox"
      name="order"
      value={orderNumber(id)}
      aria-label={PAYMENTS.select(orderNumber(id))}
    />
  ),
};

const COLUMNS: Column<UnpaidOrder>[] = [
  {
    label: columns.order,
    cell: ({ id }) => <a href={`/orders/${orderNumber(id)}`}>{orderNumber(id)}</a>,
    sortBy: ({ id }) => id,
  },
  { label: columns.client, cell: ({ clientId }) => clientId },
  { label: columns.reference, cell: ({ orderRefId }) => orderRefId },
  {
    label: columns.placed,
    cell: ({ createdAtMs }) => <Time ms={createdAtMs} />,
    sortBy: ({ createdAtMs }) => createdAtMs,
  },
  { label: columns.gifts, cell: ({ qty }) => qty, isNumber: true },
  moneyColumn(columns.owed, ({ owedMinor: minor, currency }) => ({ minor, currency })),
];

const REFERENCE: Field = {
  name: "reference",
  type: "text",
  label: PAYMENTS.reference,
  hint: PAYMENTS.referenceHint,
};

const OptionalReference = z.object({ reference: optional(requiredText(MAX_REFERENCE)) });

const referenceIn = ({ reference }: Record<string, string>) =>
  validate(OptionalReference, { reference: reference || null }).reference ?? null;

const Rows = ({ caption, rows }: { caption: string; rows: readonly PaymentRow[] }) => (
  <Table
    caption={caption}
    rows={rows}
    empty=""
    columns={[
      { label: columns.order, cell: ({ order }) => <a href={`/orders/${order}`}>{order}</a> },
      { label: columns.client, cell: ({ client }) => client },
      { label: columns.owed, cell: ({ amount }) => amount, isNumber: true },
      { label: PAYMENTS.reference, cell: ({ reference }) => reference },
      { label: columns.result, cell: ({ result }) => result },
      { label: columns.reason, cell: ({ reason }) => reason },
    ]}
  />
);

const paying = {
  permission: "money",
  change: paymentsChange(),
  title: pay.title,
  preview: ({ payable }) => (
    <Rows caption={pay.planned} rows={payable.map((each) => resultOf(each, "paid"))} />
  ),
  done: (rows) => <Rows caption={pay.done} rows={rows} />,
} satisfies Partial<ActionOf<PaymentsChange>>;

/** Several orders, which one transfer has paid. */
export const payOrders: ActionOf<PaymentsChange> = {
  ...paying,
  target: () => ({ name: PAYMENTS.title, href: "/payments", isList: true }),
  fields: () => [
    {
      name: "order",
      type: "textarea",
      required: true,
      label: PAYMENTS.orders,
      hint: PAYMENTS.ordersHint,
    },
    REFERENCE,
  ],
  input: ({ values }) => {
    const texts = (values["order"] ?? "").split(/[\s,;]+/).filter((text) => text !== "");
    const named = texts.map((text) => parseNumber(text));
    const bad = texts.find((_, n) => named[n]?.sequence !== null);
    if (texts.length === 0 || bad !== undefined) {
      throw validationError([{ field: "order", message: PAYMENTS.badOrder(bad ?? "") }]);
    }
    if (texts.length > MAX_PAID) {
      throw new Refusal(PAYMENTS.tooMany(texts.length.toLocaleString("en"), MAX_PAID));
    }
    const ids = named.map((each) => each?.orderId ?? 0);
    return { ...namedOrders(ids), reference: referenceIn(values) };
  },
};

export const payOrder: ActionOf<PaymentsChange> = {
  ...paying,
  target: orderTarget,
  fields: () => [REFERENCE],
  input: ({ values }, c) => ({ ...namedOrders([orderIdOf(c)]), reference: referenceIn(values) }),
};

export const refundOrder: ActionOf<typeof REFUND_ORDER> = {
  permission: "money",
  change: REFUND_ORDER,
  title: refund.title,
  isFinal: true,
  target: orderTarget,
  fields: () => [{ ...REFERENCE, hint: refund.hint, required: true }],
  input: ({ values }, c) => {
    const Reference = z.object({ reference: requiredText(MAX_REFERENCE) });
    const { reference } = validate(Reference, values);
    return { orderId: orderIdOf(c), reference, reason: values["reason"] ?? null };
  },
  done: ({ order, refunded }) => refund.done(order, refunded),
};
