// The pages of lists and views.
import type { Child } from "hono/jsx";
import { ApiError } from "../../core/api-error.ts";
import type { AnyList, AnyView } from "../../operator/declaration/declare.ts";
import { readList, readView } from "../../operator/declaration/execute.ts";
import {
  type FieldInfo,
  type Fields,
  type JsonValue,
  KINDS,
} from "../../operator/declaration/kinds.ts";
import { textOf } from "../../operator/declaration/show.ts";
import { wordsOf } from "../../operator/words.ts";
import { csvResponse } from "../api/csv.ts";
import type { CsvFormat } from "../../core/csv-output.ts";
import { formTokenOf } from "../access/forms.ts";
import { contextOf } from "../context.ts";
import type { ConsoleContext } from "../environment.ts";
import { pageResponse } from "../respond.tsx";
import { COMMON } from "../texts/common.ts";
import { type FieldErrors, Filters, Form, HiddenFields } from "../ui/form.tsx";
import type { ConsolePage } from "../ui/layout.tsx";
import { type ContentProps, ContentView, hrefOfAll, RowTable, Warnings } from "./content.tsx";
import { formFields, inTimeZone, queryTexts, type FormTexts } from "./form-fields.ts";
import { argumentsOf, operationsOf, pagePath, parentOf, selectedBy, viewHref } from "./paths.ts";
import { objectsFor, suggestionsOf } from "./suggestions.tsx";

const ROWS_PER_PAGE = 50;

/** The rows of a filter that are selected at once, of which changes accept as many. */
const MAX_SELECTED = 500;

/** How many pages a list can go back. */
const MAX_EARLIER = 50;

export interface ShownPageQuery {
  after?: string | undefined;
  /** The positions of the pages before this one, in lines. The first page has an empty one. */
  earlier?: string | undefined;
  format?: string | undefined;
  /** The name of a change for all rows of the filter. */
  all?: string | undefined;
}

