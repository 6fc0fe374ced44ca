// Declarations of what operators can do and see. `operator/operations.ts` lists them. The console, the commands and the
// operator API are built from them.
import type { Bindings } from "../../platform/env.ts";
import type { Subjects } from "../audit/subjects.ts";
import type { Permission, User } from "../roles.ts";
import type { Fields, InputOf, Kind, KindType, OutputOf, PresentOf } from "./kinds.ts";
import { type FirstPosition, pageOf, positionIn, type PositionOf } from "./pages.ts";

/** The bindings that operations use. */
export type OperatorBindings = Pick<
  Bindings,
  "DB" | "KV" | "WEBHOOK_QUEUE" | "ENVIRONMENT" | "REGION" | "PUBLIC_URL" | "EMAIL_FROM"
> &
  Partial<Pick<Bindings, "GIFT_LINK_SECRET" | "GIFT_LINK_SECRET_PREVIOUS">> &
  Partial<Pick<Bindings, "CODE_SECRET" | "CODE_SECRET_PREVIOUS" | "WEBHOOK_SECRET">> & {
    /** The users of vendors, by the names of these. */
    ACCESS_ROLES: { vendor?: Readonly<Record<string, readonly string[]>> };
  };

/** The database, whose writes are recorded with these objects. The note precedes the reason in their entries. */
export type Auditing = (subjects: readonly Subjects[], note?: string | null) => D1Database;

/** What an operation gets besides its input. The database refuses writes, except in `run`. */
export interface OperatorContext extends OperatorBindings {
  user: User;
  nowMs: number;
  /** The id of the request, for the audit log. */
  requestId: string;
}

export interface ReadContext extends OperatorContext {
  /** The database for transactions that also record the reading (audit/reading.ts). */
  recordingDB: D1Database;
  /** Records in the audit log that the personal data of these gifts or of this order was read. */
  record: (
    subjects: Extract<Subjects, { type: "gift" | "order" }>,
    state: object,
    reason?: string | null,
  ) => Promise<void>;
}

/** What plans get. A plan that shows personal data records the reading, once for each confirmation. */
export type PlanContext = OperatorContext & Pick<ReadContext, "record">;

/** The database of `run` records the objects of the plan in the audit log. */
export interface RunContext extends OperatorContext {
  /** Unique for each attempt to carry out the request, whose id it begins with. */
  attempt: string;
  /** For a change with several transactions: the database that records the objects of one of them. */
  auditing: Auditing;
  /** Reports how many of all items are done. */
  progress: (done: number, total: number) => Promise<void>;
}

interface ListActions {
  /** The names of operations that stand above the rows. Their arguments are inputs of the list or view. */
  actions?: readonly string[];
  /** The names of operations on the object of a row, or of several rows. Their arguments are also columns. */
  rowActions?: readonly string[];
}

/** A table: its columns, and the operations that it offers. */
export interface ListShape extends ListActions {
  title: string;
  columns: Fields;
  /** Shown instead of a table without rows. */
  empty?: string;
  /** Whether pages show only the title and the number of rows, until the reader opens it. */
  isFolded?: boolean;
  /** Whether pages show it beside the facts on wide screens, and after all others on narrow ones. */
  isAside?: boolean;
  /** The column of numbers that pages also show as bars, one for each value of the first column. */
  bars?: string;
  /** Of a plan or a result: the text of a button that downloads the rows as CSV. */
  download?: string;
}

/** The facts and tables of a content. */
export interface Shape {
  facts?: Fields;
  /** The headings of groups of facts, by the first fact of each group. */
  headings?: Readonly<Record<string, string>>;
  lists?: Readonly<Record<string, ListShape>>;
}

/** What a view shows, what a plan shows before it is confirmed, or what a change has done. */
export interface Content<S extends Shape = Shape> {
  /** What a view shows, such as a person and a gift. Pages have it as heading, and not in their title: it may be personal. */
  headline?: string;
  /** Sentences. Of a view, the answer that its reader looks for. */
  text?: string;
  warnings?: readonly string[];
  facts?: Partial<OutputOf<NonNullable<S["facts"]>>>;
  lists?: {
    [Name in keyof NonNullable<S["lists"]>]?: readonly OutputOf<
      NonNullable<S["lists"]>[Name]["columns"]
    >[];
  };
  /** The names of the changes that make sense now, with the inputs of the view. The first is the most likely one. */
  actions?: readonly string[];
  /** Whether something needs attention. The command then exits with 1. */
  hasProblems?: boolean;
  /** The inputs of the view that shows the next rows. */
  next?: Readonly<Record<string, string>>;
}

