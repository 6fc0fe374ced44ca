// `restore-file`: makes a file of `wrangler d1 export` importable.
import type { Command } from "../command.ts";
import { checkExportFile } from "../restore/export-file.ts";
import { importStatements } from "../restore/import-file.ts";
import { writeOutput } from "../run.ts";

export function restoreFileCommand(program: Command): void {
  program
    .command("restore-file <export>")
    .description("write a file that D1 can import from a file of wrangler d1 export")
    .option("--output <file>", "write to this file, which only you can read")
    .details(
      `
D1 refuses statements of more than 100 KB. An export contains such statements if a product has more than 100 KB. This
command splits them. It uses no database. Import the new file into an empty database, to which no migration was applied.

Examples:
  npm run ops -- restore-file backup.sql --output import.sql
  npx wrangler d1 execute regalo-production --remote --file import.sql`,
    )
    .action(async (file, { output }, command) => {
      await checkExportFile(file);
      await writeOutput(command, output, importStatements(file));
    });
}
