// The program of `npm run ops`: its global options and its groups of commands.
import { type Command, TypedCommand } from "./command.ts";
import { auditCommands } from "./commands/audit.ts";
import { clientCommands } from "./commands/client.ts";
import { credentialCommands } from "./commands/credential.ts";
import { creditCommands } from "./commands/credit.ts";
import { emailCommands } from "./commands/email.ts";
import { eventCommands } from "./commands/event.ts";
import { giftCommands } from "./commands/gift.ts";
import { healthCommand } from "./commands/health.ts";
import { orderCommands } from "./commands/order.ts";
import { recipientCommands } from "./commands/recipient.ts";
import { restoreCommands } from "./commands/restore.ts";
import { restoreFileCommand } from "./commands/restore-file.ts";
import { statementCommand } from "./commands/statement.ts";
import { webhookCommands } from "./commands/webhook.ts";
import { describeError, EXIT, MEANINGS, printError } from "./errors.ts";

const exitCodes = Object.entries(EXIT)
  .map(([code, value]) => `  ${String(value)}  ${code}: ${MEANINGS[code as keyof typeof EXIT]}\n`)
  .join("");

export function createProgram(): Command {
  const program = new TypedCommand("npm run ops --")
    .description(
      "Manage Regalo's clients, credentials, credit, statements, orders, gifts, " +
        "shipments, recipients' data, e-mails, events and webhooks, list what was changed, and show whether everything works.",
    )
    .choice("--env <name>", "the environment to use", ["local", "sandbox", "production"], "local")
    .option(
      "--as <name>",
      "your name for the audit log (default: $REGALO_OPERATOR, or the user of this computer)",
    )
    .option("--yes", "change a deployed environment without confirmation")
    .option("--json", "print JSON for scripts (with npm run -s, which hides npm's own output)")
    .option("--persist-to <folder>", "folder of the local state, as in wrangler")
    .configureHelp({ showGlobalOptions: true })
    .showSuggestionAfterError()
    .exitOverride()
    // `runProgram` prints the errors.
    .configureOutput({ outputError: () => undefined }).details(`
Exit codes:
  0  success
${exitCodes}
With --json, an error is the last line of stderr: {"status":"error","message":…,"code":…,"exit_code":…}.

Examples:
  npm run ops -- client add acme --name "Acme Ltd" --billing invoice --currency AUD
  npm run -s ops -- order list --status created --json --env production`);

  for (const register of [
    clientCommands,
    credentialCommands,
    creditCommands,
    orderCommands,
    giftCommands,
    recipientCommands,
    emailCommands,
    eventCommands,
    webhookCommands,
    auditCommands,
    statementCommand,
    healthCommand,
    restoreCommands,
    restoreFileCommand,
  ]) {
    register(program);
  }
  return program;
}

/** Runs a command line, and prints its error. Returns the exit code. */
export async function runProgram(words: string[]): Promise<number> {
  try {
    await createProgram().parseAsync(words, { from: "user" });
    return 0;
  } catch (error) {
    const { exitCode, message } = describeError(error);
    if (exitCode !== 0) printError(exitCode, message, words);
    return exitCode;
  }
}
