// `npm run ops -- …`: the operator's commands. They use the code and the storage of the Worker.
import { describeError } from "./errors.ts";
import { createProgram } from "./program.ts";

// Wrangler would print its notes to stdout, where scripts read JSON.
process.env["WRANGLER_LOG"] ??= "error";

// `| head` closes the output early. A command still completes its changes.
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code !== "EPIPE") throw error;
});

try {
  await createProgram().parseAsync();
} catch (error) {
  const { exitCode, message } = describeError(error);
  if (message !== null) console.error(`error: ${message}`);
  process.exitCode = exitCode;
}
