import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { PLATFORM_BRANDING } from "../../../src/clients/profile.ts";
import { contrast, type Scheme, themeCss, themeOf } from "../../../src/redeem/pages/theme.ts";

const branding = (primaryColor: string, secondaryColor: string) => ({
  ...PLATFORM_BRANDING,
  primaryColor,
  secondaryColor,
});

/** Pairs of colours that are used together, and the contrast they must have: that of WCAG AA where it has a rule. */
function pairs(scheme: Scheme): [string, string, number][] {
  const grounds = [scheme.paper, scheme.surface, scheme.tint];
  const texts = [scheme.ink, scheme.muted, scheme.accent];
  return [
    ...grounds.flatMap((ground) =>
      texts.map((text): [string, string, number] => [text, ground, 4.5]),
    ),
    ...grounds.map((ground): [string, string, number] => [scheme.brand, ground, 3]),
    [scheme.onBrand, scheme.brand, 4.5],
    [scheme.edge, scheme.surface, 3],
    [scheme.line, scheme.surface, 1.2],
    [scheme.fault, scheme.surface, 4.5],
    [scheme.fault, scheme.faultGround, 4.5],
    [scheme.ink, scheme.faultGround, 4.5],
  ];
}

describe("a company's colours", () => {
  const color = fc
    .integer({ min: 0, max: 0xffffff })
    .map((value) => `#${value.toString(16).padStart(6, "0")}`);

  test("have enough contrast in light and in dark mode, for arbitrary colours", () => {
    fc.assert(
      fc.property(color, color, (primary, secondary) => {
        const { light, dark } = themeOf(branding(primary, secondary));
        for (const [front, ground, ratio] of [...pairs(light), ...pairs(dark)]) {
          expect(contrast(front, ground)).toBeGreaterThanOrEqual(ratio);
        }
      }),
      {
        numRuns: 500,
        examples: [
          // Colours whose contrast is too low on the surface only, and on the paper only.
          ["#001b43", "#ffffff"],
          ["#0070f1", "#ffffff"],
        ],
      },
    );
  });

  test("are used unchanged if their contrast suffices", () => {
    const { light } = themeOf(branding("#1F4D5C", "#E3EEF0"));
    expect(light).toMatchObject({
      brand: "#1f4d5c",
      accent: "#1f4d5c",
      tint: "#e3eef0",
      onBrand: "#ffffff",
    });
  });

  test("keep leading zeros of their channels", () => {
    expect(themeOf(branding("#a00508", "#ffffff")).light).toMatchObject({
      brand: "#a00508",
      accent: "#a00508",
    });
  });

  test("tint the dark page with 30 % of the primary colour, with any secondary colour", () => {
    const { dark } = themeOf(branding("#1f4d5c", "#e3eef0"));
    // #221c26 and #1f4d5c: 34 - 3 × 0.3 = 33, 28 + 49 × 0.3 = 43, 38 + 54 × 0.3 = 54.
    expect(dark.tint).toBe("#212b36");
  });

  test("are adjusted in the fewest steps of 10 % towards the colour of the text", () => {
    const { light } = themeOf(branding("#d9523f", "#ffffff"));
    // At one tenth, #c84d3e, the contrast with the paper is 4.4.
    expect(light.accent).toBe("#b6483c");
    expect(contrast("#c84d3e", light.paper)).toBeLessThan(4.5);
    expect(contrast(light.accent, light.paper)).toBeGreaterThan(4.5);
  });

  test("are rendered as one set of properties for light and one for dark mode", () => {
    const [light = "", dark = ""] = themeCss(branding("#1f4d5c", "#e3eef0")).split(
      "@media(prefers-color-scheme:dark)",
    );
    for (const scheme of [light, dark]) expect(scheme).toMatch(/\{(?:--\w+:#[\da-f]{6}[;}]){12}/);
    expect(light).toMatch(/^:root\{--paper:#fbf7f2;.*--tint:#e3eef0;.*--onBrand:#ffffff\}$/);
    expect(dark).toMatch(/^\{:root\{--paper:#17131a;.*--tint:#212b36;.*--onBrand:#[0f]{6}\}\}$/);
  });

  test("are replaced if the contrast does not suffice: pale text darkens, a dark background is omitted", () => {
    const { light } = themeOf(branding("#ffee88", "#101010"));
    expect(light.accent).not.toBe("#ffee88");
    expect(light.tint).toBe(light.surface);
  });

  test.each(["red", "#fff", "", "#12345g", "x#123456", "#123456;}body{display:none"])(
    "are replaced by the platform's colours if %j is not a colour",
    (text) => {
      expect(themeCss(branding(text, text))).toBe(themeCss(PLATFORM_BRANDING));
    },
  );
});

test("contrast follows WCAG: 21 for black on white, 4.54 for #767676 on white", () => {
  expect(contrast("#000000", "#ffffff")).toBeCloseTo(21, 5);
  expect(contrast("#ffffff", "#767676")).toBeCloseTo(4.54, 2);
  // WCAG's formula is linear for the darkest colours.
  expect(contrast("#ffffff", "#080808")).toBeCloseTo(20.03, 2);
});
