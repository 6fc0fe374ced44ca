// `npm run ops -- …`: the operator's commands, on the same stores and verbs as the Worker.
import { describe } from "./failures.ts";
import { createProgram } from "./program.ts";

try {
  await createProgram().parseAsync();
} catch (error) {
  const { exitCode, message } = describe(error);
  if (message !== null) console.error(`error: ${message}`);
  process.exitCode = exitCode;
}
