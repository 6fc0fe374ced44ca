// An export of the lost database as a temporary SQLite database.
import type { DatabaseSync, SQLInputValue } from "node:sqlite";
import type { Reader } from "../../recovery/admin.ts";
import { UsageError } from "../errors.ts";
import { isFileError } from "../output.ts";
import { isInsert, linesOf } from "./export-file.ts";

/** Runs `work` with the export in a temporary file, which is deleted afterwards. Errors: `UsageError`. */
export async function withLostDatabase<T>(
  file: string,
  work: (lost: Reader) => Promise<T>,
): Promise<T> {
  // Imported only here, because Node prints a warning when it loads this module.
  const { DatabaseSync } = await import("node:sqlite");
  // An empty name is a temporary database, which SQLite deletes when it is closed.
  const sqlite = new DatabaseSync("", { enableForeignKeyConstraints: false });
  try {
    await load(sqlite, file);
    return await work(asReader(sqlite));
  } finally {
    sqlite.close();
  }
}

/** The statements that open or write other files. The schema in an export contains neither word. */
const OTHER_FILES = /\b(?:attach|vacuum)\b/i;

async function load(sqlite: DatabaseSync, file: string): Promise<void> {
  try {
    sqlite.exec("BEGIN");
    let other: string[] = [];
    const runOther = () => {
      sqlite.exec(other.join("\n"));
      other = [];
    };
    for await (const line of linesOf(file)) {
      if (!isInsert(line)) {
        if (OTHER_FILES.test(line)) throw new Error("a statement uses another file");
        other.push(line);
        continue;
      }
      runOther();
      // Runs only the first statement of the line. Those of an export have one.
      sqlite.prepare(line).run();
    }
    runOther();
    sqlite.exec("COMMIT");
  } catch (error) {
    if (isFileError(error)) throw new UsageError(`${file} cannot be read: ${error.code}.`);
    // The message of SQLite may contain personal data of the statement.
    throw notAnExport(file);
  }
  // The triggers are at the end of an export, so a file without this one is not complete.
  const last = "SELECT 1 FROM sqlite_master WHERE name = 'audit_entries_are_never_deleted'";
  if (!sqlite.prepare(last).get()) throw notAnExport(file);
}

const notAnExport = (file: string) =>
  new UsageError(`${file} is not a complete export of a database of Regalo.`);

/** The part of D1's interface that `Reader` needs. */
function asReader(sqlite: DatabaseSync): Reader {
  const prepare = (sql: string) => {
    const prepared = sqlite.prepare(sql);
    return {
      bind: (...values: SQLInputValue[]) => ({
        all: () => Promise.resolve({ results: prepared.all(...values) }),
        first: () => Promise.resolve(prepared.get(...values) ?? null),
      }),
    };
  };
  return { prepare } as unknown as Reader;
}
