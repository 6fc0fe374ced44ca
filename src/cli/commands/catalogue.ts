// `catalogue …`: publishing a shop's products, all or nothing.
import { type Command, Option } from "commander";
import { listCatalogues, readChanges } from "../../catalogue/admin.ts";
import { compare, type Comparison } from "../../catalogue/publish/compare.ts";
import { planSources, type PublicationPlan } from "../../catalogue/publish/plan.ts";
import { publishSources } from "../../catalogue/publish/publish.ts";
import type { StockMode } from "../../catalogue/publish/staging-queries.ts";
import { ApiError } from "../../api-error.ts";
import { formatDateTime } from "../../values/time.ts";
import {
  type CatalogueFile,
  changedSettings,
  FILE_HELP,
  type FileOptions,
  openFile,
  readForCatalogue,
  shownSettings,
  withFileOptions,
} from "../catalogue-file.ts";
import { Refusal } from "../failures.ts";
import { counted, leftOut, problemTable, showFile } from "../catalogue-report.ts";
import { agree, reading, show } from "../session.ts";
import { confirm, fields, progressBar, table } from "../terminal.ts";

interface PublishCommandOptions extends FileOptions {
  stock: StockMode;
  skipInvalid?: true;
  allowUnpublish?: true;
}

export function catalogueCommands(program: Command): void {
  const catalogue = program.command("catalogue").description("what clients can order");

  withFileOptions(catalogue.command("publish <file>"))
    .description("make a file's products the catalogue, all or nothing")
    .addOption(
      new Option("--stock <mode>", "of products that are sold here already: see below")
        .choices(["keep", "replace"])
        .default("keep"),
    )
    .option("--skip-invalid", "leave out products with problems instead of refusing the file")
    .option("--allow-unpublish", "unpublish more than a tenth of the catalogue without being asked")
    .addHelpText(
      "after",
      `${FILE_HELP}

Readers see the old catalogue or the new one, also when this command is killed: run it again. Products that
are not in the file are unpublished, never deleted. product_id and variation ids stay the same for the same
id, else SKU or handle.

--stock keep (the default): a quantity that is known here stays what orders have left of it, since an export
knows nothing of the orders placed after it; new products start with the file's quantity. --stock replace:
the file's quantities hold from the moment the catalogue is published; use it after stocktaking, with an
export that is newer than the last order. Whether stock is tracked and sellable is always as the file says, but
for a file's out_of_stock with nothing left, which is a quantity: --stock replace stops its sale.
A product's stock is one, in all catalogues that list it. It belongs to the catalogue that published the product
first: a file that names ids of another catalogue is refused without --share-stock.

More than a tenth of the catalogue is unpublished only if you agree when asked, or with --allow-unpublish: --yes
does not answer that question.

Examples:
  npm run ops -- catalogue publish seed/catalogue.json
  npm run ops -- catalogue publish wc-product-export.csv --currency AUD --shipping 9.50 --vendor "Acme" \\
    --vendor-logo https://acme.example/logo.svg --placeholder /images/products/gift.svg
  npm run ops -- catalogue publish products_export.csv --catalogue boutique --currency EUR \\
    --locations DE,AT --stock replace --env sandbox`,
    )
    .action(async (file: string, options: PublishCommandOptions, command: Command) => {
      const opened = await openFile(file, options);
      await reading(command, async ({ DB }) => {
        const nowMs = Date.now();
        const read = await readForCatalogue(DB, opened, nowMs);
        const { source, before, settings, notes } = read;
        const { products, problems, unpublished } = source;
        if (problems.length > 0 && !options.skipInvalid) {
          showFile(command, file, read, null);
          throw new Refusal(
            `${file} has ${counted(problems)}: nothing is published. Correct them, or leave these products ` +
              "out with --skip-invalid.",
          );
        }
        if (products.length === 0) {
          throw new Refusal(`${file} holds no product that could be published.`);
        }
        await agree(
          command,
          `publish ${String(products.length)} products as catalogue ${options.catalogue}`,
        );
        const version = await publishSources(DB, options.catalogue, products, nowMs, {
          stock: options.stock,
          settings,
          shareStock: options.shareStock ?? false,
          confirm: (plan) => confirmUnpublishing(plan, options.allowUnpublish ?? false),
          onProgress: progressBar(products.length),
        });
        const changes = await readChanges(DB, options.catalogue, version);
        const remembered = changedSettings(before, settings);
        show(
          command,
          {
            catalogue: options.catalogue,
            version,
            products: products.length,
            ...changes,
            leftOut: unpublished,
            problems,
            notes,
            settings,
          },
          () =>
            [
              ...(problems.length > 0 ? [problemTable(problems), ""] : []),
              ...notes,
              ...(remembered.length > 0 ? [`Remembered: ${remembered.join(", ")}.`] : []),
              `Published version ${String(version)} of ${options.catalogue}: ` +
                `${String(products.length)} products, ${String(changes.added)} new, ` +
                `${String(changes.changed)} changed, ${String(changes.unpublished)} unpublished. ` +
                `${leftOut(unpublished)}Every client sees it within a minute.`,
            ].join("\n"),
        );
      });
    });

  withFileOptions(catalogue.command("check <file>"))
    .description("say what publishing the file would refuse and change; writes nothing")
    .addHelpText(
      "after",
      `${FILE_HELP}

Changes are told by the fields of GET /api/products. Products with problems count as unpublished, as with
\`publish --skip-invalid\`. Quantities are not compared, since publishing keeps them.

Example:
  npm run ops -- catalogue check wc-product-export.csv --catalogue boutique --currency AUD`,
    )
    .action(async (file: string, options: FileOptions, command: Command) => {
      const opened = await openFile(file, options);
      await reading(command, async ({ DB }) => {
        const read = await readForCatalogue(DB, opened, Date.now());
        const { problems } = read.source;
        const { comparison, refusal } = await compareWithPublished(DB, options, read);
        const notes = comparison
          ? [...read.notes, ...unpublishingNote(comparison, read.published.totals.all)]
          : read.notes;
        showFile(command, file, { ...read, notes }, comparison);
        if (refusal) throw refusal;
        if (problems.length > 0) {
          throw new Refusal(
            `${file} has ${counted(problems)}: publishing it is refused, or leaves these products out ` +
              "with --skip-invalid.",
          );
        }
      });
    });

  catalogue
    .command("list")
    .description("all catalogues")
    .addHelpText("after", "\nExample:\n  npm run ops -- catalogue list")
    .action(async (_options: unknown, command: Command) => {
      await reading(command, async ({ DB }) => {
        const catalogues = await listCatalogues(DB);
        show(command, catalogues, () =>
          table(
            [
              ...["CATALOGUE", "VERSION", "PRODUCTS", "PHYSICAL", "DIGITAL", "CLIENTS"],
              ...["PUBLISHED", "CURRENCY", "SHIPPING", "LOCATIONS", "VENDOR"],
            ],
            catalogues.map((each) => {
              const { currency, shipping, locations, vendor } = shownSettings(each.settings);
              return [
                each.name,
                each.version,
                each.total,
                each.physical,
                each.digital,
                each.clients,
                each.publishedAtMs === null ? null : formatDateTime(each.publishedAtMs),
                ...[currency, shipping, locations, vendor],
              ];
            }),
          ),
        );
      });
    });

  catalogue
    .command("show <name>")
    .description("one catalogue, with the settings that the next publication starts from")
    .addHelpText("after", "\nExample:\n  npm run ops -- catalogue show main")
    .action(async (name: string, _options: unknown, command: Command) => {
      await reading(command, async ({ DB }) => {
        const [found] = await listCatalogues(DB, name);
        if (!found) throw new Refusal(`there is no catalogue ${name}.`);
        const { publishedAtMs, settings, ...rest } = found;
        show(command, found, () =>
          fields({
            ...rest,
            published: publishedAtMs === null ? null : formatDateTime(publishedAtMs),
            ...shownSettings(settings),
          }),
        );
      });
    });
}

