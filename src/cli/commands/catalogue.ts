// `catalogue …`: publishing a shop's products, all or nothing.
import { readFile } from "node:fs/promises";
import { type Command, Option } from "commander";
import { readCatalogue } from "../../catalogue/import/read.ts";
import {
  type CatalogueSource,
  type Problem,
  UnreadableFile,
} from "../../catalogue/import/source.ts";
import { listCatalogues, readChanges } from "../../catalogue/overview.ts";
import type { PublicationPlan } from "../../catalogue/plan.ts";
import { publishSources } from "../../catalogue/publish.ts";
import type { StockMode } from "../../catalogue/staging.ts";
import { parseAmount } from "../../money.ts";
import { formatDateTime } from "../../time.ts";
import { countryCode } from "../../validate.ts";
import { Refusal, Usage } from "../failures.ts";
import { currencyOption } from "../options.ts";
import { changing, reading, show } from "../session.ts";
import { confirm, fields, progressBar, table } from "../terminal.ts";

interface FileOptions {
  currency?: string;
  locations?: string;
  shipping?: string;
  vendor?: string;
}

interface PublishCommandOptions extends FileOptions {
  catalogue: string;
  stock: StockMode;
  skipInvalid?: true;
  shareStock?: true;
  allowUnpublish?: true;
}

const withFileOptions = (command: Command) =>
  command
    .option("--currency <code>", "of all prices, such as AUD: a shop's file does not say it")
    .option("--locations <codes>", "where it is available, such as AU,NZ (default: everywhere)")
    .option("--shipping <amount>", "cost of shipping a physical piece (default: 0.00)")
    .option("--vendor <name>", "the vendor, where the file names none");

const FORMATS = `
The format is recognised by its content: Regalo's own JSON (the answer of GET /api/products), or the product
CSV export of WooCommerce or Shopify, in English and UTF-8.`;

export function catalogueCommands(program: Command): void {
  const catalogue = program.command("catalogue").description("what clients can order");

  withFileOptions(catalogue.command("publish <file>"))
    .description("make a file's products the catalogue, all or nothing")
    .option("--catalogue <name>", "the catalogue", "main")
    .addOption(
      new Option("--stock <mode>", "of products that are sold here already: see below")
        .choices(["keep", "replace"])
        .default("keep"),
    )
    .option("--skip-invalid", "leave out products with problems instead of refusing the file")
    .option("--share-stock", "list products of another catalogue: both sell the same stock")
    .option("--allow-unpublish", "unpublish more than a tenth of the catalogue without being asked")
    .addHelpText(
      "after",
      `${FORMATS}

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

More than a tenth of the catalogue is unpublished only after a yes, or with --allow-unpublish.

Examples:
  npm run ops -- catalogue publish seed/catalogue.json
  npm run ops -- catalogue publish wc-product-export.csv --currency AUD --shipping 9.50 --vendor "Acme"
  npm run ops -- catalogue publish products_export.csv --catalogue boutique --currency EUR \\
    --locations DE,AT --stock replace --env sandbox`,
    )
    .action(async (file: string, options: PublishCommandOptions, command: Command) => {
      const source = await readSource(file, options);
      const { products, problems, unpublished } = source;
      if (problems.length > 0 && !options.skipInvalid) {
        showProblems(command, file, source);
        throw new Refusal(`${file} has ${counted(problems)}: nothing is published.`);
      }
      if (products.length === 0) {
        throw new Refusal(`${file} holds no product that could be published.`);
      }
      const what = `publish ${String(products.length)} products as catalogue ${options.catalogue}`;
      await changing(command, what, async ({ DB }) => {
        const version = await publishSources(DB, options.catalogue, products, Date.now(), {
          stock: options.stock,
          shareStock: options.shareStock ?? false,
          confirm: (plan) => confirmUnpublishing(plan, options.allowUnpublish ?? false),
          onProgress: progressBar(products.length),
        });
        const changes = await readChanges(DB, options.catalogue, version);
        show(
          command,
          {
            catalogue: options.catalogue,
            version,
            products: products.length,
            ...changes,
            leftOut: unpublished,
            problems,
          },
          () =>
            [
              ...(problems.length > 0 ? [problemTable(problems), ""] : []),
              `Published version ${String(version)} of ${options.catalogue}: ` +
                `${String(products.length)} products, ${String(changes.added)} new, ` +
                `${String(changes.changed)} changed, ${String(changes.unpublished)} unpublished. ` +
                `${leftOut(unpublished)}Every client sees it within a minute.`,
            ].join("\n"),
        );
      });
    });

  withFileOptions(catalogue.command("check <file>"))
    .description("say what publishing the file would refuse; writes nothing")
    .addHelpText(
      "after",
      `${FORMATS}

Example:
  npm run ops -- catalogue check wc-product-export.csv --currency AUD`,
    )
    .action(async (file: string, options: FileOptions, command: Command) => {
      const source = await readSource(file, options);
      showProblems(command, file, source);
      if (source.problems.length > 0) {
        throw new Refusal(`${file} has ${counted(source.problems)}.`);
      }
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
            ["CATALOGUE", "VERSION", "PRODUCTS", "PHYSICAL", "DIGITAL", "CLIENTS", "PUBLISHED"],
            catalogues.map((each) => [
              each.name,
              each.version,
              each.total,
              each.physical,
              each.digital,
              each.clients,
              each.publishedAtMs === null ? null : formatDateTime(each.publishedAtMs),
            ]),
          ),
        );
      });
    });

  catalogue
    .command("show <name>")
    .description("one catalogue")
    .addHelpText("after", "\nExample:\n  npm run ops -- catalogue show main")
    .action(async (name: string, _options: unknown, command: Command) => {
      await reading(command, async ({ DB }) => {
        const [found] = await listCatalogues(DB, name);
        if (!found) throw new Refusal(`there is no catalogue ${name}.`);
        const { publishedAtMs, ...rest } = found;
        show(command, found, () =>
          fields({
            ...rest,
            published: publishedAtMs === null ? null : formatDateTime(publishedAtMs),
          }),
        );
      });
    });
}

