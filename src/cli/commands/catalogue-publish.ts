// `catalogue publish`: publishes a file as the next version of a catalogue.
import type { Command } from "../command.ts";
import { listCatalogues } from "../../operator/catalogue/queries.ts";
import type { PublicationPlan } from "../../operator/catalogue/publish/plan.ts";
import { fromSource } from "../../operator/catalogue/publish/identity.ts";
import { type Publication, publish } from "../../operator/catalogue/publish/publish.ts";
import type { Bindings } from "../../platform/env.ts";
import { FILE_HELP, openFile, readForCatalogue, withFileOptions } from "../catalogue/file.ts";
import { printFile, problemLines, skippedSentence } from "../catalogue/report.ts";
import { isMassUnpublishing, unpublishingText } from "../../operator/catalogue/publish-file.ts";
import { type CatalogueFile, problemCount } from "../../operator/catalogue/read-file.ts";
import { changedSettings } from "../../operator/catalogue/settings.ts";
import { Refusal } from "../../operator/refusal.ts";
import { printChange, runChange, showProgress } from "../run.ts";
import { plural } from "../../core/values/plural.ts";
import { confirm } from "../terminal.ts";

const HELP = `${FILE_HELP}

Clients see either the previous version or the new one. If this command is interrupted, run it again. Products
that are not in the file are unpublished, not deleted. A product or variation of a shop export keeps its Regalo
id if its id, SKU or handle in the shop has not changed.

--stock keep (the default): existing products keep their current quantity, because an export does not contain
later orders. New products get the quantity of the file. --stock replace: all products get the quantity of the
file when the version becomes current. Use it after stocktaking, with an export that is newer than the last
order. In both modes, the file decides whether stock is tracked and whether a product can be sold. There is one
exception: a product that the file lists as out_of_stock with quantity 0 keeps its quantity with --stock keep,
and is sold until that quantity is used up.

A product has one stock, which all catalogues that list it share. The stock belongs to the catalogue that
published the product first. A file with product ids of another catalogue is refused without --share-stock.

If more than a tenth of the catalogue would be unpublished, the command asks for confirmation or needs
--allow-unpublish. --yes does not confirm this.

Examples:
  npm run ops -- catalogue publish seed/catalogue.json
  npm run ops -- catalogue publish wc-product-export.csv --currency AUD --shipping 9.50 --vendor "Acme" \\
    --vendor-logo https://acme.example/logo.svg --placeholder /images/products/gift.svg
  npm run ops -- catalogue publish products_export.csv --catalogue boutique --currency EUR \\
    --locations DE,AT --stock replace --env sandbox`;

export function publishCommand(catalogue: Command): void {
  withFileOptions(catalogue.command("publish <file>"))
    .description("publish the products of a file as the catalogue's next version, all or nothing")
    .choice(
      "--stock <mode>",
      "quantities of existing products: see below",
      ["keep", "replace"],
      "keep",
    )
    .option("--skip-invalid", "skip products with problems instead of refusing the file")
    .option("--allow-unpublish", "allow unpublishing more than a tenth of the catalogue")
    .details(HELP)
    .action(async (file, options, command) => {
      const opened = await openFile(file, options);
      const { catalogue } = options;
      const nowMs = Date.now();
      const plan = async ({ DB }: Bindings) => {
        const read = await readForCatalogue(DB, opened, nowMs);
        const { products, problems } = read.source;
        if (problems.length > 0 && (read.isIncomplete || !options.skipInvalid)) {
          printFile(command, file, read, null);
          const skip = options.skipInvalid ? "" : ", or skip these products with --skip-invalid";
          throw new Refusal(
            `${file} has ${problemCount(read)}. Nothing was published. Correct the file${skip}.`,
          );
        }
        if (products.length === 0)
          throw new Refusal(`${file} has no product that can be published.`);
        const [found] = await listCatalogues(DB, catalogue);
        return {
          description:
            `publish ${plural(products.length, "product")} as catalogue ${catalogue}, ` +
            `which has ${plural(found?.total ?? 0, "product")} and ${plural(found?.clients ?? 0, "client")}`,
          subjects: [{ type: "catalogue" as const, keys: [catalogue] }],
          read,
        };
      };
      await runChange(command, plan, async ({ DB }, { read }) => {
        const { products } = read.source;
        const publication = await publish(DB, catalogue, products.map(fromSource), nowMs, {
          stock: options.stock,
          settings: read.settings,
          shareStock: options.shareStock ?? false,
          untracked: options.untracked ?? false,
          confirm: (plan) => confirmUnpublishing(plan, options.allowUnpublish ?? false),
          onProgress: showProgress(command, products.length, "published"),
        });
        printPublished(command, catalogue, publication, read);
      });
    });
}

function printPublished(
  command: Command,
  catalogue: string,
  { version, comparison }: Publication,
  { source, before, settings, notes }: CatalogueFile,
): void {
  const { products, problems, unpublished } = source;
  const saved = changedSettings(before, settings);
  const { added, changed, unpublished: removed } = comparison;
  const value = {
    catalogue,
    version,
    products: products.length,
    added: added.length,
    changed: changed.length,
    unpublished: removed.length,
    leftOut: unpublished,
    problems,
    notes,
    settings,
  };
  printChange(command, value, () => [
    ...problemLines(problems),
    ...notes,
    ...(saved.length > 0 ? [`Saved settings: ${saved.join(", ")}.`] : []),
    `Published version ${String(version)} of ${catalogue}: ` +
      `${String(products.length)} products, ${String(added.length)} new, ` +
      `${String(changed.length)} changed, ${String(removed.length)} unpublished. ` +
      `${skippedSentence(unpublished)}All clients see it within a minute.`,
  ]);
}

/** Asks for confirmation of a mass unpublishing. Errors: `Refusal`. */
async function confirmUnpublishing(
  { catalogueName, listed, comparison }: PublicationPlan,
  allowed: boolean,
): Promise<void> {
  const unpublished = comparison.unpublished.length;
  if (allowed || !isMassUnpublishing(unpublished, listed)) return;
  const change = unpublishingText(catalogueName, unpublished, listed);
  if (!process.stdin.isTTY) {
    throw new Refusal(
      `this would ${change}. Nothing was published. Add --allow-unpublish to allow it.`,
    );
  }
  if (!(await confirm(`This will ${change}. Continue?`))) throw new Refusal("nothing was changed.");
}
