// The command line: what it has in common, and a group of commands for each part of the house.
import { Command, Option } from "commander";
import { catalogueCommands } from "./commands/catalogue.ts";
import { clientCommands } from "./commands/client.ts";
import { credentialCommands } from "./commands/credential.ts";
import { creditCommands } from "./commands/credit.ts";
import { orderCommands } from "./commands/order.ts";

export function createProgram(): Command {
  const program = new Command("npm run ops --")
    .description("Look after Regalo's clients, catalogues, credit and orders.")
    .addOption(
      new Option("--env <name>", "the environment to work on")
        .choices(["local", "sandbox", "production"])
        .default("local"),
    )
    .option("--yes", "change a deployed environment without being asked")
    .option("--json", "print JSON for scripts (npm run -s keeps npm's own lines out)")
    .option("--persist-to <folder>", "folder of the local state, as wrangler has it")
    .configureHelp({ showGlobalOptions: true })
    .showSuggestionAfterError()
    .exitOverride()
    .addHelpText(
      "after",
      `
Exit codes: 0 done, 1 refused (nothing was changed), 2 wrong usage, 3 the environment cannot be reached (try
again), 4 unforeseen.

Examples:
  npm run ops -- client add acme --name "Acme Ltd" --billing invoice --currency AUD
  npm run ops -- catalogue publish shop.csv --currency AUD --locations AU,NZ
  npm run -s ops -- order list --status created --json --env production`,
    );

  for (const register of [
    clientCommands,
    credentialCommands,
    catalogueCommands,
    creditCommands,
    orderCommands,
  ]) {
    register(program);
  }
  return program;
}
