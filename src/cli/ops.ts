// `npm run ops -- …`: the operator's commands. They use the same code and the same storage as the Worker.
import { describeError } from "./errors.ts";
import { createProgram } from "./program.ts";

// Wrangler would print its notes to stdout, where scripts read JSON.
process.env["WRANGLER_LOG"] ??= "error";

try {
  await createProgram().parseAsync();
} catch (error) {
  const { exitCode, message } = describeError(error);
  if (message !== null) console.error(`error: ${message}`);
  process.exitCode = exitCode;
}