/** A file that is a part of a catalogue by mistake would unpublish the rest. Errors: `Refusal`. */
async function confirmUnpublishing(
  { catalogueName, listed, unpublished }: PublicationPlan,
  allowed: boolean,
): Promise<void> {
  if (allowed || unpublished * 10 <= listed) return;
  const what =
    `unpublish ${String(unpublished)} of ${String(listed)} products of catalogue ${catalogueName}, ` +
    "which the file does not have";
  if (!process.stdin.isTTY) {
    throw new Refusal(`this would ${what}: nothing is published. Add --allow-unpublish to do it.`);
  }
  if (!(await confirm(`This will ${what}. Go on?`))) throw new Refusal("nothing was changed.");
}

async function readSource(file: string, options: FileOptions): Promise<CatalogueSource> {
  const { locations = "", shipping = "0", vendor = "" } = options;
  const currency = currencyOption(options.currency);
  const codes = locations
    .split(",")
    .map((code) => code.trim())
    .filter((code) => code !== "");
  const wrong = codes.find((code) => !countryCode().safeParse(code).success);
  if (wrong !== undefined) {
    throw new Usage(`--locations must be ISO 3166-1 alpha-2 codes, such as AU,NZ: ${wrong}`);
  }
  const shippingMinor = parseAmount(shipping);
  if (shippingMinor === undefined) {
    throw new Usage(`--shipping must be an amount with at most two decimals: ${shipping}`);
  }
  const bytes = await readFile(file).catch((error: unknown) => {
    const code = (error as NodeJS.ErrnoException).code ?? "unknown";
    throw new Refusal(`${file} cannot be read (${code}).`);
  });
  try {
    return readCatalogue(bytes, {
      currency,
      locations: codes,
      shippingMinor,
      vendor,
      nowMs: Date.now(),
    });
  } catch (error) {
    if (!(error instanceof UnreadableFile)) throw error;
    throw new Refusal(`${file} ${error.message}.`);
  }
}

function showProblems(command: Command, file: string, source: CatalogueSource): void {
  const { format, products, problems, unpublished } = source;
  show(command, { file, format, products: products.length, leftOut: unpublished, problems }, () =>
    [
      ...(problems.length > 0 ? [problemTable(problems), ""] : []),
      `${file} (${format}): ${String(products.length)} products can be published. ` +
        leftOut(unpublished).trim(),
    ].join("\n"),
  );
}

function problemTable(problems: readonly Problem[]): string {
  return table(
    ["ROW", "FIELD", "PROBLEM"],
    problems
      .toSorted((a, b) => a.row - b.row)
      .map(({ row, field, reason }) => [row, field, reason]),
  );
}

function counted(problems: readonly Problem[]): string {
  const rows = new Set(problems.map(({ row }) => row)).size;
  const plural = (n: number, word: string) => `${String(n)} ${word}${n === 1 ? "" : "s"}`;
  return `${plural(problems.length, "problem")} in ${plural(rows, "row")}`;
}

const leftOut = (unpublished: number) =>
  unpublished > 0 ? `${String(unpublished)} are not published in the shop and left out. ` : "";
