// `catalogue check`: compares a file with the current version of a catalogue.
import type { Command } from "../command.ts";
import { ApiError } from "../../core/api-error.ts";
import { listCatalogues } from "../../operator/catalogue/queries.ts";
import type { Comparison } from "../../operator/catalogue/publish/compare.ts";
import { fromSource } from "../../operator/catalogue/publish/identity.ts";
import { checkTracking, planPublication } from "../../operator/catalogue/publish/plan.ts";
import {
  FILE_HELP,
  type FileOptions,
  openFile,
  readForCatalogue,
  withFileOptions,
} from "../catalogue/file.ts";
import { printFile } from "../catalogue/report.ts";
import { isMassUnpublishing } from "../../operator/catalogue/publish-file.ts";
import { type CatalogueFile, problemCount } from "../../operator/catalogue/read-file.ts";
import { Refusal } from "../../operator/refusal.ts";
import { runCommand } from "../run.ts";

const HELP = `${FILE_HELP}

The fields of GET /api/products are compared. Products with problems count as unpublished, as with
\`publish --skip-invalid\`. Quantities are not compared, because publishing keeps them.

Example:
  npm run ops -- catalogue check wc-product-export.csv --catalogue boutique --currency AUD`;

export function checkCommand(catalogue: Command): void {
  withFileOptions(catalogue.command("check <file>"))
    .description("check a file and compare it with the current version; changes nothing")
    .details(HELP)
    .action(async (file, options, command) => {
      const opened = await openFile(file, options);
      await runCommand(command, async ({ DB }) => {
        const read = await readForCatalogue(DB, opened, Date.now());
        const { problems } = read.source;
        const { comparison, refusal } = read.isIncomplete
          ? { comparison: null, refusal: null }
          : await compareWithCurrent(DB, options, read);
        const notes = [
          ...(command.getOptionValueSource("catalogue") === "default"
            ? [await defaultNote(DB, options)]
            : []),
          ...read.notes,
          ...(comparison ? unpublishingNote(comparison, read.published.totals.all) : []),
        ];
        printFile(command, file, { ...read, notes }, comparison);
        if (refusal) throw refusal;
        if (problems.length > 0) {
          throw new Refusal(
            `${file} has ${problemCount(read)}. Publishing it is refused, ` +
              "unless --skip-invalid skips these products.",
          );
        }
      });
    });
}

/** The changes that publishing would make, and the reason why publishing would be refused. */
async function compareWithCurrent(
  d1: D1Database,
  { catalogue, shareStock, untracked }: FileOptions,
  { source }: CatalogueFile,
): Promise<{ comparison: Comparison | null; refusal: ApiError | null }> {
  let comparison: Comparison | null = null;
  try {
    const plan = await planPublication(d1, catalogue, source.products.map(fromSource), {
      shareStock: shareStock ?? false,
    });
    comparison = plan.comparison;
    if (!untracked) checkTracking(plan);
    return { comparison, refusal: null };
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return { comparison, refusal: error };
  }
}

async function defaultNote(d1: D1Database, { catalogue }: FileOptions): Promise<string> {
  const names = (await listCatalogues(d1)).map(({ name }) => name);
  const others = names.filter((name) => name !== catalogue);
  return (
    `--catalogue is not given, so the file is compared with catalogue ${catalogue}. If it belongs to another ` +
    `catalogue${others.length > 0 ? ` (${others.join(", ")})` : ""}, its products are wrongly listed as new, and ` +
    `those of ${catalogue} as unpublished.`
  );
}

const unpublishingNote = ({ unpublished }: Comparison, listed: number): string[] =>
  isMassUnpublishing(unpublished.length, listed)
    ? [
        "More than a tenth of the catalogue would be unpublished: " +
          "publishing asks for confirmation or needs --allow-unpublish.",
      ]
    : [];
