// `client preview`: renders a gift page with sample data.
import { readFile } from "node:fs/promises";
import path from "node:path";
import type { Command } from "../command.ts";
import { DAY_MS } from "../../core/values/time.ts";
import { PLATFORM_BRANDING } from "../../features/clients/profile.ts";
import { readInput } from "../../features/redeem/form.ts";
import { LANGUAGES } from "../../features/redeem/language.ts";
import { STYLESHEET } from "../../features/redeem/pages/stylesheet.ts";
import type { GiftView } from "../../features/redeem/queries.ts";
import { brandingAfter } from "../../operator/clients/input.ts";
import { requireClient } from "../../operator/clients/require-client.ts";
import { readBranding } from "../branding-file.ts";
import { PROJECT_ROOT } from "../paths.ts";
import { runCommand, writeOutput } from "../run.ts";
import { ASSETS } from "./email-preview.ts";

const PUBLIC = path.join(PROJECT_ROOT, "public");
const SAMPLE = path.join(PROJECT_ROOT, "seed/sample-gift.json");

/** The pages, with the states of their gifts. */
const PAGES = { gift: "open", accepted: "redeemed", expired: "expired" } as const;
type PageName = keyof typeof PAGES;

/** The parts of the media types that differ from the endings of files. */
const TYPES: Record<string, string> = { svg: "svg+xml", jpg: "jpeg" };

export function clientPreviewCommand(client: Command): void {
  client
    .command("preview <id>")
    .description("write the gift page of a client with sample data as HTML, for a browser")
    .choice("--page <name>", "this page", Object.keys(PAGES) as PageName[], "gift")
    .choice("--language <code>", "in this language", LANGUAGES, "en")
    .option("--branding <file>", "with the changes of this branding file")
    .option("--output <file>", "write to this file instead of the terminal")
    .details(
      "\nNothing is changed or stored. The page is light or dark as the browser is. Its links open no gift.",
    )
    .examples(
      "client preview acme --output acme.html",
      "client preview acme --branding acme.json --page accepted --language de --output acme.html",
    )
    .action(async (id, { page: name, language, branding: file, output }, command) => {
      const changes = file === undefined ? null : await readBranding(file);
      // Loaded here, because the compiler of JSX slows down the start of all commands.
      await import("../jsx.ts");
      const { presentPage } = await import("../../features/redeem/present.ts");
      const { pageContext } = await import("../../features/redeem/page-context.ts");
      const { renderPage } = await import("../../features/redeem/pages/layout.tsx");
      const { themeCss } = await import("../../features/redeem/pages/theme.ts");
      await runCommand(command, async (env) => {
        const found = await requireClient(env.DB, id);
        const { name: company, branding: before, supportEmail, register } = found;
        const branding = changes ? brandingAfter(before, changes) : before;
        const view = JSON.parse(await readFile(SAMPLE, "utf8")) as GiftView;
        const gift = Object.assign(view.gift, {
          company,
          supportEmail,
          register,
          state: PAGES[name],
          redeemedAtMs: Date.now(),
          expiresAtMs: Date.now() + 60 * DAY_MS,
          branding: branding ? { ...branding, company } : PLATFORM_BRANDING,
        });
        const context = await pageContext(
          { ...env, ASSETS, IMAGE_TRANSFORMATIONS: "off" },
          { lang: language, accepted: undefined },
          gift,
        );
        const { page } = presentPage(context, view, readInput(new URLSearchParams()), {
          isPost: false,
          justRedeemed: false,
          isWrapped: false,
        });
        const html = await renderPage(page, themeCss(gift.branding), context);
        await writeOutput(command, output, [
          await completed(html.toString(), env.PUBLIC_URL),
          "\n",
        ]);
      });
    });
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