interface Declared<I extends Fields> {
  /** The words of the command, the path of the API and of the page, and the action in the audit log, such as `gift extend`. */
  name: string;
  /** The heading of the page and, of a change, the text of its button, such as `Change the last day`. */
  title: string;
  /** What a reader must know: sentences. */
  description?: string;
  permission: Permission;
  /** Set if vendors have the operation, for their own gifts and products. Contains the inputs that differ for them. */
  forVendors?: { readonly [Name in keyof I]?: Kind };
  input: I;
  /** The headings of groups of fields in its form, by the first input of each group. */
  headings?: Readonly<Record<string, string>>;
  /** Command lines without the name. */
  examples?: readonly string[];
}

/** A value that a change replaces, as text. Null for none. */
export interface ValueChange {
  label: string;
  before: string | null;
  after: string | null;
}

/** What the operator must answer before it is known what a change does. */
export interface Question {
  /** The input of the answers. */
  input: string;
  label: string;
  /** The values of the input that are answers. Without any, the answer is a value of the input's kind. */
  options: readonly { value: string; label: string }[];
  isMany?: boolean;
}

/** What a change is going to do. */
export interface PlannedChange {
  /**
   * Follows "This will". Names the client, and the amount or the number of objects. Null if nothing is going to change:
   * then there is no question.
   */
  will: string | null;
  /** While there are questions, the change cannot be carried out. */
  questions?: readonly Question[];
  /** The objects that the change may change. Each object that it changes gets an entry in the audit log. */
  subjects: readonly Subjects[];
  /**
   * What the digest covers, if the shown values and the objects change by themselves, as balances do. By default, it
   * covers both.
   */
  confirms?: unknown;
  changes?: readonly ValueChange[];
  /** Other content of the confirmation. Its shape is `preview` of the change. */
  preview?: Content;
}

export interface ChangeDeclaration<
  I extends Fields,
  Plan extends PlannedChange,
  Preview extends Shape,
  Result extends Shape,
> extends Declared<I> {
  /** Whether the change cannot be undone. It then has the input `reason`. */
  isFinal?: boolean;
  /** Whether several transactions change objects, so that only a part may be done. The same change then does the rest. */
  isGradual?: boolean;
  /**
   * The present values of inputs, for a form. Personal data that it reads is recorded. Errors: `ApiError` if the change is
   * impossible with any other inputs, so that no form is shown.
   */
  present?(context: ReadContext, input: Partial<InputOf<I>>): Promise<PresentOf<I>> | PresentOf<I>;
  /** The objects from which the inputs of a kind choose in a form, by ids, if they depend on other inputs. */
  choices?(
    context: OperatorContext,
    input: Partial<InputOf<I>>,
  ): Promise<Readonly<Record<string, Record<string, string>>>>;
  preview?: Preview;
  result?: Result;
  /** Reads what the change needs. Errors: `ApiError`. */
  plan(context: PlanContext, input: InputOf<I>): Promise<Plan & { preview?: Content<Preview> }>;
  /** Carries out the plan. Returns what was done, as sentences with more content. Errors: `ApiError`. */
  run(context: RunContext, plan: Plan): Promise<Content<Result> & { text: string }>;
}

interface DeclaredList<I extends Fields, C extends Fields> extends Declared<I>, ListActions {
  /** Whether an input is personal data, which must not be part of a URL. */
  isPersonal?: boolean;
  columns: C;
  empty?: string;
}

export interface ListDeclaration<
  I extends Fields,
  C extends Fields,
  First extends FirstPosition,
  Row extends PositionOf<First>,
