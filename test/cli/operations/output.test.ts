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
import { OutputError } from "../../../src/cli/operations/errors.ts";
import { writeParts } from "../../../src/cli/operations/output.ts";

const folder = mkdtempSync(path.join(tmpdir(), "regalo-output-"));
const fileOf = (name: string) => path.join(folder, name);

afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
});

test("only its owner can read a file, also one that others could read before, and links to it stay", async () => {
  writeFileSync(fileOf("public.csv"), "old");
  chmodSync(fileOf("public.csv"), 0o666);
  symlinkSync(fileOf("public.csv"), fileOf("link.csv"));
  function* checked() {
    yield "é";
    for (const name of readdirSync(folder).filter((each) => each.endsWith(".part"))) {
      expect(statSync(fileOf(name)).mode & 0o777).toBe(0o600);
    }
    yield "b";
  }
  expect(await writeParts(fileOf("link.csv"), checked())).toBe(3);
  expect(await writeParts(fileOf("new.csv"), checked())).toBe(3);
  expect(lstatSync(fileOf("link.csv")).isSymbolicLink()).toBe(true);
  for (const name of ["public.csv", "new.csv"]) {
    expect(readFileSync(fileOf(name), "utf8")).toBe("éb");
    expect(statSync(fileOf(name)).mode & 0o777).toBe(0o600);
  }
});

test("an incomplete file of another process is replaced and not written to", async () => {
  const [file, other] = [fileOf("shared.csv"), fileOf("other.csv")];
  writeFileSync(other, "");
  symlinkSync(other, `${file}.${String(process.pid)}.part`);
  await writeParts(file, ["a"]);
  expect([readFileSync(file, "utf8"), readFileSync(other, "utf8")]).toEqual(["a", ""]);
  expect(lstatSync(file).isSymbolicLink()).toBe(false);
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
  await expect(writeParts(path.join(file, "x.csv"), ["new"])).rejects.toThrow(OutputError);
  expect(readFileSync(file, "utf8")).toBe("old");
  expect(readdirSync(folder)).toEqual(before);
});
