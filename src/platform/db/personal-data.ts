// Marks the columns that may contain personal data, and says why they are stored and what erases them.
import {
  primaryKey,
  type SQLiteColumn,
  type SQLiteColumnBuilderBase,
  sqliteTable,
} from "drizzle-orm/sqlite-core";

const byErasure = <const Purpose extends string>(purpose: Purpose) =>
  ({ purpose, erasedBy: "erasure", retainedUntil: "erasure" }) as const;

const byNothing = (purpose: string, erasedBy = "nothing") =>
  ({ purpose, erasedBy, retainedUntil: "the database is deleted" }) as const;

/** The kinds of personal data. */
export const PERSONAL_DATA_KINDS = {
  addressee: byErasure("to address the gift, and to find it when a recipient asks"),
  delivery: byErasure("to deliver the gift"),
  code: byErasure(
    "what a digital gift consists of, encrypted; a keyed digest stays, so that it is not given out again",
  ),
  giftPage: byErasure("to show the gift page"),
  note: byErasure("the recipient's note to the sender"),
  staffNotes: byErasure("the operators' notes about the gift or, until its last gift, the order"),
  partnersValues: byErasure("the partner's id of the recipient and own values"),
  tracking: byErasure("to follow the parcel; the carrier's page may name its recipient"),
  searchTerms: byErasure("to find the gifts of a recipient; a reference stays as in the order"),
  freeText: byErasure(
    "free texts of the partner, which may concern any recipient of the order: erased with the last one",
  ),
  reference: byNothing("to place an order once; must not contain personal data"),
  digest: byNothing(
    "to answer a repeated placement",
    "nothing (DECISIONS.md: The digest of a request is kept)",
  ),
  receiversResponse: {
    purpose: "the beginning of a receiver's response, for its partner",
    erasedBy: "the cron handler",
    retainedUntil: "30 days after the last attempt",
  },
  message: byErasure("in the sandbox, to read the e-mails that would be sent"),
  emailLimit: byErasure("the digest of an address, to limit the e-mails of a day to it"),
  complaint: byNothing("the digest of an address, so that nothing is sent to it again"),
  supportAddress: {
    purpose: "the partner's addresses for recipients",
    erasedBy: "`client set --support-email none --reply-to none`",
    retainedUntil: "the operator changes it",
  },
  billing: {
    purpose: "the partner's company on statements, which may be a person",
    erasedBy: "`client set --legal-name none --billing-address none --tax-number none`",
    retainedUntil: "the operator changes it",
  },
  addresseeOfStatement: byNothing(
    "the partner's company on a numbered statement",
    "nothing: a numbered statement cannot be changed",
  ),
  endpoint: byNothing("the partner's endpoint; the URL may contain a token"),
  operator: byNothing(
    "which operator changed something, and why; no data of recipients",
    "nothing: the log cannot be changed",
  ),
  booking: byNothing(
    "the operator's texts about bookings; no data of recipients",
    "nothing: the ledger cannot be changed",
  ),
  bankReference: byNothing(
    "the bank's reference of a payment; no data of recipients",
    "nothing: the ledger cannot be changed",
  ),
};

type Kind = keyof typeof PERSONAL_DATA_KINDS;

/** Marks a column. */
export const personal = <const Data extends Kind, Column extends object>(
  kind: Data,
  column: Column,
): Column & { kind: Data } => Object.assign(column, { kind });

/** The kinds of the marked columns of each table, by the names of the columns in the schema. */
export const PERSONAL_DATA: Record<string, Record<string, Kind>> = {};

type ErasedNames<Columns> = {
  [Name in keyof Columns]: Columns[Name] extends { kind: infer Data extends Kind }
    ? (typeof PERSONAL_DATA_KINDS)[Data]["erasedBy"] extends "erasure"
      ? Name
      : never
    : never;
}[keyof Columns];

/** A table, with the columns of its primary key if there are several. */
export function table<Name extends string, Columns extends Record<string, SQLiteColumnBuilderBase>>(
  name: Name,
  columns: Columns,
  key: readonly (keyof Columns & string)[] = [],
) {
  const marked = Object.entries(columns).flatMap(([column, builder]) =>
    "kind" in builder ? [[column, builder.kind as Kind] as const] : [],
  );
  if (marked.length > 0) PERSONAL_DATA[name] = Object.fromEntries(marked);
  const created = sqliteTable(name, columns, (self) => {
    const [first, ...others] = key.map((column) => self[column] as SQLiteColumn);
    return first ? [primaryKey({ columns: [first, ...others] as never })] : [];
  });
  return created as typeof created & { readonly erased?: ErasedNames<Columns> };
}

/** The names of the table's columns that an erasure clears. */
export type ErasedColumn<Source extends { readonly erased?: unknown }> = Extract<
  Source["erased"],
  string
>;
