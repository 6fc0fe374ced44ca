// Commander's command, with shorter forms of what most commands have. The types of options follow from their flags.
import {
  type CommandUnknownOpts,
  Command as TypedCommand,
  type InferOptions,
  Option,
} from "@commander-js/extra-typings";

export { TypedCommand };

/** A command with any arguments and options. */
export type Command = CommandUnknownOpts;

declare module "@commander-js/extra-typings" {
  /* eslint-disable @typescript-eslint/no-explicit-any, @typescript-eslint/no-empty-object-type --
     TypeScript requires the type parameters of the library. */
  interface Command<
    Args extends any[] = [],
    Opts extends OptionValues = {},
    GlobalOpts extends OptionValues = {},
  > {
    /** Adds text to the end of --help. */
    details(text: string): this;
    /** Adds command lines to the end of --help. */
    examples(...lines: string[]): this;
    /** Adds an option that permits only these values. */
    choice<Flags extends string, const Value extends string, Preset extends Value | undefined>(
      flags: Flags,
      description: string,
      values: readonly Value[],
      preset?: Preset,
    ): Command<
      Args,
      InferOptions<Opts, Flags, Preset, undefined, false, undefined, Value>,
      GlobalOpts
    >;
  }
}

Object.assign(TypedCommand.prototype, {
  details(this: Command, text: string) {
    return this.addHelpText("after", text);
  },
  examples(this: Command, ...lines: string[]) {
    // -s: a program or a file that receives the output must not receive the lines of npm.
    const commands = lines.map(
      (line) => `\n  npm run ${/--json| > /.test(line) ? "-s " : ""}ops -- ${line}`,
    );
    return this.details(`\nExample${lines.length === 1 ? "" : "s"}:${commands.join("")}`);
  },
  choice(this: Command, flags: string, description: string, values: string[], preset?: string) {
    return this.addOption(new Option(flags, description).choices(values).default(preset));
  },
});
