// Values as pages show them, by their kind.
import type { Child } from "hono/jsx";
import { webUrl } from "../../core/validation/fields.ts";
import { type Currency, decimalsOf } from "../../core/values/iso.ts";
import { amountText } from "../../core/values/money.ts";
import {
  type FieldInfo,
  type JsonValue,
  KINDS,
  type KindType,
} from "../../operator/declaration/kinds.ts";
import { textOf } from "../../operator/declaration/show.ts";
import { ProductPicture } from "../ui/picture.tsx";
import type { Column } from "../ui/table.tsx";
import { EmailAddress, Status, Swatch, Time, Unbroken } from "../ui/values.tsx";
import { useView } from "../ui/view.tsx";
import { viewHref } from "./paths.ts";

type Shown = Pick<FieldInfo, "type" | "linkText">;
type Fields = Readonly<Record<string, FieldInfo>>;
type Row = Readonly<Record<string, JsonValue>>;

/** How a value looks that is neither a link to an object nor only a text. */
const LOOKS: Partial<
  Record<
    KindType,
    (shown: { text: string; value: JsonValue; linkText?: string | undefined }) => Child
  >
> = {
  time: ({ value }) => <Time ms={Date.parse(value as string)} />,
  colour: ({ text }) => (
    <>
      <Swatch colour={text} /> {text}
    </>
  ),
  status: ({ text }) => <Status text={text} />,
  email: ({ text }) => <EmailAddress text={text} />,
  url: ({ text, linkText = text }) =>
    webUrl(text) ? <WebLink href={text}>{linkText}</WebLink> : text,
  secret: ({ text }) => <code data-copy>{text}</code>,
  // The line breaks are spaces, at which a long text breaks.
  json: ({ value }) => <code>{JSON.stringify(value, null, 1)}</code>,
  lines: ({ text }) => <span class="lines">{text}</span>,
  image: ({ text }) => <ProductPicture picture={text} />,
  choice: ({ text }) => <span class="short">{text}</span>,
  money: ({ text }) => <span class="money">{text}</span>,
};

// The header Referrer-Policy keeps the console's address from the page.
const WebLink = ({ href, children }: { href: string; children?: Child }) => (
  <a href={href}>{children}</a>
);

/** Null for a value that does not exist. */
export function Value({
  field: { type, linkText },
  value,
}: {
  field: Shown;
  value: JsonValue;
}): Child {
  if (value === null || value === "") return null;
  const text = textOf(type, value);
  const href = viewHref(type, value, useView().user);
  const areApart = href !== undefined || type === "url" || type === "money";
  if (Array.isArray(value) && areApart)
    return value.map((each: JsonValue) => [<Value field={{ type }} value={each} />, " "]);
  if (href === undefined) return (LOOKS[type] ?? Unbroken)({ text, value, linkText });
  return (
    <a class="short" href={href}>
      {text}
    </a>
  );
}

const has = (row: Row, name: string) => (row[name] ?? null) !== null;

/** The fields that have a place of their own and any value in these rows. */
export function placesOf(fields: Fields, rows: readonly Row[]): string[] {
  const isShown = (name: string) => rows.some((row) => has(row, name));
  return Object.keys(fields).filter((name) => {
    const { beside, isInFilesOnly = false } = fields[name] ?? {};
    return !isInFilesOnly && isShown(name) && !(beside !== undefined && isShown(beside));
  });
}

const placesBeside = (fields: Fields, name: string) =>
  Object.entries(fields).filter(([, { beside }]) => beside === name);

interface PlaceProps {
  fields: Fields;
  name: string;
  row: Row;
}

/** The value of a field, with those that stand beside it. Null if there are none. */
export function Place({ fields, name, row }: PlaceProps): Child {
  const others = placesBeside(fields, name).filter(([key]) => has(row, key));
  const textIn = (key: string) => textOf("url", row[key] ?? null);
  const url = others.find(
    ([key, { type }]) => KINDS[type].isLink && !Array.isArray(row[key]) && webUrl(textIn(key)),
  );
  const value = fields[name] && <Value field={fields[name]} value={row[name] ?? null} />;
  if (others.length === 0) return has(row, name) ? value : null;
  return (
    <>
      {url && has(row, name) ? <WebLink href={textIn(url[0])}>{value}</WebLink> : value}
      {others
        .filter((each) => each !== url || !has(row, name))
        .map(([key]) => (
          <span class="beside">
            <Place fields={fields} name={key} row={row} />
          </span>
        ))}
    </>
  );
}

/** The sum of amounts in each of their currencies. */
function sumsOf(values: readonly JsonValue[]): Child {
  const sums = new Map<Currency, number>();
  for (const value of values) {
    if (value === null) continue;
    const { amount, currency } = value as { amount: string; currency: Currency };
    const minor = Math.round(Number(amount) * 10 ** decimalsOf(currency));
    sums.set(currency, (sums.get(currency) ?? 0) + minor);
  }
  return [...sums].map(([currency, minor]) => [
    <span class="money">{amountText(minor, currency)}</span>,
    " ",
  ]);
}

/** A column of a table, for rows of JSON. */
export const columnOf = <F extends Fields>(fields: F, name: keyof F & string): Column<Row> => {
  const { label = name, type = "text", hasSum = false } = fields[name] ?? {};
  const { look } = KINDS[type];
  return {
    label,
    sum: hasSum ? (rows) => sumsOf(rows.map((row) => row[name] ?? null)) : undefined,
    // Texts beside the value may break.
    look: look === "short" && placesBeside(fields, name).length > 0 ? undefined : look,
    cell: (row) => <Place fields={fields} name={name} row={row} />,
  };
};
