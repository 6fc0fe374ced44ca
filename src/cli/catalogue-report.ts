// What the commands of catalogue files print.
import type { Command } from "commander";
import type { Comparison } from "../catalogue/publish/compare.ts";
import type { CatalogueSource, FileProblem } from "../catalogue/import/source.ts";
import { type CatalogueFile, changedSettings } from "./catalogue-file.ts";
import { show } from "./session.ts";
import { table } from "./terminal.ts";

/** A file that was read, and what publishing it would change where that is known. */
export function showFile(
  command: Command,
  file: string,
  { source, published, before, settings, notes }: CatalogueFile,
  comparison: Comparison | null,
): void {
  const { format, products, problems, unpublished } = source;
  const settingsChanged = changedSettings(before, settings);
  const value = {
    file,
    format,
    products: products.length,
    leftOut: unpublished,
    problems,
    notes,
    settingsChanged,
    ...(comparison && { version: published.version, ...comparison }),
  };
  show(command, value, () =>
    [
      ...(problems.length > 0 ? [problemTable(problems), ""] : []),
      ...(comparison ? changeLines(comparison) : []),
      ...notes,
      ...(settingsChanged.length > 0
        ? [`Would be remembered: ${settingsChanged.join(", ")}.`]
        : []),
      readable(file, source),
      ...(comparison ? [summary(published.version, comparison)] : []),
    ].join("\n"),
  );
}

/** Rows of a table for people; --json has all. */
const SHOWN_CHANGES = 50;

function changeLines({ added, changed, unpublished }: Comparison): string[] {
  const rows = [
    ...added.map(({ name }) => ["new", null, short(name), null]),
    ...changed.map(({ id, name, fields: names }) => ["changed", id, short(name), names.join(", ")]),
    ...unpublished.map(({ id, name }) => ["unpublished", id, short(name), null]),
  ];
  if (rows.length === 0) return [];
  const more = rows.length - SHOWN_CHANGES;
  return [
    table(["CHANGE", "PRODUCT_ID", "PRODUCT", "FIELDS"], rows.slice(0, SHOWN_CHANGES)),
    ...(more > 0 ? [`and ${String(more)} more, which --json lists`] : []),
    "",
  ];
}

function summary(version: number, { added, changed, unpublished, unchanged }: Comparison): string {
  return version === 0
    ? "Nothing is published as this catalogue yet."
    : `Compared with version ${String(version)}: ${String(added.length)} new, ` +
        `${String(changed.length)} changed, ${String(unpublished.length)} unpublished, ` +
        `${String(unchanged)} unchanged.`;
}

const readable = (file: string, { format, products, unpublished }: CatalogueSource) =>
  `${file} (${format}): ${plural(products.length, "product")} can be published. ${leftOut(unpublished)}`.trim();

export function problemTable(problems: readonly FileProblem[]): string {
  return table(
    ["ROW", "PRODUCT", "FIELD", "PROBLEM"],
    problems.map(({ row, product, field, reason }) => [
      row,
      product === undefined ? null : short(product),
      field,
      reason,
    ]),
  );
}

const short = (name: string) => (name.length > 40 ? `${name.slice(0, 39)}…` : name);

export function counted(problems: readonly FileProblem[]): string {
  const rows = new Set(problems.map(({ row }) => row)).size;
  return `${plural(problems.length, "problem")} in ${plural(rows, "row")}`;
}

const plural = (n: number, word: string) => `${String(n)} ${word}${n === 1 ? "" : "s"}`;

export const leftOut = (unpublished: number) =>
  unpublished > 0 ? `Left out because the shop does not show them: ${String(unpublished)}. ` : "";
