// What a view, a plan or a change shows: sentences, facts, changes that it offers, and tables.
import type { Child } from "hono/jsx";
import type { ListShape, Operation, Shape } from "../../operator/declaration/declare.ts";
import {
  type FieldInfo,
  type Fields,
  type JsonValue,
  KINDS,
} from "../../operator/declaration/kinds.ts";
import { textOf } from "../../operator/declaration/show.ts";
import type { ShownContent } from "../../operator/declaration/output.ts";
import { COMMON } from "../texts/common.ts";
import { Bars } from "../ui/bars.tsx";
import { HiddenFields } from "../ui/form.tsx";
import { type Column, Facts, Table } from "../ui/table.tsx";
import { Unbroken } from "../ui/values.tsx";
import { useView } from "../ui/view.tsx";
import { groupsOf } from "./form-fields.ts";
import { hrefOf, operationsOf, pagePath, selectedBy } from "./paths.ts";
import { columnOf, Place, placesOf } from "./value.tsx";

type Row = Record<string, JsonValue>;

export interface ContentProps {
  shape: Shape | undefined;
  content: ShownContent;
  /** The values of the arguments, for the changes of the content and of its rows. */
  values: Row;
  /** The form that downloads the rows of a list. */
  download?: (list: string, text: string) => Child;
}

export const ContentView = ({ shape, content, values, download }: ContentProps) => (
  <>
    {content.text !== undefined && (
      <p class="answer">
        <Unbroken text={content.text} />
      </p>
    )}
    <Warnings texts={content.warnings} />
    <Actions names={content.actions} values={values} />
    <div class="split">
      <FactGroups shape={shape} facts={content.facts} />
      {Object.entries(shape?.lists ?? {}).map(([name, list]) => {
        const rows = content.lists[name];
        const table = rows && <RowTable list={list} rows={rows} values={values} />;
        if (list.isAside) {
          return (
            <section class="aside" tabindex={0} aria-label={list.title}>
              <h2>{list.title}</h2>
              {table}
            </section>
          );
        }
        return (
          rows && (
            <div>
              {list.isFolded ? (
                rows.length > 0 && (
                  <details class="folded">
                    <summary>{`${list.title} (${rows.length.toLocaleString("en")})`}</summary>
                    {table}
                  </details>
                )
              ) : (
                <>
                  <h2>{list.title}</h2>
                  {list.bars !== undefined && rows.length > 1 && (
                    <Bars label={list.title} bars={barsOf(list, rows)} />
                  )}
                  {table}
                </>
              )}
              {list.download !== undefined && rows.length > 0 && download?.(name, list.download)}
            </div>
          )
        );
      })}
    </div>
  </>
);

const MAX_BARS = 40;

/** The sums of the rows with the same value in the first column, as rows of several currencies have. */
function barsOf({ columns, bars = "" }: ListShape, rows: readonly Row[]) {
  const [[name, { type }] = ["", { type: "text" as const }]] = Object.entries(columns);
  const groups = Map.groupBy(rows, (row) => textOf(type, row[name] ?? null) || COMMON.none);
  return [...groups].slice(0, MAX_BARS).map(([name, of]) => ({
    name,
    value: of.reduce((sum, row) => sum + Number(row[bars]), 0),
  }));
}

export const Warnings = ({ texts }: { texts: readonly string[] }) =>
  texts.length > 0 && (
    <div role="alert" class="warning">
      {texts.map((text) => (
        <p>{text}</p>
      ))}
    </div>
  );

/** The facts, in groups that have headings. */
function FactGroups({ shape: { facts: fields = {}, headings = {} } = {}, facts }: GroupsProps) {
  const groups = groupsOf(Object.entries(fields), headings, ([name]) => name).map((group) => ({
    heading: group.heading,
    fields: Object.fromEntries(group.items),
  }));
  const shown = groups.filter((group) => placesOf(group.fields, [facts]).length > 0);
  return (
    <div class="groups">
      {shown.map((group) => (
        <section>
          {group.heading !== undefined && <h2>{group.heading}</h2>}
          <FactList fields={group.fields} facts={facts} />
        </section>
      ))}
    </div>
  );
}

interface GroupsProps {
  shape: Shape | undefined;
  facts: Row;
}

interface FactListProps {
  fields: Readonly<Record<string, FieldInfo>>;
  facts: Row;
}

function FactList({ fields, facts }: FactListProps) {
  const shown = placesOf(fields, [facts]);
  // The picture stands beside the headline.
  const others = shown.filter((name) => !KINDS[fields[name]?.type ?? "text"].isPicture);
  if (others.length === 0) return null;
  return (
    <Facts
      facts={Object.fromEntries(
        others.map((name) => [
          fields[name]?.label ?? name,
          <Place fields={fields} name={name} row={facts} />,
        ]),
      )}
    />
  );
}

/** The filters of a list, and the query with their present values. */
interface ListFilters {
  names: readonly string[];
  query: string;
}

const hasFilters = ({ type, input }: Operation, { names }: ListFilters) =>
  type === "list" && names.length > 0 && names.every((name) => name in input);

interface ActionsProps {
  names: readonly string[];
  values: Row;
  filters?: ListFilters | undefined;
  /** Whether no action stands out. */
  isQuiet?: boolean;
}

const isApart = (each: Operation) => each.type === "change" && each.isFinal === true;

/** More actions than this are shown behind the first two. */
const MAX_BUTTONS = 3;

