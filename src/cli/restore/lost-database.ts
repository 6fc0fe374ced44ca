// An export of the lost database as a temporary SQLite database.
import type { DatabaseSync, SQLInputValue } from "node:sqlite";
import type { Reader } from "../../operator/recovery/queries.ts";
import { UsageError } from "../errors.ts";
import { checkExportFile, linesOf, unreadableLine } from "./export-file.ts";

/** Runs `work` with the export in a temporary file, which is deleted afterwards. Errors: `UsageError`. */
export async function withLostDatabase<T>(
  file: string,
  work: (lost: Reader) => Promise<T>,
): Promise<T> {
  await checkExportFile(file);
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
  // The message of SQLite may contain personal data of the statement.
  const reportAt = (number: number, work: () => void) => {
    try {
      work();
    } catch {
      throw unreadableLine(file, number, "is not a statement of an export");
    }
  };
  let other: string[] = [];
  let firstOther = 1;
  const runOther = () => {
    reportAt(firstOther, () => {
      sqlite.exec(other.join("\n"));
    });
    other = [];
  };
  sqlite.exec("BEGIN");
  for await (const { number, text, isInsert } of linesOf(file)) {
    if (isInsert) {
      runOther();
      // Runs only the first statement of the line. Those of an export have one.
      reportAt(number, () => sqlite.prepare(text).run());
      continue;
    }
    if (OTHER_FILES.test(text)) throw unreadableLine(file, number, "uses another file");
    if (other.length === 0) firstOther = number;
    other.push(text);
  }
  runOther();
  reportAt(firstOther, () => {
    sqlite.exec("COMMIT");
  });
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
