// The output of `catalogue check` and `catalogue publish`.
import type { Command } from "../command.ts";
import type { CatalogueSource, FileProblem } from "../../operator/catalogue/import/source.ts";
import type { Comparison } from "../../operator/catalogue/publish/compare.ts";
import type { CatalogueFile } from "../../operator/catalogue/read-file.ts";
import { changedSettings } from "../../operator/catalogue/settings.ts";
import { print } from "../run.ts";
import { plural } from "../../core/values/plural.ts";
import { shortened, table } from "../terminal.ts";

/** Prints a file's problems and, if `comparison` is given, what publishing it would change. */
export function printFile(
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
  print(command, value, () => [
    ...problemLines(problems),
    ...(comparison ? changeLines(comparison) : []),
    ...notes,
    ...(settingsChanged.length > 0
      ? [`Settings that publishing would save: ${settingsChanged.join(", ")}.`]
      : []),
    fileLine(file, source),
    ...(comparison ? [comparisonLine(published.version, comparison)] : []),
  ]);
}

/** The maximum number of rows in a table. --json prints all of them. */
const MAX_CHANGES = 50;
const MAX_PROBLEM_ROWS = 100;

const moreLines = (total: number, shown: number) =>
  total > shown ? [`and ${String(total - shown)} more, which --json lists`] : [];

function changeLines({ added, changed, unpublished }: Comparison): string[] {
  const rows = [
    ...added.map(({ name }) => ["new", null, shortened(name), null]),
    ...changed.map(({ id, name, fields: names }) => [
      "changed",
      id,
      shortened(name),
      names.join(", "),
    ]),
    ...unpublished.map(({ id, name }) => ["unpublished", id, shortened(name), null]),
  ];
  if (rows.length === 0) return [];
  return [
    table(["CHANGE", "PRODUCT_ID", "PRODUCT", "FIELDS"], rows.slice(0, MAX_CHANGES)),
    ...moreLines(rows.length, MAX_CHANGES),
    "",
  ];
}

function comparisonLine(
  version: number,
  { added, changed, unpublished, unchanged }: Comparison,
): string {
  return version === 0
    ? "This catalogue has not been published yet."
    : `Compared with version ${String(version)}: ${String(added.length)} new, ` +
        `${String(changed.length)} changed, ${String(unpublished.length)} unpublished, ` +
        `${String(unchanged)} unchanged.`;
}

const fileLine = (file: string, { format, products, unpublished }: CatalogueSource) =>
  `${file} (${format}): ${plural(products.length, "product")} can be published. ${skippedSentence(unpublished)}`.trim();

/** A table of the problems, followed by an empty line. Empty if there are no problems. */
export function problemLines(problems: readonly FileProblem[]): string[] {
  if (problems.length === 0) return [];
  const rows = problems
    .slice(0, MAX_PROBLEM_ROWS)
    .map(({ row, product, field, reason }) => [
      row,
      product === undefined ? null : shortened(product),
      field,
      reason,
    ]);
  return [
    table(["ROW", "PRODUCT", "FIELD", "PROBLEM"], rows),
    ...moreLines(problems.length, MAX_PROBLEM_ROWS),
    "",
  ];
}

/** `unpublished` is the number of products that the shop itself does not publish. Empty for 0. */
export const skippedSentence = (unpublished: number) =>
  unpublished > 0
    ? `Skipped ${plural(unpublished, "product")} that the shop does not publish. `
    : "";