/**
 * The operations that the viewer's roles permit. The first one stands out if it is a change. Changes that cannot be undone
 * stand apart behind the others. Other lists with these filters get their present values.
 */
export function Actions({ names, values, filters, isQuiet = false }: ActionsProps) {
  const { user } = useView();
  const allowed = names.flatMap((name) => operationsOf(name, user));
  if (allowed.length === 0) return null;
  const hrefWith = (operation: Operation) =>
    filters && hasFilters(operation, filters)
      ? pagePath(operation) + filters.query
      : hrefOf(operation, values);
  const usual = allowed.filter((each) => !isApart(each));
  const buttons = usual.length > MAX_BUTTONS ? usual.slice(0, 2) : usual;
  const more = [...usual.slice(buttons.length), ...allowed.filter(isApart)];
  const link = (operation: Operation, look: string | undefined) => (
    <a class={look} href={hrefWith(operation)}>
      {operation.title}
    </a>
  );
  return (
    <div class="buttons" role="group" aria-label={COMMON.actions}>
      {buttons.map((each, index) =>
        link(each, index === 0 && !isQuiet && each.type === "change" ? "button" : "button quiet"),
      )}
      {more.length > 0 && (
        <details class="more">
          <summary>{COMMON.more}</summary>
          <ul>
            {more.map((each) => (
              <li>{link(each, isApart(each) ? "apart" : undefined)}</li>
            ))}
          </ul>
        </details>
      )}
    </div>
  );
}

/** Rows with more columns, such as the stored data of a person, are shown as fields. */
const MAX_COLUMNS = 20;

interface RowTableProps {
  list: ListShape;
  rows: readonly Row[];
  values: Row;
  /** Those of the list that has these rows, in the page's address. */
  filters?: ListFilters;
}

/**
 * A table of rows, each with links to the changes that it offers. Columns without any value are left out. A change that
 * takes several of the rows' objects has check boxes and a button. A row that has the column `actions` has only these.
 */
export function RowTable({ list, rows, values, filters }: RowTableProps) {
  const { user } = useView();
  const { columns, title, empty, actions = [], rowActions = [] } = list;
  const places = placesOf(columns, rows);
  if (places.length > MAX_COLUMNS) {
    return (
      <div class="groups">
        {rows.map((row) => (
          <section>
            <FactList fields={columns} facts={row} />
          </section>
        ))}
      </div>
    );
  }
  const allowed = rowActions.flatMap((name) => operationsOf(name, user));
  const many = allowed.find((operation) => selectionOf(operation, columns));
  const selection = many && selectionOf(many, columns);
  const ofRows = allowed.filter((each) => each !== many);
  const offeredFor = ({ actions }: Row) =>
    ofRows.filter(({ name }) => !Array.isArray(actions) || actions.includes(name));
  const actionColumn: Column<Row> = {
    label: COMMON.rowActions,
    look: "actions",
    cell: (row) =>
      offeredFor(row).map((operation) => (
        <>
          <a class="short" href={hrefOf(operation, { ...values, ...row })}>
            {operation.title}
          </a>{" "}
        </>
      )),
  };
  const boxColumn = (input: string, column: string): Column<Row> => ({
    label: COMMON.select,
    look: "short",
    cell: (row) => (
      <input
        type="checkbox"
        name={input}
        value={textOf("text", row[column] ?? null)}
        aria-label={`${COMMON.select} ${textOf("text", row[column] ?? null)}`}
      />
    ),
  });
  const table = (
    <Table
      label={title}
      rows={rows}
      empty={empty ?? COMMON.empty}
      columns={[
        ...(selection && rows.length > 0 ? [boxColumn(selection.input, selection.column)] : []),
        ...places.map((name) => columnOf(columns, name)),
        ...(rows.some((row) => offeredFor(row).length > 0) ? [actionColumn] : []),
      ]}
    />
  );
  const links = (
    <Actions names={actions} values={values} filters={filters} isQuiet={filters === undefined} />
  );
  return many && selection && rows.length > 0 ? (
    <form method="get" action={pagePath(many)}>
      <HiddenFields values={{ ...selectedBy(many, values), [selection.input]: "" }} />
      <div class="bar">
        <button type="submit" class={isApart(many) ? "quiet" : undefined}>
          {many.title}
        </button>
        {filters && (
          <a
            href={`${filters.query}&${new URLSearchParams({ all: many.name }).toString()}`}
            title={COMMON.selectedAtMost}
          >
            {COMMON.selectAll}
          </a>
        )}
        {links}
      </div>
      {table}
    </form>
  ) : (
    <>
      {links}
      {table}
    </>
  );
}

/** The page of the change with the objects of these rows. Undefined if it does not take several of them. */
export function hrefOfAll(operation: Operation, columns: Fields, rows: readonly Row[]) {
  const selection = selectionOf(operation, columns);
  if (!selection) return undefined;
  const objects = rows.map((row) => [
    selection.input,
    textOf("text", row[selection.column] ?? null),
  ]);
  return `${pagePath(operation)}?${new URLSearchParams(objects).toString()}`;
}

/** The input of several objects that a column selects. */
function selectionOf(
  { input }: Operation,
  columns: Fields,
): { input: string; column: string } | undefined {
  for (const [name, field] of Object.entries(input)) {
    const column = Object.entries(columns).find(([, { type }]) => type === field.type);
    if (field.isMany && field.isArgument && column) return { input: name, column: column[0] };
  }
  return undefined;
}
