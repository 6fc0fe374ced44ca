// A client's credit accounts and their entries, and the pages that book credit and set alerts.
import * as z from "zod/mini";
import { validationError } from "../../../core/api-error.ts";
import { currencyCode, optional, requiredText } from "../../../core/validation/fields.ts";
import { validate } from "../../../core/validation/validate.ts";
import { orderNumber } from "../../../core/values/ids.ts";
import type { Currency } from "../../../core/values/iso.ts";
import {
  amountRule,
  amountWithCode,
  formatAmount,
  MAX_BALANCE_MINOR,
  parseAmount,
} from "../../../core/values/money.ts";
import { ADD_CREDIT, SET_CREDIT_ALERT } from "../../../operator/credit/change-credit.ts";
import { listAccounts, listEntries } from "../../../operator/credit/queries.ts";
import { may } from "../../../operator/roles.ts";
import type { ActionOf } from "../../actions/action.ts";
import type { ConsoleContext } from "../../environment.ts";
import { CREDIT } from "../../texts/credit.ts";
import type { Page } from "../../ui/layout.tsx";
import { Table } from "../../ui/table.tsx";
import { moneyColumn, Time } from "../../ui/values.tsx";
import { clientIdOf, clientTarget, findClient } from "./client-target.ts";

const PAGE_ENTRIES = 50;
type CreditAccount = Awaited<ReturnType<typeof listAccounts>>[number];
type CreditEntry = Awaited<ReturnType<typeof listEntries>>[number];
const { columns, fields, add, alert } = CREDIT;

export async function creditPage(c: ConsoleContext): Promise<Page> {
  const clientId = clientIdOf(c);
  const [client, accounts] = await Promise.all([findClient(c), listAccounts(c.env.DB, clientId)]);
  const given = currencyCode().safeParse(c.req.query("currency")).data;
  const currency = given ?? client.defaultCurrency;
  const before = Number(c.req.query("after")) || undefined;
  const limit = PAGE_ENTRIES + 1;
  const rows = await listEntries(c.env.DB, clientId, currency, { limit, before });
  const entries = rows.slice(0, PAGE_ENTRIES);
  const last = rows.length > PAGE_ENTRIES ? entries.at(-1) : undefined;
  const path = `/clients/${clientId}/credit`;
  const content = (
    <>
      {may(c.get("user"), "money") && (
        <ul class="actions">
          <li>
            <a href={`${path}/add?currency=${currency}`}>{add.title}</a>
          </li>
          {accounts.length > 0 && (
            <li>
              <a href={`${path}/alert?currency=${currency}`}>{alert.title}</a>
            </li>
          )}
        </ul>
      )}
      <Table
        caption={CREDIT.accounts}
        rows={accounts}
        empty={CREDIT.none}
        columns={[
          {
            label: columns.currency,
            cell: (each) => <a href={`${path}?currency=${each.currency}`}>{each.currency}</a>,
          },
          moneyColumn<CreditAccount>(columns.balance, ({ balanceMinor: minor, currency }) => ({
            minor,
            currency,
          })),
          moneyColumn<CreditAccount>(columns.alert, ({ alertBelowMinor: minor, currency }) => ({
            minor,
            currency,
          })),
        ]}
      />
      {accounts.some((each) => each.currency === currency) && (
        <Table
          caption={CREDIT.ledger(currency)}
          rows={entries}
          empty={CREDIT.empty}
          next={last ? String(last.sequence) : null}
          columns={[
            { label: columns.entry, cell: ({ sequence }) => sequence, isNumber: true },
            { label: columns.date, cell: ({ createdAtMs }) => <Time ms={createdAtMs} /> },
            { label: columns.kind, cell: ({ kind }) => kind },
            moneyColumn<CreditEntry>(columns.amount, ({ amountMinor: minor }) => ({
              minor,
              currency,
            })),
            moneyColumn<CreditEntry>(columns.after, ({ balanceMinor: minor }) => ({
              minor,
              currency,
            })),
            {
              label: columns.reference,
              cell: ({ orderId, reference }) =>
                orderId === null ? (
                  reference
                ) : (
                  <a href={`/order/show?order=${orderNumber(orderId)}`}>{orderNumber(orderId)}</a>
                ),
            },
            { label: columns.note, cell: ({ note }) => note },
          ]}
        />
      )}
    </>
  );
  return { title: CREDIT.title(clientId), parent: clientTarget(c), content };
}

