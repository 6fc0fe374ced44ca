// A gift page with sample data.
import { readFile } from "node:fs/promises";
import path from "node:path";
import { DAY_MS } from "../../core/values/time.ts";
import type { MessageEnv } from "../../features/email/email.ts";
import { PLATFORM_BRANDING } from "../../features/clients/profile.ts";
import { readInput } from "../../features/redeem/form.ts";
import type { Language } from "../../features/redeem/language.ts";
import { STYLESHEET } from "../../features/redeem/pages/stylesheet.ts";
import type { GiftView } from "../../features/redeem/queries.ts";
import type { Settings } from "../../operator/clients/settings.ts";
import { PROJECT_ROOT } from "../paths.ts";
import { settingColumns } from "./setting-columns.ts";
import { PUBLIC } from "./settings.ts";

const SAMPLE = path.join(PROJECT_ROOT, "seed/sample-gift.json");

/** The pages, with the states of their gifts. */
export const PAGES = { gift: "open", accepted: "redeemed", expired: "expired" } as const;
export type PageName = keyof typeof PAGES;

/** The parts of the media types that differ from the endings of files. */
const TYPES: Record<string, string> = { svg: "svg+xml", jpg: "jpeg" };

/** The page as HTML, complete as a file. */
export async function giftPage(
  env: MessageEnv,
  settings: Partial<Settings>,
  { page: name, language }: { page: PageName; language: Language },
): Promise<string> {
  // Loaded here, because they need the compiler of JSX.
  const { presentPage } = await import("../../features/redeem/present.ts");
  const { pageContext } = await import("../../features/redeem/page-context.ts");
  const { renderPage } = await import("../../features/redeem/pages/layout.tsx");
  const { themeCss } = await import("../../features/redeem/pages/theme.ts");
  const view = JSON.parse(await readFile(SAMPLE, "utf8")) as GiftView;
  const { name: company = "", branding = null } = settings;
  const gift = Object.assign(view.gift, {
    ...settingColumns(settings),
    company,
    state: PAGES[name],
    redeemedAtMs: Date.now(),
    expiresAtMs: Date.now() + 60 * DAY_MS,
    branding: branding ? { ...branding, company } : PLATFORM_BRANDING,
  });
  const context = await pageContext(
    { ...env, IMAGE_TRANSFORMATIONS: "off" },
    { lang: language, accepted: undefined },
    gift,
  );
  const { page } = presentPage(context, view, readInput(new URLSearchParams()), {
    isPost: false,
    justRedeemed: false,
    isWrapped: false,
  });
  const html = await renderPage(page, themeCss(gift.branding), context);
  return completed(html.toString(), env.PUBLIC_URL);
}

/** The page with its stylesheet and the service's own pictures inside, so that a browser can open it as a file. */
async function completed(html: string, publicUrl: string): Promise<string> {
  const css = await readFile(path.join(PUBLIC, STYLESHEET), "utf8");
  let page = html.replace(/<link rel="stylesheet"[^>]*>/, () => `<style>${css}</style>`);
  for (const [attribute, , url = ""] of html.matchAll(/ (src|srcset|href)="([^"]+)"/g)) {
    const [, name, type = ""] = /^([^?]*\.(svg|png|jpe?g|webp))$/.exec(url) ?? [];
    if (!name?.startsWith(`${publicUrl}/`)) continue;
    const bytes = await readFile(path.join(PUBLIC, new URL(name).pathname)).catch(() => null);
    if (!bytes) continue;
    const data = `data:image/${TYPES[type] ?? type};base64,${bytes.toString("base64")}`;
    page = page.replaceAll(attribute, attribute.replace(url, data));
  }
  return page;
}
