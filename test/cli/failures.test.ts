// The exit code of a command that fails, and its message.
import { describe, expect, test } from "vitest";
import { SupersededPublication } from "../../src/operator/catalogue/publish/staging.ts";
import { Refusal } from "../../src/operator/refusal.ts";
import { describeError, UnreachableError, UsageError } from "../../src/cli/errors.ts";
import { ApiError } from "../../src/core/api-error.ts";

const locked = new Error("D1_ERROR: database is locked: SQLITE_BUSY");

describe("an exit code", () => {
  test.each<[number, string, Error]>([
    [1, "the command refused", new Refusal("there is no client acme.")],
    [1, "the store refused", new ApiError("not_found", "there is no such order")],
    [1, "a later publication won", new SupersededPublication()],
    [2, "the words are wrong", new UsageError("--currency must be …")],
    [3, "nothing answers", new UnreachableError("sandbox cannot be reached")],
    [3, "the connection broke", new Error("D1_ERROR: Network connection lost.")],
    [3, "another process has the local database", new Error("Failed query", { cause: locked })],
    [3, "the network is down", new TypeError("fetch failed", { cause: new Error("ECONNREFUSED") })],
  ])("is %d if %s, with a message of one line", (exitCode, _why, error) => {
    const described = describeError(error);
    expect(described.exitCode).toBe(exitCode);
    expect(described.message).toMatch(/^[^\n]+$/);
  });

  test("is 4 for an unexpected error, with its stack", () => {
    const error = new TypeError("x is not a function");
    expect(describeError(error)).toEqual({ exitCode: 4, message: error.stack });
    const check = new Error("D1_ERROR: CHECK constraint failed: stock_not_negative");
    expect(describeError(check).exitCode).toBe(4);
  });
});
