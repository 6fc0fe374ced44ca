// The check before a command, with a complete and with an incomplete installation.
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, test } from "vitest";
import { PROJECT_ROOT } from "../../src/cli/paths.ts";
import { NODE, run } from "../servers/command.ts";

const CHECK = path.join(PROJECT_ROOT, "src/cli/check-node.js");

test.each([
  ["a Node that reads no TypeScript", NODE, ["--no-experimental-strip-types", CHECK]],
  ["no dependencies", "sh", ["-c", `cd "${tmpdir()}" && "$0" "$1"`, NODE, CHECK]],
])("refuses %s with one sentence", async (_, file, words) => {
  const { code, out, err } = await run(file, words);
  expect([code, out]).toEqual([1, ""]);
  expect(err).toMatch(/^error: .*npm ci.*\n$/);
});

test("accepts this installation, and prints nothing", async () => {
  expect(await run(NODE, [CHECK])).toEqual({ code: 0, out: "", err: "" });
});
