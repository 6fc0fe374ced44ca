// `client preview`: renders a gift page with sample data.
import { readFile } from "node:fs/promises";
import path from "node:path";
import type { Command } from "../command.ts";
import { DAY_MS } from "../../core/values/time.ts";
import type { Product } from "../../features/catalogue/product.ts";
import { PLATFORM_BRANDING } from "../../features/clients/profile.ts";
import { readInput } from "../../features/redeem/form.ts";
import type { Gift } from "../../features/redeem/gift.ts";
import { LANGUAGES } from "../../features/redeem/language.ts";
import { STYLESHEET } from "../../features/redeem/pages/stylesheet.ts";
import { brandingAfter } from "../../operator/clients/input.ts";
import { type ListedClient, requireClient } from "../../operator/clients/require-client.ts";
import { readBranding } from "../branding-file.ts";
import { PROJECT_ROOT } from "../paths.ts";
import { runCommand, writeOutput } from "../run.ts";
import { ASSETS } from "./email-preview.ts";

const PUBLIC = path.join(PROJECT_ROOT, "public");

/** The pages, with the states of their gifts. */
const PAGES = { gift: "open", accepted: "redeemed", expired: "expired" } as const;
type PageName = keyof typeof PAGES;

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
      const changes = file === undefined ? {} : await readBranding(file);
      // Loaded here, because the compiler of JSX slows down the start of all commands.
      await import("../jsx.ts");
      const { presentPage } = await import("../../features/redeem/present.ts");
      const { pageContext } = await import("../../features/redeem/page-context.ts");
      const { renderPage } = await import("../../features/redeem/pages/layout.tsx");
      const { themeCss } = await import("../../features/redeem/pages/theme.ts");
      await runCommand(command, async (env) => {
        const found = await requireClient(env.DB, id);
        const isBranded = found.branding !== null || file !== undefined;
        const branding = isBranded ? brandingAfter(found.branding, changes) : null;
        const gift = sampleGift({ ...found, branding }, PAGES[name]);
        const context = await pageContext(
          { ...env, ASSETS, IMAGE_TRANSFORMATIONS: "off" },
          { lang: language, accepted: undefined },
          gift,
        );
        const view = { gift, selected: SAMPLE_PRODUCT, viewed: null, others: [] };
        const { page } = presentPage(context, view, readInput(new URLSearchParams()), {
          ...{ isPost: false, justRedeemed: false, isWrapped: false },
        });
        const html = await renderPage(page, themeCss(gift.branding), context);
        await writeOutput(command, output, [
          await completed(html.toString(), env.PUBLIC_URL),
          "\n",
        ]);
      });
    });
}

const TYPES: Record<string, string> = {
  ...{ ".svg": "image/svg+xml", ".png": "image/png", ".webp": "image/webp" },
  ...{ ".jpg": "image/jpeg", ".jpeg": "image/jpeg" },
};

/** The page with its stylesheet and the service's own pictures inside, so that a browser can open it as a file. */
async function completed(html: string, publicUrl: string): Promise<string> {
  const css = await readFile(path.join(PUBLIC, STYLESHEET), "utf8");
  let page = html.replace(/<link rel="stylesheet"[^>]*>/, () => `<style>${css}</style>`);
  const urls = page.matchAll(/ (?:src|srcset|href)="([^"]+)"/g);
  for (const url of new Set(Array.from(urls, ([, url = ""]) => url))) {
    const type = TYPES[path.extname(url)];
    if (type === undefined || !url.startsWith(`${publicUrl}/`)) continue;
    const file = path.join(PUBLIC, new URL(url).pathname);
    const bytes = await readFile(file).catch(() => null);
    if (bytes)
      page = page.replaceAll(`="${url}"`, `="data:${type};base64,${bytes.toString("base64")}"`);
  }
  return page;
}

const sampleGift = (client: ListedClient, state: Gift["state"]): Gift => ({
  ...{ state, orderStatus: "paid", redemptionStatus: null, linkGeneration: 0 },
  ...{ declinedAtMs: null, erasedAtMs: null, expiresAtMs: Date.now() + 60 * DAY_MS },
  ...{ firstName: "Grace", lastName: "Hopper", email: "grace@example.com", language: null },
  ...{ deliveryEmail: null, deliveryNotes: null, thankYou: null, redemptionId: null },
  deliveryAddress: {
    ...{ address_line_1: "14 Plane Tree Lane", address_line_2: "", suburb: "Brunswick" },
    ...{ state: "VIC", postcode_zipcode: "3056", country: "AU" },
  },
  branding: client.branding ? { ...client.branding, company: client.name } : PLATFORM_BRANDING,
  ...{ company: client.name, supportEmail: client.supportEmail, register: client.register },
  senderName: "Ada Park",
  message: "Dear Grace,\n\nthank you for a wonderful year. We would be lost without you.",
  ...{ giftOfChoice: "N", currency: "AUD", baseLocation: "AU", budgetMinor: 11_000 },
  ...{ offeredProductId: 1, offeredVariationId: null, selectedVariationId: null },
  ...{ catalogueLanguage: "en", shipmentStatus: null, carrier: null, trackingNumber: null },
  ...{ trackingUrl: null, shippedAtMs: null, deliveredAtMs: null },
});

const PRODUCT: Product = {
  ...{ id: 1, sku: "SAMPLE", name: "Good Letters Writing Set", type: "simple" },
  ...{ delivery: "physical", currency: "AUD", priceMinor: 11_000, shippingMinor: 0 },
  description: "Heavy cotton paper with envelopes, and a pen that is pleasant to write with.",
  ...{ shortDescription: "", locations: [], categories: [], additionalImages: [] },
  featuredImage: "/images/brand/preview.svg",
  vendor: {
    ...{ name: "Good Letters", bio: "", logo: "" },
    ...{ shippingInfo: "Delivered within a week.", returnsInfo: null },
  },
  parcel: { weight: "", length: "", width: "", height: "" },
  ...{ attributes: [], variations: [] },
};

const SAMPLE_PRODUCT = {
  product: PRODUCT,
  stock: [{ variationId: 0, quantity: null, sellable: true }],
  ...{ revision: "sample", current: true },
};
