import { runProgram } from "./operations/program.ts";
process.exitCode = await runProgram(process.argv.slice(2));
