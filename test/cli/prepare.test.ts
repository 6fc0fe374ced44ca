// The file with the local secrets.
import { chmodSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { addLocalSecrets } from "../../src/cli/prepare.ts";

let folder: string;
let file: string;

beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), "regalo-secrets-"));
  file = path.join(folder, ".dev.vars");
});
afterEach(() => {
  rmSync(folder, { recursive: true });
});

const SECRET_LINE = "[A-Za-z0-9_-]{43}\n";
const modeOf = () => statSync(file).mode & 0o777;

/** Adds the missing secrets, and returns the content of the file. */
function added(): string {
  addLocalSecrets(file);
  return readFileSync(file, "utf8");
}

describe("the local secrets", () => {
  test("are created once, readable for the user only", () => {
    const content = added();
    expect(content).toMatch(
      new RegExp(
        `^GIFT_LINK_SECRET=${SECRET_LINE}WEBHOOK_SECRET=${SECRET_LINE}CODE_SECRET=${SECRET_LINE}$`,
      ),
    );
    expect(modeOf()).toBe(0o600);
    expect(added()).toBe(content);
  });

  test.each([
    ["GIFT_LINK_SECRET=old\n", "GIFT_LINK_SECRET=old\n"],
    ["# mine\nGIFT_LINK_SECRET=old\nOTHER=1", "# mine\nGIFT_LINK_SECRET=old\nOTHER=1\n"],
    ["export GIFT_LINK_SECRET = 'old'\n# WEBHOOK_SECRET=no\n", null],
    ["GIFT_LINK_SECRET=old\nWEBHOOK_SECRET_2=a\n", null],
  ])("are added to a file that lacks some: %j", (before, start) => {
    writeFileSync(file, before);
    chmodSync(file, 0o644);
    const content = added();
    expect(content.startsWith(start ?? before)).toBe(true);
    expect(content.slice((start ?? before).length)).toMatch(
      new RegExp(`^WEBHOOK_SECRET=${SECRET_LINE}CODE_SECRET=${SECRET_LINE}$`),
    );
    expect(modeOf()).toBe(0o600);
  });

  test("are not added to a file that has all", () => {
    const complete = "WEBHOOK_SECRET: b\nGIFT_LINK_SECRET=a\nCODE_SECRET=c";
    writeFileSync(file, complete);
    expect(added()).toBe(complete);
  });
});
