// What cites an entry of DECISIONS.md names one that exists.
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
