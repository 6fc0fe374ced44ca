// `catalogue …`: manages the catalogues that clients order from.
import { optionalDateTime } from "../../core/values/time.ts";
import type { Command } from "../command.ts";
import { requireCatalogue } from "../../operator/catalogue/find.ts";
import { listCatalogues } from "../../operator/catalogue/queries.ts";
import { formatSettings } from "../../operator/catalogue/settings.ts";
import { print, printTable, runCommand } from "../run.ts";
import { fields } from "../terminal.ts";
import { checkCommand } from "./catalogue-check.ts";
import { publishCommand } from "./catalogue-publish.ts";

export function catalogueCommands(program: Command): void {
  const catalogue = program
    .command("catalogue")
    .description("manage the catalogues that clients order from");

  publishCommand(catalogue);
  checkCommand(catalogue);

  catalogue
    .command("list")
    .description("list all catalogues")
    .examples("catalogue list")
    .action(async (_options, command) => {
      await runCommand(command, async ({ DB }) => {
        printTable(command, await listCatalogues(DB), {
          CATALOGUE: (each) => each.name,
          VERSION: (each) => each.version,
          PRODUCTS: (each) => each.total,
          PHYSICAL: (each) => each.physical,
          DIGITAL: (each) => each.digital,
          CLIENTS: (each) => each.clients,
          PUBLISHED: (each) => optionalDateTime(each.publishedAtMs),
          CURRENCY: (each) => formatSettings(each.settings).currency,
          SHIPPING: (each) => formatSettings(each.settings).shipping,
          LOCATIONS: (each) => formatSettings(each.settings).locations,
          VENDOR: (each) => formatSettings(each.settings).vendor,
          LANGUAGE: (each) => formatSettings(each.settings).language,
        });
      });
    });

  catalogue
    .command("show <name>")
    .description("show a catalogue and its saved settings")
    .examples("catalogue show main")
    .action(async (name, _options, command) => {
      await runCommand(command, async ({ DB }) => {
        const found = await requireCatalogue(DB, name);
        const { publishedAtMs, settings, ...rest } = found;
        print(command, found, () =>
          fields({
            ...rest,
            published: optionalDateTime(publishedAtMs),
            ...formatSettings(settings),
          }),
        );
      });
    });
}
