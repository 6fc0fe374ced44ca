// An export of a database is imported without a difference (docs/RESTORE.md: After the loss of the database).
import { readFileSync } from "node:fs";
import path from "node:path";
import { is } from "drizzle-orm";
import { getTableConfig, SQLiteTable } from "drizzle-orm/sqlite-core";
import { afterAll, expect, test } from "vitest";
import { PROJECT_ROOT, WRANGLER } from "../../src/cli/paths.ts";
import * as schema from "../../src/platform/db/schema.ts";
import { NODE, run } from "../servers/command.ts";
import { sqlOf } from "../servers/demo-server.ts";
import { seededState } from "../servers/server.ts";
import { exportState } from "./exported.ts";

const state = await seededState();
afterAll(() => {
  state.remove();
});
const fileOf = (name: string) => path.join(state.folder, name);

const tables = Object.values(schema)
  .filter((exported) => is(exported, SQLiteTable))
  .map((each) => getTableConfig(each).name);

const readAll = (folder: string) =>
  Object.fromEntries(tables.map((name) => [name, sqlOf({ folder }, `SELECT * FROM ${name}`)]));

const restoreFile = (...words: string[]) =>
  run(NODE, [path.join(PROJECT_ROOT, "src/cli/restore.ts"), ...words]);

const importFile = (file: string) => {
  const words = ["d1", "execute", "DB", "--local", "--persist-to", fileOf("imported")];
  return run(WRANGLER, [...words, "--file", file], { CI: "true" });
};

/** D1 refuses longer statements, so it would refuse the export itself. */
const MAX_STATEMENT = 100_000;

const longestLine = (file: string) =>
  Math.max(
    ...readFileSync(file, "utf8")
      .split("\n")
      .map((line) => line.length),
  );

/** Texts that SQL, an export or a terminal could change. */
const TEXTS = [
  `it's "so" ''quoted'' \\ \\n \\r \\\\n ; -- /* $$ \` % ?1`,
  "a\u00a0\u200b\ufeff\ufffd\ufffe\uffff\u202e\u{1f381}\u{10ffff}z",
  "a\nb\r\nc\rd\te\u2028f\u2029g",
  "\\\nit's\\\r\n'",
];

test("an export of a filled database is imported without a difference", async () => {
  await state.use(async ({ DB }) => {
    const update = DB.prepare("UPDATE clients SET name = ? WHERE id = ?");
    const { results } = await DB.prepare("SELECT id FROM clients LIMIT 4").all<{ id: string }>();
    await DB.batch(results.map(({ id }, index) => update.bind(TEXTS[index] ?? TEXTS[3], id)));
    const content = JSON.stringify({ text: "\u{1F381} it's\n\\n".repeat(20_000) });
    await DB.prepare(
      `INSERT INTO product_revisions SELECT product_id, 'long', product_type, delivery, currency,
         price_minor, shipping_minor, locations, variations, vendor_key, ?, translations FROM product_revisions LIMIT 1`,
    )
      .bind(content)
      .run();
  });
  const before = readAll(state.folder);
  const [file, importable] = [fileOf("export.sql"), fileOf("import.sql")];
  await exportState(state.folder, file);
  expect(await restoreFile(file, "--output", importable)).toMatchObject({ code: 0 });
  const { code, err } = await importFile(importable);
  expect(code, err).toBe(0);
  expect([longestLine(file) > MAX_STATEMENT, longestLine(importable) > MAX_STATEMENT]).toEqual([
    true,
    false,
  ]);

  const after = readAll(fileOf("imported"));
  for (const name of tables) expect(after[name], name).toEqual(before[name]);
});
