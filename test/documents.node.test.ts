// The documents agree with the project.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { DatabaseSync } from "node:sqlite";
import { describe, expect, test } from "vitest";
import { STATUS } from "../src/http/error-status.ts";
import { prepareCases } from "../bench/cases.ts";
import { COST_COLUMNS, costCells, measureCosts } from "../bench/costs.ts";
import { startRig } from "../bench/rig.ts";
import { traceRequests, worldTables } from "../bench/waits.ts";
import { PROJECT_ROOT } from "../src/cli/paths.ts";

const DOCUMENTS = [
  "README.md",
  "CONTRIBUTING.md",
  "DECISIONS.md",
  "CHANGELOG.md",
  "bench/README.md",
  "docs/OPERATING.md",
  "docs/architecture.md",
  "docs/shipments.md",
];

const read = (file: string) => readFileSync(path.join(PROJECT_ROOT, file), "utf8");

const NOT_SOURCES = ["node_modules", ".git", ".wrangler"];

/** The files in a folder of the project and in its subfolders. */
function filesIn(folder: string): string[] {
  return readdirSync(path.join(PROJECT_ROOT, folder), { withFileTypes: true })
    .filter(({ name }) => !NOT_SOURCES.includes(name))
    .flatMap((entry) => {
      const file = path.join(folder, entry.name);
      return entry.isDirectory() ? filesIn(file) : [file];
    });
}

const FILES = filesIn(".");
const FILE_NAMES = new Set(FILES.map((file) => path.basename(file)));

describe.each(DOCUMENTS)("%s", (document) => {
  const text = read(document);

  test("names only existing files", () => {
    const from = path.dirname(path.join(PROJECT_ROOT, document));
    const named = [...text.matchAll(/`([\w./*-]+\.(?:ts|tsx|json|toml|md|css|sh))`/g)]
      .map(([, file = ""]) => file)
      // Excludes paths of the API and patterns.
      .filter((file) => !file.startsWith("/") && !file.includes("*"));
    const missing = named.filter(
      (file) =>
        !existsSync(path.join(from, file)) &&
        !existsSync(path.join(PROJECT_ROOT, file)) &&
        !FILE_NAMES.has(file),
    );
    expect(missing).toEqual([]);
  });

  test("names only existing commands", () => {
    const { scripts } = JSON.parse(read("package.json")) as { scripts: Record<string, string> };
    const named = [...text.matchAll(/npm run (?:-s )?([a-z][\w:-]*)/g)].map(
      ([, name = ""]) => name,
    );
    expect(named.filter((name) => !(name in scripts))).toEqual([]);
  });
});