/** What publishing would change; null where it would be refused as a whole. */
async function compareWithPublished(
  d1: D1Database,
  { catalogue, shareStock }: FileOptions,
  { source, published }: CatalogueFile,
): Promise<{ comparison: Comparison | null; refusal: ApiError | null }> {
  try {
    const { products } = await planSources(d1, catalogue, source.products, {
      shareStock: shareStock ?? false,
    });
    return { comparison: await compare(d1, published, products), refusal: null };
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return { comparison: null, refusal: error };
  }
}

/** More than a tenth. */
const isMuch = (unpublished: number, listed: number) => unpublished * 10 > listed;

const unpublishingNote = ({ unpublished }: Comparison, listed: number): string[] =>
  isMuch(unpublished.length, listed)
    ? ["More than a tenth would be unpublished: publishing asks first, or needs --allow-unpublish."]
    : [];

/** A file that is a part of a catalogue by mistake would unpublish the rest. Errors: `Refusal`. */
async function confirmUnpublishing(
  { catalogueName, listed, unpublished }: PublicationPlan,
  allowed: boolean,
): Promise<void> {
  if (allowed || !isMuch(unpublished, listed)) return;
  const what =
    `unpublish ${String(unpublished)} of ${String(listed)} products of catalogue ${catalogueName}, ` +
    "which the file does not have";
  if (!process.stdin.isTTY) {
    throw new Refusal(`this would ${what}: nothing is published. Add --allow-unpublish to do it.`);
  }
  if (!(await confirm(`This will ${what}. Go on?`))) throw new Refusal("nothing was changed.");
}
