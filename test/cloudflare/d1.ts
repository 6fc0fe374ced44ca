// The calls of the simulated API for D1 databases.
import { createHash, randomUUID } from "node:crypto";
import { cpSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { DatabaseSync } from "node:sqlite";
import { unstable_splitSqlQuery } from "wrangler";
import { ApiRefusal, type Database, newDatabase } from "./account.ts";
import { type Call, found, type RawResponse, type Routes } from "./call.ts";
import { replaceDatabase } from "./runtime.ts";

export const D1_ROUTES: Routes = {
  "GET /d1/database": ({ account, query }) =>
    account.databases
      .filter(({ name }) => name.includes(query.get("name") ?? ""))
      .map(describeDatabase),
  "POST /d1/database": ({ account, json }) => {
    const { name, primary_location_hint, jurisdiction } = json();
    if (account.databases.some((each) => each.name === name)) {
      throw new ApiRefusal(400, 7502, `A database with name '${String(name)}' already exists`);
    }
    const database = newDatabase(name, { locationHint: primary_location_hint, jurisdiction });
    account.databases.push(database);
    return describeDatabase(database);
  },
  "GET /d1/database/:database": (call) => describeDatabase(databaseOf(call)),
  "PUT /d1/database/:database": (call) => {
    const database = databaseOf(call);
    database.readReplication = call.json().read_replication.mode;
    return describeDatabase(database);
  },
  "DELETE /d1/database/:database": (call) => {
    const database = databaseOf(call);
    call.account.databases.splice(call.account.databases.indexOf(database), 1);
    return null;
  },

  "POST /d1/database/:database/query": async (call) => {
    const { sql, params = [] } = call.json();
    return runSql(call, sql, params);
  },
  "POST /d1/database/:database/import": async (call) => {
    const { action, etag, filename } = call.json();
    const database = databaseOf(call);
    if (action === "init") {
      return {
        upload_url: `${call.origin}/files/${String(etag)}.sql`,
        filename: `${String(etag)}.sql`,
      };
    }
    const sql = readFileSync(fileOf(call, filename), "utf8");
    const results = await runSql(call, sql);
    return {
      ...{ success: true, status: "complete", type: "import", messages: [] },
      result: {
        num_queries: results.length,
        final_bookmark: takeCopy(call, database),
        meta: { duration: 1, rows_read: 0, rows_written: 0, size_after: 0 },
      },
    };
  },
  "POST /d1/database/:database/export": async (call) => {
    const { dump_options: options = {} } = call.json();
    const database = await call.runtime.database(databaseOf(call).uuid);
    // Miniflare's own dump.
    const dump = await database
      .prepare("PRAGMA miniflare_d1_export(?,?,?);")
      .bind(Number(options.no_schema ?? 0), Number(options.no_data ?? 0), ...(options.tables ?? []))
      .raw();
    const filename = `${randomUUID()}.sql`;
    writeFileSync(fileOf(call, filename), (dump[0] as unknown as string[]).join("\n"));
    return {
      ...{ success: true, status: "complete", type: "export", messages: [] },
      at_bookmark: takeCopy(call, databaseOf(call)),
      result: { filename, signed_url: `${call.origin}/files/${filename}` },
    };
  },

  "GET /d1/database/:database/time_travel/bookmark": (call) => {
    const database = databaseOf(call);
    const timestamp = call.query.get("timestamp");
    if (timestamp === null) return { bookmark: takeCopy(call, database) };
    const before = database.copies.findLast(({ takenAtMs }) => takenAtMs <= Date.parse(timestamp));
    if (!before) throw new ApiRefusal(400, 7500, "There is no bookmark at this time.");
    return { bookmark: before.bookmark };
  },
  "POST /d1/database/:database/time_travel/restore": async (call) => {
    const database = databaseOf(call);
    const bookmark = call.query.get("bookmark");
    const copy = database.copies.find((each) => each.bookmark === bookmark);
    if (!copy) throw new ApiRefusal(400, 7500, `The bookmark ${String(bookmark)} is not valid.`);
    const previous_bookmark = takeCopy(call, database);
    await call.runtime.whileStopped(() => {
      replaceDatabase(call.runtime.databaseFile(database.uuid), (file) => {
        cpSync(copy.file, file);
      });
    });
    return { bookmark, previous_bookmark, message: "The database was restored." };
  },
};

/**
 * Paths without an account: analytics, of which there are none, and files that are uploaded for an import or downloaded
 * after an export.
 */
export const COMMON_ROUTES: Routes = {
  "POST /graphql": (): RawResponse => ({
    raw: JSON.stringify({ data: { viewer: { accounts: [] } } }),
  }),
  "PUT /files/:file": (call): RawResponse => {
    writeFileSync(fileOf(call, call.params["file"]), call.body);
    return { raw: "", headers: { ETag: createHash("md5").update(call.body).digest("hex") } };
  },
  "GET /files/:file": (call): RawResponse => ({
    raw: readFileSync(fileOf(call, call.params["file"])),
  }),
};

/** Runs the statements in one transaction, as D1 does. */
async function runSql(call: Call, sql: string, params: unknown[] = []) {
  const database = await call.runtime.database(databaseOf(call).uuid);
  const statements = unstable_splitSqlQuery(sql).map((each) =>
    database.prepare(each).bind(...params),
  );
  try {
    return await database.batch(statements);
  } catch (error) {
    throw new ApiRefusal(400, 7500, (error as Error).message.replace(/^D1_ERROR: /, ""));
  }
}

/** Copies the database, and returns the bookmark of the copy. Bookmarks sort by time, like those of D1. */
export function takeCopy({ runtime }: Pick<Call, "runtime">, database: Database): string {
  const count = (database.copies.length + 1).toString(16).padStart(8, "0");
  const bookmark = `${count}-00000000-00000000-${randomUUID().replaceAll("-", "")}`;
  const source = runtime.databaseFile(database.uuid);
  const file = `${source}.${bookmark}`;
  mkdirSync(path.dirname(file), { recursive: true });
  const sqlite = new DatabaseSync(source);
  sqlite.prepare("VACUUM INTO ?").run(file);
  sqlite.close();
  database.copies.push({ bookmark, takenAtMs: Date.now(), file });
  return bookmark;
}

const fileOf = ({ runtime }: Call, name: unknown) =>
  path.join(runtime.fileFolder, path.basename(String(name)));

const describeDatabase = ({ uuid, name, createdAtMs, ...database }: Database) => ({
  ...{ uuid, name, version: "production", num_tables: 0, file_size: 0 },
  created_at: new Date(createdAtMs).toISOString(),
  jurisdiction: database.jurisdiction ?? null,
  read_replication: { mode: database.readReplication },
});

/** The database in the path, by id or name. */
function databaseOf({ account, params }: Call): Database {
  const database = account.databases.find(({ uuid, name }) =>
    [uuid, name].includes(String(params["database"])),
  );
  return found(database, 7404, `The database ${String(params["database"])} could not be found`);
}
