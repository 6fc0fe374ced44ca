// The files that commands read: devices, pipes, folders and very large files are refused at once.
import { execFileSync } from "node:child_process";
import { truncateSync, writeFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { checkInputFile } from "../../src/cli/input-file.ts";
import { runOps } from "./ops.ts";
import { usePlatform } from "./platform.ts";

const { folder } = usePlatform();

const fifo = path.join(folder, "fifo");
execFileSync("mkfifo", [fifo]);

/** A file of this size without content. */
function sparse(name: string, bytes: number): string {
  const file = path.join(folder, name);
  writeFileSync(file, "");
  truncateSync(file, bytes);
  return file;
}

/** The command lines that read a file, and the exit code of a refusal. */
const COMMANDS: [string, number, (file: string) => string[]][] = [
];

describe.each(COMMANDS)("%s", (_, exitCode, words) => {
  test.each(["/dev/zero", fifo, folder])("refuses %s", async (file) => {
    const { code, err } = await runOps(...words(file));
    expect([code, err]).toEqual([exitCode, `error: ${file} is not a regular file.\n`]);
  });

  test("refuses a file that is not there", async () => {
    const { code, err } = await runOps(...words("/none"));
    expect([code, err]).toEqual([exitCode, "error: /none cannot be read (ENOENT).\n"]);
  });
});

test.each([
  ["a file of payments", 20],
] as const)("%s can have %d MB, and not a byte more", async (kind, megabytes) => {
  const bytes = megabytes * 1_000_000;
  const file = sparse("large", bytes);
  await checkInputFile(file, kind);
  truncateSync(file, bytes + 1);
  await expect(checkInputFile(file, kind)).rejects.toThrow(
    `MB: ${kind} can have at most ${megabytes.toLocaleString("en")} MB`,
  );
});
