// The rule by which names of vendors and campaigns are compared.
import fc from "fast-check";
import { expect, test } from "vitest";
import { nameKey, normalName } from "../../../src/core/values/name.ts";

test.each([
  "Caf\u00e9 Ol\u00e1",
  "Cafe\u0301 Ola\u0301",
  "CAF\u00c9 OL\u00c1",
  "Caf\u00e9\u00a0Ol\u00e1",
  " Caf\u00e9\t Ol\u00e1 ",
  "Caf\u00e9 \u200bOl\u00e1\ufeff",
])("%j is the vendor Café Olá", (name) => {
  expect(nameKey(name)).toBe(nameKey("Café Olá"));
  expect(nameKey(name)).not.toBe(nameKey("Cafe Ola"));
});

test("campaigns keep their case and have one space, and hyphens that look alike are one", () => {
  for (const name of ["Spring 2026", "Spring  2026", "Spring\t2026", "Spring\u00a02026"]) {
    expect(normalName(name)).toBe("Spring 2026");
  }
  expect(["Spring\u20112026", "Spring\u20102026"].map(normalName)).toEqual([
    "Spring-2026",
    "Spring-2026",
  ]);
  expect(normalName("SPRING 2026")).toBe("SPRING 2026");
});

test("letters are folded as in Unicode, and a key is its own key", () => {
  expect(nameKey("Straße ΟΔΟΣ")).toBe(nameKey("STRASSE οδος"));
  fc.assert(
    fc.property(fc.string({ unit: "grapheme" }), (name) => {
      expect(nameKey(nameKey(name))).toBe(nameKey(name));
      expect(nameKey(name.toUpperCase())).toBe(nameKey(name));
    }),
  );
});
