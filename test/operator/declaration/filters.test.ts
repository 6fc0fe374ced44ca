// A filter that a list declares and does not use would be silent.
import { env } from "cloudflare:workers";
import { expect, test } from "vitest";
import type { ReadContext } from "../../../src/operator/declaration/declare.ts";
import { inputsOf, parseInput } from "../../../src/operator/declaration/input.ts";
import { OPERATIONS } from "../../../src/operator/operations.ts";
import { overriding } from "../../support/counting.ts";
import { SAMPLES } from "../samples.ts";

/** Of those that are not a choice, each filter accepts one. */
const VALUES = ["2026-05-01", "2026-05", "30d", "7", "on", "EUR", "GO-7-1", "ada@example.com", "x"];

const filters = OPERATIONS.flatMap((list) =>
  list.type === "list"
    ? Object.entries(inputsOf(list)).map(([name, kind]) => [list.name, name, list, kind] as const)
    : [],
);

test.each(filters)("%s uses its filter %s", async (name, filter, list, kind) => {
  const nowMs = Date.now();
  const sample = (await SAMPLES[name]?.()) ?? {};
  /** The statements of a page with the values of their parameters, and what it records as read. */
  const statementsWith = async (given: object) => {
    const statements: unknown[] = [];
    const prepare = (text: string) =>
      overriding(env.DB.prepare(text), {
        bind: (...values: unknown[]) =>
          statements.push(text, values) && env.DB.prepare(text).bind(...values),
      });
    const DB = overriding(env.DB, { prepare, withSession: () => overriding(env.DB, { prepare }) });
    const user = { name: "ada@example.com", roles: ["engineer"] };
    const record = (...read: unknown[]) => Promise.resolve(statements.push(read));
    const context = { ...env, DB, recordingDB: DB, user, nowMs, record };
    const input = parseInput(list, { ...sample, ...given });
    await list
      .page(context as unknown as ReadContext, input, { after: undefined, limit: 5 })
      .catch((error: unknown) => statements.push(error));
    return JSON.stringify(statements);
  };
  const without = await statementsWith({});
  const others = (kind.options ?? VALUES).map((value) =>
    statementsWith({ [filter]: value }).catch(() => without),
  );
  expect((await Promise.all(others)).some((each) => each !== without)).toBe(true);
});
