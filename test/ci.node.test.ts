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

test("a deployment follows the checks, and another deployment does not cancel them", () => {
  const deployment = read(".github/workflows/deploy.yml");
  expect(deployment).toContain("uses: ./.github/workflows/ci.yml");
  expect(deployment).toContain("needs: check");
  const ci = read(".github/workflows/ci.yml");
  expect(ci).toContain("workflow_call:");
  expect(ci).toContain("github.event_name == 'workflow_dispatch' && github.run_id || github.ref");
});

test("only the last step of a deployment has the token, and no input is part of a command", () => {
  const deployment = read(".github/workflows/deploy.yml");
  expect(deployment.match(/secrets\./g)).toHaveLength(1);
  expect(deployment).not.toContain("secrets: inherit");
  const [, ...steps] = deployment.split(/^ {6}- /m);
  expect(steps.findIndex((step) => step.includes("secrets."))).toBe(steps.length - 1);
  for (const [, command = ""] of deployment.matchAll(/run: (.*)/g)) {
    expect(command).not.toContain("${{");
  }
});