const creditTarget = (c: ConsoleContext) => {
  const name = clientIdOf(c);
  return { name, href: `/clients/${name}/credit` };
};

/** The currency of the link, or that of the client. */
const currencyField = async (c: ConsoleContext) => ({
  name: "currency",
  type: "text" as const,
  label: fields.currency,
  required: true,
  value: c.req.query("currency") ?? (await findClient(c)).defaultCurrency,
});

/** Errors: `validation_error` with the field's name. */
function amountOf(field: string, text: string, currency: Currency): number {
  const minor = parseAmount(text, currency);
  const message =
    minor === undefined || minor > MAX_BALANCE_MINOR
      ? amountRule(text, currency)
      : minor === 0
        ? fields.zero
        : null;
  if (minor === undefined || message !== null) {
    throw validationError([{ field, message: message ?? "" }]);
  }
  return minor;
}

const currencyIn = ({ currency = "" }: Record<string, string>) =>
  validate(z.object({ currency: currencyCode() }), { currency: currency.toUpperCase() }).currency;

const Booking = z.object({
  amount: requiredText(30),
  reference: requiredText(100),
  note: optional(requiredText(1_000)),
});

export const addCredit: ActionOf<typeof ADD_CREDIT> = {
  permission: "money",
  change: ADD_CREDIT,
  title: add.title,
  target: creditTarget,
  fields: async (c) => [
    await currencyField(c),
    {
      name: "amount",
      type: "text",
      label: fields.amount,
      hint: fields.amountHint,
      required: true,
    },
    {
      name: "reference",
      type: "text",
      label: fields.reference,
      hint: fields.referenceHint,
      required: true,
    },
    { name: "note", type: "textarea", label: fields.note },
  ],
  input: ({ values }, c) => {
    const currency = currencyIn(values);
    const {
      amount,
      reference,
      note = null,
    } = validate(Booking, {
      ...values,
      note: values["note"] || null,
    });
    const minor = amountOf("amount", amount.replace(/^[-\u2212]/, ""), currency);
    const amountMinor = /^\d/.test(amount) ? minor : -minor;
    return { clientId: clientIdOf(c), currency, amountIn: () => amountMinor, reference, note };
  },
  preview: ({ similar, booking, description }) =>
    description === null ? (
      <p>{add.repeated(booking.reference)}</p>
    ) : (
      similar.length > 0 && (
        <div role="status" class="warning">
          <p>
            {add.similar} {similar.join(", ")}
          </p>
        </div>
      )
    ),
  done: ({ booked, amountMinor, balanceMinor, currency, reference }) =>
    booked
      ? add.done(amountWithCode(amountMinor, currency), amountWithCode(balanceMinor, currency))
      : add.repeated(reference),
};

export const setCreditAlert: ActionOf<typeof SET_CREDIT_ALERT> = {
  permission: "money",
  change: SET_CREDIT_ALERT,
  title: alert.title,
  target: creditTarget,
  fields: async (c) => {
    const currency = await currencyField(c);
    const accounts = await listAccounts(c.env.DB, clientIdOf(c));
    const present = accounts.find((each) => each.currency === currency.value);
    const below = present?.alertBelowMinor ?? null;
    return [
      currency,
      {
        name: "below",
        type: "text",
        label: fields.below,
        hint: fields.belowHint,
        value: below === null || !present ? null : formatAmount(below, present.currency),
      },
    ];
  },
  input: ({ values }, c) => {
    const currency = currencyIn(values);
    const text = values["below"] ?? "";
    const below = text === "" ? null : amountOf("below", text, currency);
    return { clientId: clientIdOf(c), currency, belowIn: () => below };
  },
  done: ({ alertBelowMinor, currency }) =>
    alertBelowMinor === null ? alert.off : alert.on(amountWithCode(alertBelowMinor, currency)),
};
