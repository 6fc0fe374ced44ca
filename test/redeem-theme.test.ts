import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { PLATFORM_BRANDING } from "../src/clients/profile.ts";
import { contrast, type Scheme, themeCss, themeOf } from "../src/gifts/theme.ts";

const branding = (primaryColor: string, secondaryColor: string) => ({
  ...PLATFORM_BRANDING,
  primaryColor,
  secondaryColor,
});

/** What stands on what, and how far apart WCAG AA wants them. */
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
    [scheme.fault, scheme.surface, 4.5],
    [scheme.fault, scheme.faultGround, 4.5],
    [scheme.ink, scheme.faultGround, 4.5],
  ];
}

describe("a company's colours", () => {
  const color = fc
    .integer({ min: 0, max: 0xffffff })
    .map((value) => `#${value.toString(16).padStart(6, "0")}`);

  test("are readable in light and in dark, whatever they are", () => {
    fc.assert(
      fc.property(color, color, (primary, secondary) => {
        const { light, dark } = themeOf(branding(primary, secondary));
        for (const [front, ground, ratio] of [...pairs(light), ...pairs(dark)]) {
          expect(contrast(front, ground)).toBeGreaterThanOrEqual(ratio);
        }
      }),
      { numRuns: 500 },
    );
  });

  test("are used as they are where they can be read", () => {
    const { light } = themeOf(branding("#1F4D5C", "#e3eef0"));
    expect(light).toMatchObject({
      brand: "#1f4d5c",
      accent: "#1f4d5c",
      tint: "#e3eef0",
      onBrand: "#ffffff",
    });
  });

  test("give way where they cannot: pale text darkens, a dark ground is left out", () => {
    const { light } = themeOf(branding("#ffee88", "#101010"));
    expect(light.accent).not.toBe("#ffee88");
    expect(light.tint).toBe(light.surface);
  });

  test.each(["red", "#fff", "", "#12345g", "#123456;}body{display:none"])(
    "are the platform's where %j is no colour",
    (text) => {
      expect(themeCss(branding(text, text))).toBe(themeCss(PLATFORM_BRANDING));
    },
  );
});

test("contrast is WCAG's: 21 for black on white, 4.54 for #767676 on white", () => {
  expect(contrast("#000000", "#ffffff")).toBeCloseTo(21, 5);
  expect(contrast("#ffffff", "#767676")).toBeCloseTo(4.54, 2);
});
