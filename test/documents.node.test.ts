// The documents agree with the project.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { COST_COLUMNS, costCells, measureCosts } from "../bench/costs.ts";
import { startRig } from "../bench/rig.ts";
import { PROJECT_ROOT } from "../src/cli/platform.ts";

const DOCUMENTS = ["README.md", "DECISIONS.md", "CHANGELOG.md", "bench/README.md"];

const read = (file: string) => readFileSync(path.join(PROJECT_ROOT, file), "utf8");

describe.each(DOCUMENTS)("%s", (document) => {
  const text = read(document);

  test("names only existing files", () => {
    const from = path.dirname(path.join(PROJECT_ROOT, document));
    const named = [...text.matchAll(/`([\w./*-]+\.(?:ts|tsx|json|toml|md|css|sh))`/g)]
      .map(([, file = ""]) => file)
      // Excludes paths of the API and patterns.
      .filter((file) => !file.startsWith("/") && !file.includes("*"));
    const missing = named.filter(
      (file) => !existsSync(path.join(from, file)) && !existsSync(path.join(PROJECT_ROOT, file)),
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

  test("has the measured costs", async () => {
    const rows = read("README.md")
      .split("\n")
      .filter((line) => line.startsWith("|"))
      .map((line) =>
        line
          .split("|")
          .slice(1, -1)
          .map((cell) => cell.trim()),
      );
    const head = rows.findIndex((cells) => cells.join() === COST_COLUMNS.join());
    expect(head).toBeGreaterThan(-1);
    const rig = await startRig([
      { name: "metered", source: "bench/workers/metered.ts", state: "bench" },
    ]);
    try {
      const measured = (await measureCosts(rig)).map(costCells);
      // The separator line below the head, then the rows.
      expect(rows.slice(head + 2, head + 2 + measured.length)).toEqual(measured);
    } finally {
      await rig.dispose();
    }
  });
});
