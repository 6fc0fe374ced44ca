// `restore finish` without a file, and files that do not belong to the restore. test/faults/restore.test.ts has the test
// with a file.
import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, test } from "vitest";
import { RESTORE_ROOM } from "../../../src/operator/recovery/finish.ts";
import { MINUTE_MS } from "../../../src/core/values/time.ts";
import { json, refusal, runOps } from "../ops.ts";
import { platform, publishSeed, usePlatform } from "../platform.ts";

usePlatform();

const readNumbers = () =>
  platform.env.DB.prepare(
    `SELECT (SELECT max(id) FROM credentials) AS credentials,
       (SELECT last_id FROM id_sequences WHERE name = 'products') AS products,
       (SELECT max(sequence) FROM events) AS sequence, (SELECT staged_version FROM catalogues) AS version,
       (SELECT data FROM events WHERE type = 'data.restored') AS restored`,
  ).first<{
    credentials: number;
    products: number;
    sequence: number;
    version: number;
    restored: string | null;
  }>();

test("--restored-to raises ids, versions and sequences once", async () => {
  await publishSeed();
  const profile = ["--name", "Acme", "--billing", "credit", "--currency", "AUD"];
  await runOps("client", "add", "acme", ...profile);
  await runOps("credential", "issue", "acme");
  await platform.env.DB.prepare(
    "INSERT INTO events (client_id, sequence, type, created_at_ms) VALUES ('acme', 1, 'credit.low', 0)",
  ).run();
  const own = await readNumbers();
  const restoredTo = new Date(Date.now() - 2.5 * MINUTE_MS).toISOString();

  await json("restore", "finish", "--restored-to", restoredTo);

  const room = 3 * RESTORE_ROOM;
  const raised = await readNumbers();
  expect(raised).toEqual({
    credentials: (own?.credentials ?? 0) + room,
    products: (own?.products ?? 0) + room,
    version: (own?.version ?? 0) + room,
    sequence: (own?.sequence ?? 0) + room + 1,
    restored: JSON.stringify({ lastSequence: own?.sequence }),
  });
  const again = ["restore", "finish", "--restored-to", restoredTo];
  await refusal(1, "the restore was finished at", ...again);
  expect(await readNumbers()).toEqual(raised);
});

test.each([
  ["neither a file nor a time", []],
  ["both", ["restore.json", "--restored-to", "2026-01-01"]],
  ["a time in the future", ["--restored-to", "2999-01-01"]],
])("%s is refused", async (_, words) => {
  await refusal(2, "--restored-to", "restore", "finish", ...words);
});

const newFile = () =>
  path.join(mkdtempSync(path.join(tmpdir(), "regalo-restore-")), "restore.json");

/** What the database has apart from its audit log. */
const dump = async () => {
  const { results } = await platform.env.DB.prepare(
    "SELECT name, sql FROM sqlite_schema UNION ALL SELECT name, last_id FROM id_sequences ORDER BY 1, 2",
  ).all();
  return results;
};

test("a file that was written before later orders is refused", async () => {
  const file = newFile();
  await json("restore", "prepare", file);
  await json("restore", "finish", file);
  await json("restore", "finish", file);
  await platform.env.DB.prepare(
    "INSERT INTO id_sequences (name, last_id) VALUES ('orders', 7) ON CONFLICT DO UPDATE SET last_id = last_id + 1",
  ).run();
  const before = await dump();
  await refusal(1, "orders were placed", "restore", "finish", file);
  expect(await dump()).toEqual(before);
});

test("the file of a restore is not replaced by the state after it", async () => {
  const file = newFile();
  await json("restore", "prepare", file);
  const before = readFileSync(file, "utf8");
  await refusal(1, "exists", "restore", "prepare", file);
  expect(readFileSync(file, "utf8")).toBe(before);
});

test.each([
  ["is cut off", (text: string) => text.slice(0, -1)],
  ["is of another environment", (text: string) => text.replace('"local"', '"sandbox"')],
  ["lacks a part", (text: string) => text.replace('"complaints"', '"other"')],
  ["is no object", () => "null"],
])("a file that %s is refused", async (_, change) => {
  const file = newFile();
  await json("restore", "prepare", file);
  writeFileSync(file, change(readFileSync(file, "utf8")));
  const before = await dump();
  await refusal(1, "is not a complete file", "restore", "finish", file);
  expect(await dump()).toEqual(before);
});

test("events follow each other after a restore, whatever the restored database had", async () => {
  const file = newFile();
  await json("restore", "prepare", file);
  const { DB } = platform.env;
  const select = DB.prepare(
    "SELECT sql FROM sqlite_schema WHERE name = 'events_follow_each_other'",
  );
  const migrated = await select.first("sql");
  await DB.prepare("DROP TRIGGER events_follow_each_other").run();
  await json("restore", "finish", file);
  expect(await select.first("sql")).toBe(migrated);
});
