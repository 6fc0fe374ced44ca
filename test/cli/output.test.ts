// The files that commands write with --output.
import { execFileSync } from "node:child_process";
import {
  chmodSync,
  lstatSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { readFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, expect, test } from "vitest";
import { UsageError } from "../../src/cli/errors.ts";
import { writeParts } from "../../src/cli/output.ts";

const folder = mkdtempSync(path.join(tmpdir(), "regalo-output-"));
const fileOf = (name: string) => path.join(folder, name);

afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
});

test("a file keeps its permissions and the links to it", async () => {
  writeFileSync(fileOf("private.csv"), "old");
  chmodSync(fileOf("private.csv"), 0o600);
  symlinkSync(fileOf("private.csv"), fileOf("link.csv"));
  await writeParts(fileOf("link.csv"), ["a", "b"]);
  expect(lstatSync(fileOf("link.csv")).isSymbolicLink()).toBe(true);
  expect(readFileSync(fileOf("private.csv"), "utf8")).toBe("ab");
  expect(statSync(fileOf("private.csv")).mode & 0o777).toBe(0o600);
});

test("a pipe is written and not replaced", async () => {
  const pipe = fileOf("pipe");
  execFileSync("mkfifo", [pipe]);
  const [text] = await Promise.all([readFile(pipe, "utf8"), writeParts(pipe, ["a", "b"])]);
  expect(text).toBe("ab");
  expect(statSync(pipe).isFIFO()).toBe(true);
});

test("a failure leaves the file as it was, and no incomplete file", async () => {
  const file = fileOf("kept.csv");
  writeFileSync(file, "old");
  const before = readdirSync(folder);
  function* failing() {
    yield "new";
    throw new Error("the database is gone");
  }
  await expect(writeParts(file, failing())).rejects.toThrow("the database is gone");
  await expect(writeParts(path.join(file, "x.csv"), ["new"])).rejects.toThrow(UsageError);
  expect(readFileSync(file, "utf8")).toBe("old");
  expect(readdirSync(folder)).toEqual(before);
});
