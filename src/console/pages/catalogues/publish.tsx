// The page that publishes a file.
import * as z from "zod/mini";
import { validationError } from "../../../core/api-error.ts";
import { validate } from "../../../core/validation/validate.ts";
import {
  MAX_UPLOAD_BYTES,
  MAX_UPLOAD_PRODUCTS,
  PUBLISH_FILE,
} from "../../../operator/catalogue/publish-file.ts";
import type { Comparison } from "../../../operator/catalogue/publish/compare.ts";
import { listCatalogues } from "../../../operator/catalogue/queries.ts";
import type { ActionOf } from "../../action.tsx";
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
    ...{ name: "file", type: "file", label: TEXTS.file, required: true },
    hint: TEXTS.fileHint(MAX_UPLOAD_BYTES / 1e6, MAX_UPLOAD_PRODUCTS),
  },
  {
    ...{ name: "stock", type: "select", label: TEXTS.stock, required: true },
    options: TEXTS.stockModes,
  },
  checkbox("skip_invalid", TEXTS.skipInvalid),
  checkbox("untracked", TEXTS.untracked),
  checkbox("share_stock", TEXTS.shareStock),
  checkbox("allow_unpublish", TEXTS.allowUnpublish),
];

const Choices = () =>
  z.object({
    stock: z.enum(["keep", "replace"]),
    skip_invalid: z.optional(z.literal("on")),
    untracked: z.optional(z.literal("on")),
    share_stock: z.optional(z.literal("on")),
    allow_unpublish: z.optional(z.literal("on")),
  });

export const publishFile: ActionOf<typeof PUBLISH_FILE> = {
  permission: "catalogue",
  change: PUBLISH_FILE,
  title: TEXTS.title,
  submit: TEXTS.submit,
  target: (c) => ({ name: nameOf(c), href: cataloguePath(nameOf(c)) }),
  fields: async (c) => {
    const [found] = await listCatalogues(c.env.DB, nameOf(c));
    if (!found) throw new NotFound();
    return FIELDS;
  },
  input: async ({ values, files: { file } }, c) => {
    if (!file) throw validationError([{ field: "file", message: TEXTS.fileRule }]);
    const choices = validate(Choices(), values);
    return {
      catalogue: nameOf(c),
      file: TEXTS.fileName(file.name),
      bytes: new Uint8Array(await file.arrayBuffer()),
      stock: choices.stock,
      skipInvalid: choices.skip_invalid !== undefined,
      untracked: choices.untracked !== undefined,
      shareStock: choices.share_stock !== undefined,
      allowUnpublish: choices.allow_unpublish !== undefined,
    };
  },
  preview: ({ read, publication: { comparison, endedTracking } }) => {
    const { problems } = read.source;
    const changes = changesOf(comparison);
    return (
      <>
        {read.notes.map((note) => (
          <p>{note}</p>
        ))}
        {endedTracking.length > 0 && <EndedTracking rows={endedTracking} />}
        <Problems rows={problems} />
        <Changes rows={changes} />
      </>
    );
  },
  done: ({ version }, { read }) => <p>{TEXTS.done(version, read.source.products.length)}</p>,
};

type PublishPlan = Awaited<ReturnType<typeof PUBLISH_FILE.plan>>;

/** A part of the rows in a table. */
const part = <Row,>(rows: readonly Row[]) => {
  const shown = rows.slice(0, MAX_ROWS);
  return { shown, counts: [shown.length, rows.length] as const };
};

function Problems({ rows }: { rows: PublishPlan["read"]["source"]["problems"] }) {
  const { shown, counts } = part(rows);
  return (
    <Table
      caption={CATALOGUES.problems(...counts)}
      rows={shown}
      empty={CATALOGUES.noProblems}
      columns={[
        { label: CATALOGUES.row, cell: ({ row }) => row, isNumber: true },
        { label: CATALOGUES.product, cell: ({ product }) => product },
        { label: CATALOGUES.field, cell: ({ field }) => field },
        { label: CATALOGUES.problem, cell: ({ reason }) => reason },
      ]}
    />
  );
}

interface ProductChange {
  kind: keyof typeof CATALOGUES.kinds;
  id?: number;
  name: string;
  fields?: string[];
}

const changesOf = ({ added, changed, unpublished }: Comparison): ProductChange[] => [
  ...unpublished.map((each) => ({ kind: "unpublished" as const, ...each })),
  ...changed.map((each) => ({ kind: "changed" as const, ...each })),
  ...added.map((each) => ({ kind: "added" as const, ...each })),
];

function Changes({ rows }: { rows: ProductChange[] }) {
  const { shown, counts } = part(rows);
  return (
    <Table
      caption={CATALOGUES.changes(...counts)}
      rows={shown}
      empty={CATALOGUES.noChanges}
      columns={[
        { label: CATALOGUES.change, cell: ({ kind }) => CATALOGUES.kinds[kind] },
        { label: CATALOGUES.product, cell: ({ id, name }) => `${name} ${String(id ?? "")}` },
        { label: CATALOGUES.fields, cell: ({ fields }) => fields?.join(", ") },
      ]}
    />
  );
}

function EndedTracking({ rows }: { rows: PublishPlan["publication"]["endedTracking"] }) {
  const { shown, counts } = part(rows);
  return (
    <Table
      caption={CATALOGUES.ended(...counts)}
      rows={shown}
      empty={CATALOGUES.noChanges}
      columns={[
        { label: CATALOGUES.product, cell: ({ productId }) => productId, isNumber: true },
        { label: CATALOGUES.variation, cell: ({ variationId }) => variationId || null },
        { label: CATALOGUES.quantity, cell: ({ quantity }) => quantity, isNumber: true },
      ]}
    />
  );
}
