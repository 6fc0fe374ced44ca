// The lists of ISO codes, compared with those of the runtime.
import { expect, test } from "vitest";
import { COUNTRIES, CURRENCIES } from "../../../src/core/values/iso.ts";

test.each([
  ["currency", CURRENCIES, /^[A-Z]{3}$/, 164],
  ["region", COUNTRIES, /^[A-Z]{2}$/, 250],
] as const)("every %s has a name, and is listed once", (type, list, form, count) => {
  const codes = list.split(" ");
  const names = new Intl.DisplayNames("en", { type });
  for (const code of codes) {
    expect(code).toMatch(form);
    expect(names.of(code)).not.toBe(code);
  }
  expect(codes).toEqual([...new Set(codes)].sort());
  expect(codes).toHaveLength(count);
});
