// The program of `npm run ops`: a command for each operation.
import { Command, InvalidArgumentError, Option } from "commander";
import { type FieldInfo, KINDS } from "../../operator/declaration/kinds.ts";
import { isPositional } from "../../operator/declaration/show.ts";
import { type OperationInfo, OPERATIONS_INFO } from "./description.ts";
import { TERMINAL, type Terminal } from "./io.ts";
import { describeError, errorText, EXIT, MEANINGS, OutputError } from "./errors.ts";
import type { OperatorRequest } from "./request.ts";
import { type GlobalOptions, runOperation } from "./run.ts";
import { deployedEnvironments } from "../paths.ts";

const exitCodes = Object.entries(EXIT)
  .map(([code, value]) => `  ${String(value)}  ${code}: ${MEANINGS[code as keyof typeof EXIT]}\n`)
  .join("");

/** `finish` gets the exit code. */
function createProgram(io: Terminal, finish: (exitCode: number) => void): Command {
  const program = new Command("npm run ops --")
    .description(
      "What operators can see and do. The commands call the operator API of the console.",
    )
    .addOption(
      new Option("--env <name>", "the environment of wrangler.toml")
        .argParser(environmentOf)
        .default("local"),
    )
    .option("--yes", "change a deployed environment without confirmation")
    .option("--plan", "show what a command would change, and change nothing")
    .option("--json", "print JSON for scripts (with npm run -s, which hides npm's own output)")
    .option("--output <file>", "write to this file, which only you can read")
    .configureHelp({ showGlobalOptions: true })
    .showSuggestionAfterError()
    .exitOverride()
    // `runProgram` prints the errors.
    .configureOutput({ outputError: () => undefined })
    .addHelpText(
      "after",
      `
Exit codes:
  0  success
${exitCodes}
With --json, an error is the last line of stderr: {"status":"error","message":…,"code":…,"exit_code":…}.`,
    );
  onlyOnce(program);
  for (const [group, members] of Map.groupBy(
    OPERATIONS_INFO,
    ({ name }) => name.split(" ")[0] ?? "",
  )) {
    const hasOwn = members.some(({ name }) => name === group);
    const isSingle = hasOwn && members.length === 1;
    const names = members.map(({ name }) => wordOf(name)).join(", ");
    const parent = isSingle
      ? program
      : program.command(group).description(names).copyInheritedSettings(program);
    for (const operation of members) addCommand(parent, operation, io, finish);
    // The help of a group with an operation of its own is the help of that operation.
    if (hasOwn && !isSingle) parent.helpOption(false);
  }
  return program;
}

/** `redeem_by` → `--redeem-by` */
const optionOf = (name: string) => `--${name.replaceAll("_", "-")}`;

/** `gift extend` → `extend` */
const wordOf = (name: string) => /^\S+ (.*)$/.exec(name)?.[1] ?? name;

function addCommand(
  parent: Command,
  operation: OperationInfo,
  io: Terminal,
  finish: (exitCode: number) => void,
): void {
  const { name, title, description = "", input, type } = operation;
  const word = wordOf(name);
  // An operation with the name of its group is the one that the group runs.
  const command = parent
    .command(word, { isDefault: word === parent.name() })
    .summary(title)
    .description(`${title}. ${description}`.trim());
  const fields = Object.entries(input);
  const positional = fields.filter(([, field]) => isPositional(field));
  for (const [key, field] of positional) {
    const word = field.isMany ? `${key}...` : key;
    command.argument(field.isOptional ? `[${word}]` : `<${word}>`, helpOf(field));
  }
  for (const [key, field] of fields) {
    if (isPositional(field)) continue;
    const { placeholder = "<value>" } = KINDS[field.type];
    const option = new Option(`${optionOf(key)} ${placeholder}`, helpOf(field));
    if (!field.isOptional) option.makeOptionMandatory();
    const { options } = field;
    if (options) option.choices([...options, ...(field.isNullable ? ["none"] : [])]);
    if (field.isMany) option.argParser((text: string, all?: string[]) => [...(all ?? []), text]);
    command.addOption(option);
  }
  if (type === "list") {
    command.option("--limit <number>", "the maximum number of rows (default: 100)");
    command.option("--csv", "write all rows as CSV");
    command.option("--excel", "write all rows as CSV that Excel opens with a double click");
  }
  onlyOnce(command, (option) => input[option.name().replaceAll("-", "_")]?.isMany !== true);
  const examples = operation.examples ?? [];
  if (examples.length > 0) {
    const lines = examples.map((line) => `\n  npm run ops -- ${name} ${line}`);
    command.addHelpText("after", `\nExample${lines.length === 1 ? "" : "s"}:${lines.join("")}`);
  }
  command.action(async (...words: unknown[]) => {
    const given = command.opts<Record<string, unknown>>();
    const values = fields.map(async ([key, field]): Promise<[string, unknown]> => {
      const index = positional.findIndex(([each]) => each === key);
      const value =
        index >= 0 ? words[index] : given[command.createOption(optionOf(key)).attributeName()];
      // Without values, an argument with several ones is an empty list.
      if (value === undefined || (Array.isArray(value) && value.length === 0)) {
        return [key, undefined];
      }
      if (KINDS[field.type].control === "file") return [key, await io.open(value as string)];
      return [key, value === true ? "yes" : value];
    });
    const all = Object.fromEntries(
      (await Promise.all(values)).filter(([, value]) => value !== undefined),
    ) as OperatorRequest["input"];
    const options = command.optsWithGlobals<GlobalOptions>();
    finish(await runOperation({ operation, input: all, options, io }));
  });
}

function environmentOf(name: string): string {
  const names = ["local", ...deployedEnvironments()];
  if (names.includes(name)) return name;
  throw new InvalidArgumentError(`Allowed choices are ${names.join(", ")}.`);
}

/** Refuses a second value of each option that is no list. */
function onlyOnce(command: Command, isSingle: (option: Option) => boolean = () => true): void {
  for (const option of command.options.filter(isSingle)) {
    const parse = option.parseArg;
    option.argParser((text, before: unknown) => {
      if (command.getOptionValueSource(option.attributeName()) === "cli") {
        throw new InvalidArgumentError("It takes one value.");
      }
      return parse ? parse(text, before) : text;
    });
  }
}

function helpOf({ type, label, hint, preset, isNullable }: FieldInfo): string {
  const parts = [
    KINDS[type].help,
    hint,
    preset && `Default: ${preset}.`,
    isNullable && '"none" removes it.',
  ];
  return [label, ...parts.filter(Boolean)].join(". ").replaceAll("..", ".");
}

/** Runs a command line, and prints its error. Returns the exit code. */
export async function runProgram(words: string[], io = TERMINAL): Promise<number> {
  let exitCode = 0;
  try {
    await createProgram(io, (code) => (exitCode = code)).parseAsync(words, { from: "user" });
    return exitCode;
  } catch (error) {
    const described = describeError(error);
    const message =
      described.message + (error instanceof OutputError ? " Changes are in the audit log." : "");
    if (described.exitCode !== 0) io.note(errorText(described.exitCode, message, words));
    return described.exitCode;
  }
}
