// The names of the log's lines, by which operators search and set alerts.
import { readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { PROJECT_ROOT } from "../../src/cli/paths.ts";

const read = (file: string) => readFileSync(path.join(PROJECT_ROOT, file), "utf8");
const NAME = /"([a-z_]+(?:\.[a-z_]+)?)"/g;

test("docs/OPERATING.md describes each name, and no other", () => {
  const [types = ""] =
    /type Event = [^]*?export type LogEvent/.exec(read("src/platform/log.ts")) ?? [];
  const [table = ""] = /### Search the log[^]*?### Query/.exec(read("docs/OPERATING.md")) ?? [];
  // The four failures of the cache have one row.
  const names = [...types.matchAll(NAME)].map(([, name = ""]) =>
    name.replace(/^cache\.\w+_failed$/, "cache.*_failed"),
  );
  const rows = [...table.matchAll(/^\| `([^`]+)`/gm)].map(([, name = ""]) => name);
  expect(rows.sort()).toEqual([...new Set(names)].sort());
});
