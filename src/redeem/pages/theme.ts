// The colours of the recipient's page: the sender's colours, adjusted to the contrast of WCAG 2.2 AA, for light and
// dark mode.
import { PLATFORM_BRANDING } from "../../clients/profile.ts";
import type { Branding } from "../../db/schema.ts";

/** Channels from 0 to 255. */
type Rgb = readonly [number, number, number];

export interface Scheme {
  paper: string;
  surface: string;
  /** Background of the greeting. */
  tint: string;
  ink: string;
  muted: string;
  /** Decorative lines. */
  line: string;
  /** Borders of fields. */
  edge: string;
  /** Links, small headings and the focus ring. */
  accent: string;
  /** The button and its text. */
  brand: string;
  onBrand: string;
  /** Errors: text and background. */
  fault: string;
  faultGround: string;
}

const TEXT_CONTRAST = 4.5;
/** For borders and areas that convey meaning. */
const SHAPE_CONTRAST = 3;

const LIGHT = {
  paper: "#fbf7f2",
  surface: "#ffffff",
  ink: "#2a2230",
  muted: "#6a5f6c",
  line: "#e5dcd3",
  edge: "#85798a",
  fault: "#a3182b",
  faultGround: "#fdeeee",
};

const DARK = {
  paper: "#17131a",
  surface: "#221c26",
  ink: "#f4eef2",
  muted: "#b9adb8",
  line: "#3b3340",
  edge: "#94889a",
  fault: "#ffb3b5",
  faultGround: "#3d1a20",
};

/** Both schemes for a sender's colours. A colour that is not `#rrggbb` is replaced by the platform's. */
export function themeOf({ primaryColor, secondaryColor }: Branding): {
  light: Scheme;
  dark: Scheme;
} {
  const primary = hexOr(primaryColor, PLATFORM_BRANDING.primaryColor);
  const secondary = hexOr(secondaryColor, PLATFORM_BRANDING.secondaryColor);
  return {
    // Secondary colours are chosen for light pages. The dark scheme uses a shade of the primary colour.
    light: schemeOf(LIGHT, primary, secondary),
    dark: schemeOf(DARK, primary, mix(DARK.surface, primary, 0.3)),
  };
}

function schemeOf(base: typeof LIGHT, primary: string, wantedTint: string): Scheme {
  const tint = contrast(base.ink, wantedTint) >= TEXT_CONTRAST ? wantedTint : base.surface;
  const grounds = [base.paper, base.surface, tint];
  const brand = towards(primary, base.ink, grounds, SHAPE_CONTRAST);
  return {
    ...base,
    tint,
    muted: towards(base.muted, base.ink, grounds, TEXT_CONTRAST),
    accent: towards(primary, base.ink, grounds, TEXT_CONTRAST),
    brand,
    onBrand: contrast("#ffffff", brand) >= contrast("#000000", brand) ? "#ffffff" : "#000000",
  };
}

/** The first colour between `color` and `goal` that has enough contrast to all backgrounds. */
function towards(color: string, goal: string, grounds: string[], ratio: number): string {
  for (let share = 0; share < 1; share += 0.1) {
    const mixed = mix(color, goal, share);
    if (grounds.every((ground) => contrast(mixed, ground) >= ratio)) return mixed;
  }
  return goal;
}

/** The custom properties for the page's stylesheet. */
export function themeCss(branding: Branding): string {
  const { light, dark } = themeOf(branding);
  return `:root{${properties(light)}}@media(prefers-color-scheme:dark){:root{${properties(dark)}}}`;
}

function properties(scheme: Scheme): string {
  return Object.entries(scheme)
    .map(([name, color]) => `--${name}:${String(color)}`)
    .join(";");
}

/** WCAG's contrast ratio of two `#rrggbb` colours, 1 to 21. */
export function contrast(a: string, b: string): number {
  const [darker = 0, lighter = 0] = [luminance(a), luminance(b)].sort((x, y) => x - y);
  return (lighter + 0.05) / (darker + 0.05);
}

function luminance(color: string): number {
  const [red = 0, green = 0, blue = 0] = rgb(color).map((channel) => {
    const share = channel / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function mix(from: string, to: string, share: number): string {
  const target = rgb(to);
  const channels = rgb(from).map((channel, index) =>
    Math.round(channel + ((target[index] ?? 0) - channel) * share),
  );
  return `#${channels.map((channel) => channel.toString(16).padStart(2, "0")).join("")}`;
}

function rgb(color: string): Rgb {
  const value = parseInt(color.slice(1), 16);
  return [value >> 16, (value >> 8) & 255, value & 255];
}

function hexOr(color: string, otherwise: string): string {
  return /^#[0-9a-f]{6}$/i.test(color) ? color.toLowerCase() : otherwise;
}