/** A list. Its filters are in the page's address, or in a form if they are personal data. */
export async function listPage(
  c: ConsoleContext,
  list: AnyList,
  texts: FormTexts = queryTexts(new URL(c.req.url).searchParams, list),
  { after = "", earlier, format, all }: ShownPageQuery = c.req.query(),
): Promise<Response> {
  const input = inTimeZone(list.input, texts, c.get("timeZone"));
  if (format === "csv" || format === "excel") {
    // Invalid fields are shown in the page.
    const { value: file } = await orErrors(list, texts, () =>
      csvResponse(c, list, input, undefined, format),
    );
    if (file) return file;
  }
  const [change] = list.rowActions?.includes(all ?? "")
    ? operationsOf(all ?? "", c.get("user"))
    : [];
  if (change) {
    const page = { after: undefined, limit: MAX_SELECTED };
    const { rows } = await readList(contextOf(c), list, input, page);
    return c.redirect(hrefOfAll(change, list.columns, rows) ?? pagePath(list), 303);
  }
  const read = () =>
    readList(contextOf(c), list, input, { after: after || undefined, limit: ROWS_PER_PAGE });
  const [{ value: page, errors }, objects] = await Promise.all([
    orErrors(list, texts, read),
    objectsFor(c, list.input),
  ]);
  const href = page?.only && viewHref(page.only.type, page.only.name, c.get("user"));
  if (href) return c.redirect(href, 303);
  const tabs = Object.entries(list.input).filter(([, { isTabs }]) => isTabs);
  const filters = Object.fromEntries(Object.entries(list.input).filter(([, each]) => !each.isTabs));
  // Personal data must not be part of a URL, and a time may belong to one tab only.
  const kept = Object.fromEntries(
    Object.entries(list.isPersonal ? {} : texts).filter(
      ([name]) => !KINDS[list.input[name]?.type ?? "text"].isTime,
    ),
  );
  const token = list.isPersonal ? await formTokenOf(c, pagePath(list)) : undefined;
  /** The same filters with other values, as a form. */
  const again = (submit: string, values: Record<string, string>) => (
    <Form action={pagePath(list)} token={token ?? ""} submit={submit} look="quiet">
      <HiddenFields values={{ ...texts, ...values }} />
    </Form>
  );
  const address = new URL(c.req.url).searchParams;
  const before = after === "" ? [] : (earlier ?? "").split("\n");
  const turnTo = (text: string, position: string, positions: readonly string[]) => {
    const turned = { after: position, earlier: positions.slice(-MAX_EARLIER).join("\n") };
    if (list.isPersonal) return again(text, turned);
    const query = new URLSearchParams(address);
    for (const [name, value] of Object.entries(turned)) query.set(name, value);
    return (
      <a class="button quiet" href={`?${query.toString()}`}>
        {text}
      </a>
    );
  };
  const download = (format: CsvFormat) =>
    list.isPersonal ? (
      again(COMMON[format], { format })
    ) : (
      <a
        class="button quiet"
        href={`?${new URLSearchParams([...address, ["format", format]]).toString()}`}
      >
        {COMMON[format]}
      </a>
    );
  const query = `?${new URLSearchParams(texts).toString()}`;
  const { title, description, columns, empty } = list;
  const offered = (names: readonly string[] = []) =>
    names.filter((name) => page?.actions.includes(name));
  const actions = { actions: offered(list.actions), rowActions: offered(list.rowActions) };
  const shape = { title, columns, ...(empty && { empty }), ...actions };
  const content = (
    <>
      {tabs.map(([name, field]) => (
        <Tabs name={name} field={field} texts={texts} others={kept} />
      ))}
      {Object.keys(filters).length > 0 && (
        <Folded filters={filters} texts={texts} isOpen={page === undefined}>
          <Filters
            fields={formFields(filters, texts)}
            errors={errors}
            hidden={Object.fromEntries(tabs.map(([name]) => [name, texts[name] ?? ""]))}
            token={token}
          />
          {suggestionsOf(objects)}
        </Folded>
      )}
      {page && (
        <>
          {page.text !== "" && <p class="answer">{page.text}</p>}
          <Warnings texts={page.warnings} />
          <RowTable
            list={shape}
            rows={page.rows}
            values={texts}
            {...(!list.isPersonal && { filters: { names: Object.keys(list.input), query } })}
          />
          <div class="buttons">
            {after !== "" && turnTo(COMMON.previousPage, before.at(-1) ?? "", before.slice(0, -1))}
            {page.next !== null && turnTo(COMMON.nextPage, page.next, [...before, after])}
          </div>
          {page.rows.length > 0 && (
            <div class="buttons">
              {download("csv")}
              {download("excel")}
            </div>
          )}
          {description && <p class="hint">{description}</p>}
        </>
      )}
    </>
  );
  const parent = parentOf(list, texts, c.get("user"));
  return pageResponse(c, { title, parent, content }, Object.keys(errors).length > 0 ? 400 : 200);
}

interface FoldedProps {
  filters: Fields;
  texts: FormTexts;
  isOpen: boolean;
  children: Child;
}

/** The filters, which narrow screens show as the values that they have. */
function Folded({ filters, texts, isOpen, children }: FoldedProps) {
  const chips = Object.entries(filters).flatMap(([name, { label, options }]) => {
    const text = texts[name] ?? "";
    return text === "" ? [] : [`${label}: ${options ? wordsOf(text) : text}`];
  });
  return (
    <details class="filter" open={isOpen}>
      <summary>
        {COMMON.filters}
        {chips.map((chip) => (
          <span class="chip">{chip}</span>
        ))}
      </summary>
      {children}
    </details>
  );
}

interface TabsProps {
  name: string;
  field: FieldInfo;
  texts: FormTexts;
  /** The values of the filters that the other tabs have too. */
  others: FormTexts;
}

/** The options of a choice as links to the same list. */
const Tabs = ({ name, field, texts, others }: TabsProps) => (
  <nav class="tabs" aria-label={field.label}>
    {field.options?.map((option) => (
      <a
        href={`?${new URLSearchParams({ ...others, [name]: option }).toString()}`}
        aria-current={(texts[name] ?? field.preset) === option ? "page" : undefined}
      >
        {wordsOf(option)}
      </a>
    ))}
  </nav>
);

