// `npm run ops -- …`: the operator's commands, which call the operator API.
import { runProgram } from "./operations/program.ts";

// Without a listener, a reader such as `head` that closes the output early would end the process with an error. Other
// faults of the output are reported where it is written.
process.stdout.on("error", () => undefined);

process.exitCode = await runProgram(process.argv.slice(2));