describe("README.md", () => {
  test("describes every folder", () => {
    const tree = /^```\n(src\/\n[^]*?)^```/m.exec(read("README.md"))?.[1] ?? "";
    const lines = tree.split("\n").filter(Boolean);
    const inSrc = lines.filter((line) => /^ {2}\S/.test(line));
    const named = (line: string) => /^\s*(\S+)/.exec(line)?.[1] ?? "";
    const folders = readdirSync(path.join(PROJECT_ROOT, "src"), { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map(({ name }) => `${name}/`);
    expect(
      inSrc
        .map(named)
        .filter((name) => name.endsWith("/"))
        .sort(),
    ).toEqual(folders.sort());
    const files = inSrc.map(named).filter((name) => !name.endsWith("/"));
    expect(files.filter((file) => !existsSync(path.join(PROJECT_ROOT, "src", file)))).toEqual([]);
    const top = lines.filter((line) => /^\S/.test(line)).map(named);
    expect(top.filter((folder) => !existsSync(path.join(PROJECT_ROOT, folder)))).toEqual([]);
  });

  test("has the measured costs and the simulated waiting times", async () => {
    const rows = read("README.md")
      .split("\n")
      .filter((line) => line.startsWith("|"))
      .map((line) =>
        line
          .split("|")
          .slice(1, -1)
          .map((cell) => cell.trim()),
      );
    const rig = await startRig([
      { name: "metered", source: "bench/workers/metered.ts", state: "bench" },
    ]);
    try {
      const prepared = await prepareCases(rig);
      const costs = (await measureCosts(prepared)).map(costCells);
      const tables = [[COST_COLUMNS, ...costs], ...worldTables(await traceRequests(prepared))];
      for (const [head = [], ...measured] of tables) {
        const first = rows.findIndex((cells) => cells.join() === head.join());
        expect(first, head.join()).toBeGreaterThan(-1);
        // The separator line below the head, then the rows.
        expect(rows.slice(first + 2, first + 2 + measured.length)).toEqual(measured);
      }
    } finally {
      await rig.dispose();
    }
  });
});

describe("DECISIONS.md", () => {
  const titles = [...read("DECISIONS.md").matchAll(/^### (.+)$/gm)].map(([, title = ""]) => title);

  test("has unique titles", () => {
    expect(titles.length).toBeGreaterThan(50);
    expect(titles.filter((title, index) => titles.indexOf(title) !== index)).toEqual([]);
  });

  test("has the title of each citation in the project", () => {
    const texts = FILES.filter((file) => /\.(ts|tsx|js|json|sql|md|css|toml|yml)$/.test(file)).map(
      (file) => ({ file, text: read(file) }),
    );
    // A citation may continue on the next line of a comment.
    const citations = texts.flatMap(({ file, text }) =>
      [...text.replaceAll(/\n\s*(?:\*|\/\/|--|#)?\s*/g, " ").matchAll(/DECISIONS\.md: (.{1,100})/g)]
        .map(([, cited = ""]) => ({ file, cited }))
        .filter(() => !file.endsWith("documents.test.ts")),
    );
    expect(citations.length).toBeGreaterThan(5);
    expect(
      citations.filter(({ cited }) => !titles.some((title) => cited.startsWith(title))),
    ).toEqual([]);
  });

  test("lists every error code", () => {
    const [section = ""] =
      /^### Every error has one shape\n[^]*?(?=^### )/m.exec(read("DECISIONS.md")) ?? [];
    expect(Object.keys(STATUS).filter((code) => !section.includes(`\`${code}\``))).toEqual([]);
  });
});

describe("docs/architecture.md", () => {
  test("shows every table with its key and its foreign keys", () => {
    const database = new DatabaseSync(":memory:");
    for (const file of readdirSync(path.join(PROJECT_ROOT, "migrations")).sort()) {
      database.exec(read(`migrations/${file}`));
    }
    const rows = <Row>(sql: string) => database.prepare(sql).all() as unknown as Row[];
    const diagram =
      /```mermaid\nerDiagram\n([^]*?)```/.exec(read("docs/architecture.md"))?.[1] ?? "";
    const relations = [...diagram.matchAll(/^ {2}(\w+) (\|\||\|o)--o\{ (\w+) : /gm)].map(
      ([, parent = "", , child = ""]) => `${parent} ${child}`,
    );
    const shown = [...diagram.matchAll(/^ {2}(\w+) \{\n([^]*?)^ {2}\}/gm)].map(
      ([, name = "", block = ""]) => ({
        name,
        columns: [...block.matchAll(/^ {4}(\w+) (\w+)( PK)?/gm)].map(([, type, column, key]) => ({
          name: column,
          type,
          isKey: key !== undefined,
        })),
      }),
    );

    const tables = rows<{ name: string }>("SELECT name FROM sqlite_master WHERE type = 'table'");
    expect(shown.map(({ name }) => name).sort()).toEqual(tables.map(({ name }) => name).sort());
    const foreignKeys = shown.flatMap(({ name }) =>
      rows<{ table: string }>(`PRAGMA foreign_key_list(${name})`).map(
        ({ table }) => `${table} ${name}`,
      ),
    );
    expect(relations.sort()).toEqual([...new Set(foreignKeys)].sort());
    for (const { name, columns } of shown) {
      const all = rows<{ name: string; type: string; pk: number }>(
        `PRAGMA table_info(${name})`,
      ).map((column) => ({ name: column.name, type: column.type, isKey: column.pk > 0 }));
      expect(all, name).toEqual(expect.arrayContaining(columns));
      expect(columns, name).toEqual(expect.arrayContaining(all.filter(({ isKey }) => isKey)));
    }
  });
});

describe("docs/OPERATING.md", () => {
  const text = read("docs/OPERATING.md");

  test("describes all events of the log", () => {
    const [types = ""] = read("src/log.ts").split("export type LogEvent");
    const events = [...types.matchAll(/"([a-z_]+(?:\.[a-z_]+)?)"/g)].map(([, name]) => name);
    const [, table = ""] = /^\| event +\|([^]*?)\n\n/m.exec(text) ?? [];
    const described = [...table.matchAll(/^\| `([a-z_.]+)`/gm)].map(([, name]) => name);
    expect(events.length).toBeGreaterThan(10);
    expect(described.sort()).toEqual(events.sort());
  });

  test("has the CPU limit of wrangler.toml", () => {
    const limits = [...read("wrangler.toml").matchAll(/cpu_ms = (\d+)/g)].map(([, ms]) =>
      Number(ms),
    );
    expect(limits).toEqual([10_000]);
    expect(text).toContain("ends an invocation after 10 seconds");
  });
});
