// `npm run ops -- …`: the operator's commands, which call the operator API.
import { errorText, EXIT } from "./operations/errors.ts";
import { runProgram } from "./operations/program.ts";

const words = process.argv.slice(2);

// `| head` closes the output early, and a disk may be full. The change is complete by then, so the exit code must not be
// that of a refusal, which means that nothing was changed.
let isLost = false;
process.stdout.on("error", ({ code = "unknown" }: NodeJS.ErrnoException) => {
  if (code === "EPIPE" || isLost) return;
  isLost = true;
  process.once("exit", () => {
    if (process.exitCode) return;
    const message = `the output cannot be written: ${code}. Changes are in the audit log.`;
    console.error(errorText(EXIT.unexpected, message, words));
    process.exitCode = EXIT.unexpected;
  });
});

process.exitCode = await runProgram(words);
