import { readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { PROJECT_ROOT } from "../src/cli/paths.ts";

const read = (file: string) => readFileSync(path.join(PROJECT_ROOT, file), "utf8");

test("the GitHub workflow has a job for each command of .ci/run", () => {
  const commands = [...read(".ci/run").matchAll(/^step npm (?:run )?([\w:]+)$/gm)]
    .map(([, script = ""]) => script)
    .filter((script) => script !== "ci");
  const workflow = read(".github/workflows/ci.yml");
  const [, list = ""] = /^ +script:\n((?: +- [\w:]+\n)+)/m.exec(workflow) ?? [];
  const jobs = [...list.matchAll(/- (\S+)/g)].map(([, script = ""]) => script);
  expect(jobs).toEqual(commands);
  expect(commands).toContain("test:browser");
  expect(workflow).toContain("run: npm run ${{ matrix.script }}");
});
