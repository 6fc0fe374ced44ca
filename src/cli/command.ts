// The command of commander, with shorter forms of what most of our commands have.
import { Command as CommanderCommand, Option } from "commander";

export class Command extends CommanderCommand {
  override createCommand(name?: string): Command {
    return new Command(name);
  }

  /** Adds text to the end of --help. */
  details(text: string): this {
    return this.addHelpText("after", text);
  }

  /** Adds command lines to the end of --help. */
  examples(...lines: string[]): this {
    const commands = lines.map(
      (line) => `\n  npm run ${line.includes("--json") ? "-s " : ""}ops -- ${line}`,
    );
    return this.details(`\nExample${lines.length === 1 ? "" : "s"}:${commands.join("")}`);
  }

  /** Adds an option that permits only these values. */
  choice(flags: string, description: string, values: readonly string[], preset?: string): this {
    return this.addOption(new Option(flags, description).choices(values).default(preset));
  }
}
