// JSON that SQL builds from columns.
import fc from "fast-check";
import { expect, test } from "vitest";
import { jsonObjectOf } from "../../../src/platform/db/columns.ts";
import { functionCallsOf } from "../../support/function-calls.ts";
import { sql } from "../../support/sql.ts";

const value = fc.oneof(
  fc.constant(null),
  fc.maxSafeInteger(),
  fc.string({ unit: "grapheme" }),
  fc.array(fc.jsonValue()),
);

test("a JSON object of any number of values has the bytes of JSON.stringify()", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(value, { minLength: 1, maxLength: 50, size: "max" }),
      async (values) => {
        const keys = values.map((_, index) => `value${String(index)}`);
        const expected = Object.fromEntries(keys.map((key, index) => [key, values[index]]));
        const object = jsonObjectOf(
          Object.fromEntries(
            keys.map((key, index) => [
              key,
              `?1 ${Array.isArray(values[index]) ? "->" : "->>"} '${key}'`,
            ]),
          ),
        );
        const row = await sql(`SELECT ${object} AS object`, JSON.stringify(expected)).first();
        expect(row).toEqual({ object: JSON.stringify(expected) });
        expect(functionCallsOf(object).every(({ count }) => count <= 32)).toBe(true);
      },
    ),
  );
});
