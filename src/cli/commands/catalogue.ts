// `catalogue …`: manages the catalogues that clients order from.
import type { Command } from "../command.ts";
import { listCatalogues } from "../../operator/catalogue/queries.ts";
import { formatDateTime } from "../../core/values/time.ts";
import { formatSettings } from "../catalogue/settings.ts";
import { Refusal } from "../errors.ts";
import { print, runCommand } from "../run.ts";
import { fields, table } from "../terminal.ts";
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
    .action(list);

  catalogue
    .command("show <name>")
    .description("show a catalogue and its saved settings")
    .examples("catalogue show main")
    .action(show);
}

async function list(_options: unknown, command: Command): Promise<void> {
  await runCommand(command, async ({ DB }) => {
    const catalogues = await listCatalogues(DB);
    print(command, catalogues, () =>
      table(
        [
          ...["CATALOGUE", "VERSION", "PRODUCTS", "PHYSICAL", "DIGITAL", "CLIENTS"],
          ...["PUBLISHED", "CURRENCY", "SHIPPING", "LOCATIONS", "VENDOR", "LANGUAGE"],
        ],
        catalogues.map((each) => {
          const { currency, shipping, locations, vendor, language } = formatSettings(each.settings);
          return [
            each.name,
            each.version,
            each.total,
            each.physical,
            each.digital,
            each.clients,
            each.publishedAtMs === null ? null : formatDateTime(each.publishedAtMs),
            ...[currency, shipping, locations, vendor, language],
          ];
        }),
      ),
    );
  });
}

async function show(name: string, _options: unknown, command: Command): Promise<void> {
  await runCommand(command, async ({ DB }) => {
    const [found] = await listCatalogues(DB, name);
    if (!found) throw new Refusal(`there is no catalogue ${name}.`);
    const { publishedAtMs, settings, ...rest } = found;
    print(command, found, () =>
      fields({
        ...rest,
        published: publishedAtMs === null ? null : formatDateTime(publishedAtMs),
        ...formatSettings(settings),
      }),
    );
  });
}