> extends DeclaredList<I, C> {
  /** The position before the first row. */
  first: (input: InputOf<I>) => First;
  /** At most `limit` rows after the position, in the order of the list. Errors: `ApiError`. */
  read: (
    context: ReadContext,
    input: InputOf<I>,
    page: { after: PositionOf<First>; limit: number },
  ) => Promise<readonly Row[]>;
  /** A sentence on all rows, such as their number. Null if it is not known. Errors: `ApiError`. */
  text?: (context: ReadContext, input: InputOf<I>) => Promise<string | null>;
  /** The names in `actions` and `rowActions` that apply to this input. */
  offered?: (input: InputOf<I>, user: User) => readonly string[];
  /** Records in the audit log that the rows are shown. */
  record?: (context: ReadContext, rows: readonly Row[]) => Promise<void>;
  row: (row: Row) => OutputOf<C>;
}

interface CustomListDeclaration<I extends Fields, C extends Fields> extends DeclaredList<I, C> {
  /** The rows after the position, in the order of the list, at most `limit`. Errors: `ApiError`. */
  page(context: ReadContext, input: InputOf<I>, page: PageRequest): Promise<ListPage<C>>;
}

export interface PageRequest {
  /** The position that the page before this one has returned. */
  after: string | undefined;
  limit: number;
}

export interface ListPage<C extends Fields> {
  rows: readonly OutputOf<C>[];
  /** The position of the next page. Null if there is none. */
  next: string | null;
  /** A sentence on all rows, such as their number. */
  text?: string;
  /** Sentences about the result. */
  warnings?: readonly string[];
  /** The names in the list's `actions` and `rowActions` that apply to these rows. By default, all of them. */
  actions?: readonly string[];
  /** The object that the input names exactly. The console shows it instead of the list. */
  only?: { type: KindType; name: string } | null;
}

export interface ViewDeclaration<I extends Fields, S extends Shape> extends Declared<I> {
  isPersonal?: boolean;
  /** The fact that names the object of which this one is a part. */
  within?: keyof NonNullable<S["facts"]> & string;
  shape: S;
  /** Errors: `ApiError`. */
  read(context: ReadContext, input: InputOf<I>): Promise<Content<S>>;
}

/** Declares a change. */
export const change = <
  const I extends Fields,
  Plan extends PlannedChange,
  const Preview extends Shape = Shape,
  const Result extends Shape = Shape,
>(
  declaration: ChangeDeclaration<I, Plan, Preview, Result>,
) => ({ ...declaration, type: "change" as const });

/** Declares a list, which has pages. */
export const list = <
  const I extends Fields,
  const C extends Fields,
  First extends FirstPosition,
  Row extends PositionOf<First>,
>({
  first,
  read,
  record,
  row,
  text,
  offered,
  ...declared
}: ListDeclaration<I, C, First, Row>) =>
  customList<I, C>({
    ...declared,
    page: async (context, input, { after, limit }) => {
      // One more row shows whether there is a next page.
      const page = { after: positionIn(first(input), after), limit: limit + 1 };
      const [rows, sentence] = await Promise.all([
        read(context, input, page),
        text?.(context, input) ?? null,
      ]);
      const { shown, next } = pageOf(first(input), rows, limit);
      if (shown.length > 0) await record?.(context, shown);
      return {
        rows: shown.map(row),
        next,
        ...(sentence !== null && { text: sentence }),
        ...(offered && { actions: offered(input, context.user) }),
      };
    },
  });

/** Declares a list that makes its pages itself. */
export const customList = <const I extends Fields, const C extends Fields>(
  declaration: CustomListDeclaration<I, C>,
) => ({ ...declaration, type: "list" as const });

/** Declares a view of one object, or of the whole environment. */
export const view = <const I extends Fields, const S extends Shape>(
  declaration: ViewDeclaration<I, S>,
) => ({ ...declaration, type: "view" as const });

/** Any change, list or view, without the types of its inputs. */
export type AnyChange = ReturnType<typeof change<Fields, PlannedChange, Shape, Shape>>;
export type AnyList = ReturnType<typeof customList<Fields, Fields>>;
export type AnyView = ReturnType<typeof view<Fields, Shape>>;
export type Operation = AnyChange | AnyList | AnyView;
