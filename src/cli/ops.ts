// `npm run ops -- …`: the operator's commands. They use the code and the storage of the Worker.
import { EXIT, printError } from "./errors.ts";
import { runProgram } from "./program.ts";
import { endProcess } from "./terminal.ts";

const words = process.argv.slice(2);

// Wrangler would print its notes to stdout, where scripts read JSON.
process.env["WRANGLER_LOG"] ??= "error";

// The local runtime prints a stack whenever another process has locked the database, although the call is repeated.
const { error } = console;
console.error = (...values: unknown[]) => {
  if (!String(values[0]).includes("SQLITE_BUSY")) error(...values);
};

// `| head` closes the output early, and a disk may be full. A command still completes its changes. Its exit code then
// must not be that of a refusal, which means that nothing was changed.
let isLost = false;
process.stdout.on("error", ({ code = "unknown" }: NodeJS.ErrnoException) => {
  if (code === "EPIPE" || isLost) return;
  isLost = true;
  process.once("exit", () => {
    if (process.exitCode) return;
    const message = `the output cannot be written: ${code}. Changes are in the audit log.`;
    printError(EXIT.unexpected, message, words);
    process.exitCode = EXIT.unexpected;
  });
});

process.exitCode = await runProgram(words);
endProcess();
