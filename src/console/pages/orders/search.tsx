// The search for orders and gifts. It is a POST, because a text may be personal data or a gift link.
import * as z from "zod/mini";
import { ApiError } from "../../../core/api-error.ts";
import { day } from "../../../core/validation/fields.ts";
import { validate } from "../../../core/validation/validate.ts";
import { orderNumber, suborderId, suborderNumber } from "../../../core/values/ids.ts";
import { parseUtc } from "../../../core/values/time.ts";
import { operatorsStateOf } from "../../../features/lifecycle/gift-state.ts";
import { statusLabel } from "../../../features/orders/status-label.ts";
import { recordReading } from "../../../operator/audit/reading.ts";
import { find, type Found, recognise } from "../../../operator/orders/find.ts";
import type { FoundGift } from "../../../operator/orders/find-queries.ts";
import { Refusal } from "../../../operator/refusal.ts";
import type { ConsoleContext } from "../../environment.ts";
import { respond } from "../../respond.tsx";
import type { SubmittedForm } from "../../router.ts";
import { SEARCH } from "../../texts/search.ts";
import { ErrorMessage, type Field, type FieldErrors, FieldInput, Form } from "../../ui/form.tsx";
import type { Page } from "../../ui/layout.tsx";
import { Table } from "../../ui/table.tsx";
import { EmailAddress, Time } from "../../ui/values.tsx";
import { useView } from "../../ui/view.tsx";
import { hrefOfGift } from "./order-page.tsx";
import { readerOf } from "./reader.ts";
import { ColouredStatus } from "./shown.tsx";

const LIMIT = 50;

export const searchPage = (): Page => ({ title: SEARCH.title, content: <SearchForm /> });

/** At most 13 round trips. */
export async function search(c: ConsoleContext, form: SubmittedForm): Promise<Response> {
  const { values } = form;
  const { text = "" } = values;
  try {
    const { client, ...period } = validate(Search, values);
    const found = await find(c.env, text, {
      by: null,
      clientId: client || null,
      fromMs: parseUtc(period.since) ?? Number.MIN_SAFE_INTEGER,
      untilMs: parseUtc(period.until) ?? Number.MAX_SAFE_INTEGER,
      limit: LIMIT,
    });
    const href = hrefOf(text, found);
    if (href !== null) return c.redirect(href, 303);
    await record(c, found);
    return await respond(c, resultPage(values, found));
  } catch (error) {
    if (error instanceof Refusal) {
      return respond(c, messagePage(values, {}, error.message), 409);
    }
    if (!(error instanceof ApiError) || error.fields === undefined) throw error;
    const errors = Object.fromEntries(error.fields.map(({ field, message }) => [field, message]));
    return respond(c, messagePage(values, errors, null), 422);
  }
}

const optionalDay = () => z.catch(z.union([z.literal(""), day()]), "");

const Search = z.object({
  text: z.string().check(z.minLength(1, SEARCH.required), z.maxLength(500)),
  client: z._default(z.string(), ""),
  since: optionalDay(),
  until: optionalDay(),
});

/** The page of the only order or gift that is exactly what the text names. Null for a list. */
function hrefOf(text: string, { gifts, isExact }: Found): string | null {
  const [first] = gifts;
  if (!first || !isExact || gifts.some(({ orderId }) => orderId !== first.orderId)) return null;
  const { orderId, sequence } = first;
  const isGift =
    sequence !== null &&
    gifts.length === 1 &&
    recognise(text).ids.includes(suborderId(orderId, sequence));
  return isGift ? hrefOfGift(orderId, sequence) : `/orders/${orderNumber(orderId)}`;
}

/** Records which gifts the list shows, without the text. */
async function record(c: ConsoleContext, { gifts, isExact }: Found) {
  const keys = gifts.flatMap(({ orderId, sequence }) =>
    sequence === null ? [] : [suborderId(orderId, sequence)],
  );
  if (keys.length === 0) return;
  await recordReading(c.env.DB, {
    ...readerOf(c),
    action: "order find",
    reason: null,
    subjects: { type: "gift", keys },
    state: { searchedBy: isExact ? "number or reference" : "words" },
  });
}

type Values = SubmittedForm["values"];

const messagePage = (values: Values, errors: FieldErrors, message: string | null): Page => ({
  title: SEARCH.title,
  content: (
    <>
      {message !== null && <ErrorMessage text={message} />}
      <SearchForm values={values} errors={errors} />
    </>
  ),
});

const resultPage = (values: Values, { gifts, complete, notes }: Found): Page => ({
  title: SEARCH.title,
  content: (
    <>
      {notes.map((note) => (
        <p>{note}</p>
      ))}
      {!complete && (
        <div role="status" class="warning">
          <p>{SEARCH.incomplete}</p>
        </div>
      )}
      <FoundGifts gifts={gifts} />
      <h2>{SEARCH.narrow}</h2>
      <SearchForm values={values} />
    </>
  ),
});

function SearchForm({ values = {}, errors = {} }: { values?: Values; errors?: FieldErrors }) {
  const { searchToken } = useView();
  const fields: Field[] = [
    { name: "text", type: "text", label: SEARCH.text, hint: SEARCH.hint, required: true },
    { name: "client", type: "text", label: SEARCH.client },
    { name: "since", type: "date", label: SEARCH.since },
    { name: "until", type: "date", label: SEARCH.until },
  ];
  return (
    <Form action="/search" token={searchToken} submit={SEARCH.submit}>
      {fields.map((field) => (
        <FieldInput
          field={{ ...field, value: values[field.name] ?? null } as Field}
          error={errors[field.name]}
        />
      ))}
    </Form>
  );
}

function FoundGifts({ gifts }: { gifts: readonly FoundGift[] }) {
  const { nowMs } = useView();
  return (
    <Table
      caption={SEARCH.caption}
      rows={gifts}
      empty={SEARCH.empty}
      columns={[
        {
          label: SEARCH.gift,
          cell: ({ orderId, sequence }) =>
            sequence === null ? (
              <a href={`/orders/${orderNumber(orderId)}`}>{orderNumber(orderId)}</a>
            ) : (
              <a href={`/gifts/${suborderNumber(orderId, sequence)}`}>
                {suborderNumber(orderId, sequence)}
              </a>
            ),
        },
        { label: SEARCH.clientColumn, cell: ({ clientId }) => clientId },
        { label: SEARCH.reference, cell: ({ orderRefId }) => orderRefId },
        {
          label: SEARCH.recipient,
          cell: ({ firstName, lastName }) => `${firstName ?? ""} ${lastName ?? ""}`,
        },
        {
          label: SEARCH.email,
          cell: ({ email, deliveryEmail }) => <EmailAddress text={deliveryEmail ?? email ?? ""} />,
        },
        {
          label: SEARCH.orderStatus,
          cell: ({ orderStatus }) => <ColouredStatus text={statusLabel(orderStatus)} />,
        },
        {
          label: SEARCH.giftStatus,
          cell: ({ linkGeneration, ...gift }) =>
            linkGeneration !== null && (
              <ColouredStatus text={operatorsStateOf({ ...gift, linkGeneration }, nowMs)} />
            ),
        },
        { label: SEARCH.placed, cell: ({ createdAtMs }) => <Time ms={createdAtMs} /> },
      ]}
    />
  );
}
