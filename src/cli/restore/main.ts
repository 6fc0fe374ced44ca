// `npm run restore:file -- backup.sql --output import.sql`: makes a file of `wrangler d1 export` importable.
import { parseArgs } from "node:util";
import { describeError, UsageError } from "../operations/errors.ts";
import { writeParts } from "../operations/output.ts";
import { importSql } from "./import-file.ts";

try {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { output: { type: "string" } },
  });
  const [file, ...others] = positionals;
  if (file === undefined || others.length > 0) throw new UsageError("name one file of an export.");
  await writeParts(values.output, importSql(file));
} catch (error) {
  const { exitCode, message } = describeError(error);
  console.error(`error: ${message}`);
  process.exitCode = exitCode;
}
