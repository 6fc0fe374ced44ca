// The colours of the recipient's page, for light and dark mode: areas in the sender's colours as they are given, and
// text, borders and links with the contrast of WCAG 2.2 AA.
import { PLATFORM_BRANDING } from "../clients/profile.ts";
import type { Branding } from "../../platform/db/schema.ts";

/** The colours that are the same for all senders. */
type BaseScheme = typeof LIGHT;

export interface Scheme extends BaseScheme {
  /** The sender's primary colour: the band at the top of the page and the main button. */
  brand: string;
  /** All text on `brand`. */
  onBrand: string;
  /** Border of the buttons on `paper` and `surface`: `brand`, or a shade of it that is visible there. */
  brandEdge: string;
  /** The sender's secondary colour, or in dark mode a shade of the primary one: background of the greeting. */
  tint: string;
  /** All text on `tint`, including links and the focus ring. */
  onTint: string;
  /** Links, small headings and the focus ring on `paper` and `surface`: the sender's accent colour, or `brand`. */
  accent: string;
}

const TEXT_CONTRAST = 4.5;
/** For borders and areas that convey meaning. */
const SHAPE_CONTRAST = 3;
/** The largest change of a colour's channels for the sake of contrast. */
const MAX_CHANGE = 96;

const LIGHT = {
  paper: "#fbf7f2",
  surface: "#ffffff",
  ink: "#2a2230",
  muted: "#6a5f6c",
  /** Decorative lines. */
  line: "#e5dcd3",
  /** Borders of fields. */
  edge: "#85798a",
  /** Errors: text and background. */
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
export function themeOf(branding: Branding): { light: Scheme; dark: Scheme } {
  const primary = hexOr(branding.primaryColor, PLATFORM_BRANDING.primaryColor);
  const secondary = hexOr(branding.secondaryColor, PLATFORM_BRANDING.secondaryColor);
  const accent = hexOr(branding.accentColor, primary);
  const on = (base: BaseScheme) => onPaper(base, hexOr(branding.backgroundColor, base.paper));
  return {
    light: schemeOf(on(LIGHT), primary, secondary, accent),
    dark: schemeOf(on(DARK), primary, darkTint(primary, secondary), accent),
  };
}

/** The scheme on a background with the largest share of the colour that leaves its texts and fields enough contrast. */
function onPaper(base: BaseScheme, color: string): BaseScheme {
  const { ink, muted, fault, edge } = base;
  for (const share of [1, 0.5, 0.05]) {
    const paper = mix(base.paper, color, share);
    const hasContrast =
      [ink, muted, fault].every((text) => contrast(text, paper) >= TEXT_CONTRAST) &&
      contrast(edge, paper) >= SHAPE_CONTRAST;
    if (hasContrast) return { ...base, paper };
  }
  return base;
}

/** Secondary colours that are too bright for a dark page are replaced by a dark shade of the primary colour. */
function darkTint(primary: string, secondary: string): string {
  if (isDark(secondary)) return secondary;
  // A larger share of yellow would make olive.
  return mix(DARK.surface, primary, isDark(primary) ? 0.4 : 0.12);
}

function isDark(color: string): boolean {
  return contrast("#ffffff", color) >= TEXT_CONTRAST;
}

function schemeOf(base: BaseScheme, brand: string, tint: string, accent: string): Scheme {
  return {
    ...base,
    brand,
    onBrand: textOn(brand),
    brandEdge: shade(brand, base, SHAPE_CONTRAST),
    tint,
    onTint: textOn(tint),
    accent: shade(accent, base, TEXT_CONTRAST),
  };
}

/** White, ink or black. Black has enough contrast to all colours to which white does not. */
function textOn(ground: string): string {
  if (isDark(ground)) return "#ffffff";
  return contrast(LIGHT.ink, ground) >= TEXT_CONTRAST ? LIGHT.ink : "#000000";
}

/**
 * The nearest shade of a colour with enough contrast to the page, made by the same change to all channels, which keeps
 * the hue. A large change makes olive of yellow, and grey of white: the colour of the text replaces such shades.
 */
function shade(color: string, { paper, surface, ink }: BaseScheme, ratio: number): string {
  const step = ink === DARK.ink ? 4 : -4;
  for (let change = 0; Math.abs(change) <= MAX_CHANGE; change += step) {
    const shaded = hex(rgb(color).map((channel) => channel + change));
    if (contrast(shaded, paper) >= ratio && contrast(shaded, surface) >= ratio) return shaded;
  }
  return ink;
}

/** The custom properties for the page's stylesheet. */
export function themeCss(branding: Branding): string {
  const { light, dark } = themeOf(branding);
  const { typeface } = branding;
  return (
    `:root{${properties(light)}}@media screen and (prefers-color-scheme:dark){:root{${properties(dark)}}}` +
    (typeface === "serif" ? ":root{--sans:var(--serif)}" : "") +
    (typeface === "sans" ? ":root{--serif:var(--sans)}" : "")
  );
}

function properties(scheme: Scheme): string {
  return Object.entries(scheme)
    .map(([name, color]) => `--${name}:${String(color)}`)
    .join(";");
}

/** The value of `<meta name="theme-color">`: the colour of the band at the top of the page, in both modes. */
export function themeColor(branding: Branding): string {
  return themeOf(branding).light.brand;
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
  return hex(rgb(from).map((channel, index) => channel + ((target[index] ?? 0) - channel) * share));
}

function rgb(color: string): number[] {
  return [1, 3, 5].map((at) => parseInt(color.slice(at, at + 2), 16));
}

/** The colour of channels, which are rounded and limited to 0 to 255. */
function hex(channels: number[]): string {
  const parts = Array.from(Uint8ClampedArray.from(channels), (channel) =>
    channel.toString(16).padStart(2, "0"),
  );
  return `#${parts.join("")}`;
}

function hexOr(color: string | undefined, otherwise: string): string {
  return color && /^#[0-9a-f]{6}$/i.test(color) ? color.toLowerCase() : otherwise;
}
