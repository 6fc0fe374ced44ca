// DECISIONS.md is short, and what cites one of its entries names one that exists.
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";

const decisions = readFileSync("DECISIONS.md", "utf8");
const titles = [...decisions.matchAll(/^### (.+)$/gm)].map(([, title = ""]) => title);

/** The cited titles, with the text after them. A citation may continue on the next line of a comment. */
function citations(file: string): string[] {
  const text = readFileSync(file, "utf8").replaceAll(/\s*\n[ \t]*(?:\/\/|\*)?\s*/g, " ");
  return [...text.matchAll(/DECISIONS\.md: (.{10,90})/g)].map(([, cited = ""]) => cited);
}

test("each cited entry exists", () => {
  const files = execFileSync("git", [
    "grep",
    "-l",
    "DECISIONS",
    "--",
    ":!DECISIONS.md",
    ":!test/docs",
  ]);
  const cited = files.toString().trim().split("\n").flatMap(citations);
  expect(cited.length).toBeGreaterThan(20);
  expect(cited.filter((text) => !titles.some((title) => text.startsWith(title)))).toEqual([]);
});

test("has at most 80 entries, each of at most 12 lines", () => {
  expect(titles.length).toBeLessThanOrEqual(80);
  const entries = decisions.split(/^#+ /m).map((entry) => entry.split("\n").filter(Boolean));
  expect(entries.filter((lines) => lines.length > 1 + 12)).toEqual([]);
});
