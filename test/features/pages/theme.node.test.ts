import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { PLATFORM_BRANDING } from "../../../src/features/clients/profile.ts";
import {
  contrast,
  type Scheme,
  themeColor,
  themeCss,
  themeOf,
} from "../../../src/features/pages/theme.ts";
import { runs } from "../../support/runs.ts";

const branding = (primaryColor: string, secondaryColor: string) => ({
  ...PLATFORM_BRANDING,
  primaryColor,
  secondaryColor,
});

/** Pairs of colours that are used together, and the contrast they must have: that of WCAG AA where it has a rule. */
function pairs(scheme: Scheme): [string, string, number][] {
  const grounds = [scheme.paper, scheme.surface];
  const texts = [scheme.ink, scheme.muted, scheme.accent, scheme.fault];
  return [
    ...grounds.flatMap((ground): [string, string, number][] => [
      ...texts.map((text): [string, string, number] => [text, ground, 4.5]),
      [scheme.brandEdge, ground, 3],
      [scheme.edge, ground, 3],
    ]),
    [scheme.onBrand, scheme.brand, 4.5],
    [scheme.onTint, scheme.tint, 4.5],
    [scheme.line, scheme.surface, 1.2],
    [scheme.fault, scheme.faultGround, 4.5],
    [scheme.ink, scheme.faultGround, 4.5],
  ];
}

const color = fc
  .integer({ min: 0, max: 0xffffff })
  .map((value) => `#${value.toString(16).padStart(6, "0")}`);

describe("a company's colours", () => {
  test("have enough contrast in light and in dark mode, for arbitrary colours", () => {
    fc.assert(
      fc.property(color, color, (primary, secondary) => {
        const { light, dark } = themeOf(branding(primary, secondary));
        for (const [front, ground, ratio] of [...pairs(light), ...pairs(dark)]) {
          expect(contrast(front, ground)).toBeGreaterThanOrEqual(ratio);
        }
      }),
      {
        numRuns: runs(500),
        examples: [
          ["#7a1f3d", "#f6e9dd"],
          ["#ffe600", "#000000"],
          ["#39ff14", "#ffffff"],
          ["#ffffff", "#ffffff"],
          ["#000000", "#000000"],
          // White has a contrast of 4.0 on this grey, ink 3.8 and black 5.2.
          ["#7f7f7f", "#7f7f7f"],
        ],
      },
    );
  });

  test("have enough contrast on any background and with any accent", () => {
    fc.assert(
      fc.property(color, color, color, color, (primary, secondary, accent, background) => {
        const given = { accentColor: accent, backgroundColor: background };
        const { light, dark } = themeOf({ ...branding(primary, secondary), ...given });
        for (const [front, ground, ratio] of [...pairs(light), ...pairs(dark)]) {
          expect(contrast(front, ground)).toBeGreaterThanOrEqual(ratio);
        }
      }),
      {
        numRuns: runs(500),
        examples: [
          ["#7a1f3d", "#f6e9dd", "#ffe600", "#000000"],
          ["#ffffff", "#000000", "#ffffff", "#ffffff"],
          ["#7f7f7f", "#7f7f7f", "#7f7f7f", "#7f7f7f"],
          ["#39ff14", "#ff00ff", "#00ffff", "#ff0000"],
        ],
      },
    );
  });
});

describe("a company's colours on the page", () => {
  test("set links and small headings in the accent colour", () => {
    const { light } = themeOf({ ...PLATFORM_BRANDING, accentColor: "#0B5FFF" });
    expect(light).toMatchObject({ accent: "#0b5fff", brand: "#7a1f3d", brandEdge: "#7a1f3d" });
  });

  test("fill the band, the button and the greeting as they are given", () => {
    fc.assert(
      fc.property(color, color, (primary, secondary) => {
        const { light, dark } = themeOf(branding(primary, secondary));
        expect([light.brand, light.tint, dark.brand]).toEqual([primary, secondary, primary]);
        expect(themeColor(branding(primary, secondary))).toBe(primary);
      }),
    );
  });

  test("are used unchanged if their contrast suffices", () => {
    const { light } = themeOf(branding("#1F4D5C", "#E3EEF0"));
    expect(light).toMatchObject({ brand: "#1f4d5c", brandEdge: "#1f4d5c", accent: "#1f4d5c" });
    expect(light.tint).toBe("#e3eef0");
  });

  test.each([
    ["#7a1f3d", "#ffffff"],
    ["#ffe600", "#2a2230"],
    ["#7f7f7f", "#000000"],
  ])("have legible text: on %s, %s", (color, text) => {
    const { light, dark } = themeOf(branding(color, color));
    for (const { onBrand } of [light, dark]) expect(onBrand).toBe(text);
    expect(light.onTint).toBe(text);
  });
});

describe("a company's colours of little contrast", () => {
  test.each([
    ["serif", ":root{--sans:var(--serif)}"],
    ["sans", ":root{--serif:var(--sans)}"],
  ] as const)("come with one typeface for all texts: %s", (typeface, rule) => {
    const css = themeCss(PLATFORM_BRANDING);
    expect(themeCss({ ...PLATFORM_BRANDING, typeface })).toBe(css + rule);
    for (const other of ["", "constructor", "}body{display:none"]) {
      expect(themeCss({ ...PLATFORM_BRANDING, typeface: other as never })).toBe(css);
    }
  });

  test.each(["red", "#fff", "", "#12345g", "x#123456", "#123456;}body{display:none"])(
    "are replaced by the platform's colours if %j is not a colour",
    (text) => {
      const others = { accentColor: text, backgroundColor: text };
      expect(themeCss({ ...branding(text, text), ...others })).toBe(themeCss(PLATFORM_BRANDING));
    },
  );
});

test("contrast follows WCAG: 21 for black on white, 4.54 for #767676 on white", () => {
  expect(contrast("#000000", "#ffffff")).toBeCloseTo(21, 5);
  expect(contrast("#ffffff", "#767676")).toBeCloseTo(4.54, 2);
  // WCAG's formula is linear for the darkest colours.
  expect(contrast("#ffffff", "#080808")).toBeCloseTo(20.03, 2);
});