/** The result, or the messages for invalid fields. A required input that is missing is only asked for. */
async function orErrors<T>(
  { input }: AnyList | AnyView,
  texts: FormTexts,
  read: () => Promise<T>,
): Promise<{ value: T | undefined; errors: FieldErrors }> {
  try {
    return { value: await read(), errors: {} };
  } catch (error) {
    if (!(error instanceof ApiError) || error.fields === undefined) throw error;
    const isMissing = (field: string) =>
      !(field in texts) && field in input && !input[field]?.isOptional;
    const fields = Object.keys(texts).length === 0 ? [] : error.fields;
    const invalid = fields.filter(({ field }) => !isMissing(field));
    const errors = Object.fromEntries(invalid.map(({ field, message }) => [field, message]));
    return { value: undefined, errors };
  }
}

/** A page that is written by hand, of what a view shows. */
export type PageByHand = (
  props: ContentProps,
  c: ConsoleContext,
) => ConsolePage | Promise<ConsolePage>;

/** A view. Its optional inputs are filters, and so is the object that it shows, until it is given. */
export async function viewPage(
  c: ConsoleContext,
  view: AnyView,
  byHand?: PageByHand,
  texts: FormTexts = queryTexts(new URL(c.req.url).searchParams, view),
): Promise<Response> {
  const { value: shown, errors } = await orErrors(view, texts, () =>
    readView(contextOf(c), view, inTimeZone(view.input, texts, c.get("timeZone"))),
  );
  const filters = Object.fromEntries(
    Object.entries(view.input).filter(
      ([name, { isArgument }]) => !isArgument || !(name in texts) || name in errors,
    ),
  );
  const fields = formFields(filters, texts);
  const token = view.isPersonal ? await formTokenOf(c, pagePath(view)) : undefined;
  const fixed = Object.fromEntries(
    argumentsOf(view).flatMap((name) => (name in filters ? [] : [[name, texts[name] ?? ""]])),
  );
  const props = shown && {
    shape: view.shape,
    content: shown,
    values: { ...texts, ...shown.facts },
  };
  const written = props && (await byHand?.(props, c));
  const kept = view.isPersonal ? selectedBy(view, props?.values ?? {}) : texts;
  const next = new URLSearchParams({ ...kept, ...shown?.next });
  const content = (
    <>
      {fields.length > 0 && (
        <Folded filters={filters} texts={texts} isOpen={shown === undefined}>
          <Filters fields={fields} errors={errors} hidden={fixed} token={token} />
          {suggestionsOf(await objectsFor(c, filters))}
        </Folded>
      )}
      {written ? written.content : props && <ContentView {...props} />}
      {shown?.next && (
        <p>
          <a rel="next" href={`?${next.toString()}`}>
            {COMMON.nextPage}
          </a>
        </p>
      )}
      {!byHand && view.description && <p class="hint">{view.description}</p>}
    </>
  );
  const [picture] = Object.entries(view.shape.facts ?? {})
    .filter(([, { type }]) => KINDS[type].isPicture)
    .map(([name]) => textOf("image", shown?.facts[name] ?? null));
  const parent = parentOf(view, { ...shown?.facts, ...texts }, c.get("user"));
  const title = headingOf(
    view.title,
    argumentsOf(view).map((name) => texts[name] ?? ""),
  );
  return pageResponse(
    c,
    { title, heading: shown?.headline, picture, parent, ...written, content },
    Object.keys(errors).length > 0 ? 400 : 200,
  );
}

/** Such as `Cancel the gift: GO-00042-1`. */
export const headingOf = (title: string, values: readonly JsonValue[]): string => {
  const names = values.filter((value) => value !== "").map((value) => textOf("text", value));
  return names.length === 0 ? title : `${title}: ${names.join(", ")}`;
};
