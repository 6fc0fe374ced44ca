// `npm run ops -- …`: the operator's commands, on the same stores and verbs as the Worker.
import { describe } from "./failures.ts";
import { createProgram } from "./program.ts";

// wrangler's notes would stand on stdout, among the JSON that scripts read.
process.env["WRANGLER_LOG"] ??= "error";

try {
  await createProgram().parseAsync();
} catch (error) {
  const { exitCode, message } = describe(error);
  if (message !== null) console.error(`error: ${message}`);
  process.exitCode = exitCode;
}
