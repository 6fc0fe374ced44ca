// The page that publishes a file.
import type { Child } from "hono/jsx";
import * as z from "zod/mini";
import { validationError } from "../../../core/api-error.ts";
import { currencyCode } from "../../../core/validation/fields.ts";
import { validate } from "../../../core/validation/validate.ts";
import {
  MAX_UPLOAD_BYTES,
  MAX_UPLOAD_PRODUCTS,
  PUBLISH_FILE,
} from "../../../operator/catalogue/publish-file.ts";
import type { ChangedValues, Comparison } from "../../../operator/catalogue/publish/compare.ts";
import { listCatalogues } from "../../../operator/catalogue/queries.ts";
import type { ActionOf } from "../../actions/action.ts";
import type { ConsoleContext } from "../../environment.ts";
import { NotFound } from "../../page-errors.ts";
import { CATALOGUES } from "../../texts/catalogues.ts";
import type { Field } from "../../ui/form.tsx";
import { Table } from "../../ui/table.tsx";
import { cataloguePath } from "./catalogue-list.tsx";

const TEXTS = CATALOGUES.publish;

/** The rows of a table of the plan. */
const MAX_ROWS = 100;

const nameOf = (c: ConsoleContext) => c.req.param("name") ?? "";

const checkbox = (name: string, label: string): Field => ({ name, type: "checkbox", label });

const FIELDS: readonly Field[] = [
  {
    name: "file",
    type: "file",
    label: TEXTS.file,
    required: true,
    hint: TEXTS.fileHint(MAX_UPLOAD_BYTES / 1e6, MAX_UPLOAD_PRODUCTS),
  },
  {
    name: "stock",
    type: "select",
    label: TEXTS.stock,
    required: true,
    options: TEXTS.stockModes,
  },
  { name: "currency", type: "text", label: TEXTS.currency, hint: TEXTS.currencyHint },
  checkbox("skip_invalid", TEXTS.skipInvalid),
  checkbox("untracked", TEXTS.untracked),
  checkbox("share_stock", TEXTS.shareStock),
  checkbox("allow_unpublish", TEXTS.allowUnpublish),
];

const Choices = () =>
  z.object({
    stock: z.enum(["keep", "replace"]),
    currency: z.optional(currencyCode()),
    skip_invalid: z.optional(z.literal("on")),
    untracked: z.optional(z.literal("on")),
    share_stock: z.optional(z.literal("on")),
    allow_unpublish: z.optional(z.literal("on")),
  });

export const publishFile: ActionOf<typeof PUBLISH_FILE> = {
  permission: "catalogue",
  change: PUBLISH_FILE,
  title: TEXTS.title,
  target: (c) => ({ name: nameOf(c), href: cataloguePath(nameOf(c)) }),
  fields: async (c) => {
    const [found] = await listCatalogues(c.env.DB, nameOf(c));
    if (!found) throw new NotFound();
    return FIELDS;
  },
  input: async ({ values, files: { file } }, c) => {
    if (!file) throw validationError([{ field: "file", message: TEXTS.fileRule }]);
    const currency = values["currency"]?.toUpperCase() || undefined;
    const choices = validate(Choices(), { ...values, currency });
    return {
      catalogue: nameOf(c),
      file: TEXTS.fileName(file.name),
      bytes: new Uint8Array(await file.arrayBuffer()),
      stock: choices.stock,
      currency: choices.currency ?? null,
      skipInvalid: choices.skip_invalid !== undefined,
      untracked: choices.untracked !== undefined,
      shareStock: choices.share_stock !== undefined,
      allowUnpublish: choices.allow_unpublish !== undefined,
    };
  },
  preview: ({ read, publication: { comparison, endedTracking } }) => (
    <>
      {read.notes.map((note) => (
        <p>{note}</p>
      ))}
      {endedTracking.length > 0 && (
        <PlanTable
          caption={CATALOGUES.ended}
          rows={endedTracking}
          empty={CATALOGUES.noChanges}
          cells={{
            [CATALOGUES.product]: ({ productId }) => productId,
            [CATALOGUES.variation]: ({ variationId }) => variationId || null,
            [CATALOGUES.quantity]: ({ quantity }) => quantity,
          }}
        />
      )}
      <PlanTable
        caption={CATALOGUES.problems}
        rows={read.source.problems}
        empty={CATALOGUES.noProblems}
        cells={{
          [CATALOGUES.row]: ({ row }) => row,
          [CATALOGUES.product]: ({ product }) => product,
          [CATALOGUES.field]: ({ field }) => field,
          [CATALOGUES.problem]: ({ reason }) => reason,
        }}
      />
      <PlanTable
        caption={CATALOGUES.changes}
        rows={changesOf(comparison)}
        empty={CATALOGUES.noChanges}
        cells={{
          [CATALOGUES.change]: ({ kind }) => CATALOGUES.kinds[kind],
          [CATALOGUES.product]: ({ id, name }) => `${name} ${String(id ?? "")}`,
          [CATALOGUES.fields]: ({ fields, values }) =>
            fields
              ?.map((field) => [field, values?.[field]?.join(" → ")].filter(Boolean).join(" "))
              .join(", "),
        }}
      />
    </>
  ),
  done: ({ version }, { read }) => <p>{TEXTS.done(version, read.source.products.length)}</p>,
};

interface PlanTableProps<Row> {
  caption: (shown: number, all: number) => string;
  rows: readonly Row[];
  empty: string;
  cells: Record<string, (row: Row) => Child>;
}

/** The first rows, with a column for each of the cells. */
function PlanTable<Row>({ caption, rows, empty, cells }: PlanTableProps<Row>) {
  const shown = rows.slice(0, MAX_ROWS);
  const columns = Object.entries(cells).map(([label, cell]) => ({ label, cell }));
  return (
    <Table caption={caption(shown.length, rows.length)} {...{ rows: shown, empty, columns }} />
  );
}

interface ProductChange {
  kind: keyof typeof CATALOGUES.kinds;
  id?: number;
  name: string;
  fields?: string[];
  values?: ChangedValues;
}

const changesOf = ({ added, changed, unpublished }: Comparison): ProductChange[] => [
  ...unpublished.map((each) => ({ kind: "unpublished" as const, ...each })),
  ...changed.map((each) => ({ kind: "changed" as const, ...each })),
  ...added.map((each) => ({ kind: "added" as const, ...each })),
];
