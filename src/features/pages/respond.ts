// Responses with pages, their Content-Security-Policy, and the headers that protect the secret in the URL.
import type { Context, MiddlewareHandler } from "hono";
import type { ContentfulStatusCode } from "hono/utils/http-status";
import type { AppEnv } from "../../platform/http/context.ts";
import { onUnknownPath } from "../../platform/http/error-response.ts";
import { PAGE_SECURITY_HEADERS, responseHeaders } from "../../platform/http/middleware.ts";
import { logFault } from "../../platform/log.ts";
import { isEntitled } from "../lifecycle/gift-state.ts";
import type { PageGift } from "./gift.ts";
import { type PageContext, pageContext } from "./page-context.ts";
import { type HtmlPage, renderPage } from "./layout.tsx";
import { pictureUrl } from "./picture.tsx";
import { themeCss } from "./theme.ts";
import { errorPage } from "./message-page.tsx";

/** The context of the request's pages. `gift` is null on pages of errors. */
export function pageContextOf(c: Context<AppEnv>, gift: PageGift | null): Promise<PageContext> {
  const { lang, correct } = c.req.query();
  const isCorrection = correct !== undefined && gift !== null && isEntitled(gift.state);
  return pageContext(
    c.env,
    { lang, accepted: c.req.header("Accept-Language"), isCorrection },
    gift,
  );
}

/** Without the stylesheet, pictures stay within the screen. Without a script, opening a wrapped gift sends a request. */
const ALWAYS = "img{max-width:100%;height:auto}.wrapping[open]{background:url(?opened)}";

export async function respond(
  c: Context<AppEnv>,
  context: PageContext,
  { page, status }: { page: HtmlPage; status: ContentfulStatusCode },
): Promise<Response> {
  const css = ALWAYS + themeCss(page.branding);
  const { logo, logoDark = "", claimLogo } = page.branding;
  const logos = page.hidesLogo ? [claimLogo] : [logo, logoDark, claimLogo];
  const pictures = [...logos, page.cover ?? "", ...page.pictures];
  const base = policy(await sha256Base64(css), pictures, context.publicUrl);
  c.header("Content-Security-Policy", base + (page.script ? "; script-src 'self'" : ""));
  c.header("Content-Language", context.locale.language);
  c.header("Vary", "Accept-Language");
  return c.html(renderPage(page, css, context), status);
}

/** Allows no scripts, the theme by its digest, and images from the hosts of the shown images. */
function policy(cssDigest: string, pictures: string[], publicUrl: string): string {
  const origins = pictures.flatMap((url) => {
    const full = pictureUrl(url, publicUrl);
    return full ? [new URL(full).origin] : [];
  });
  return [
    "default-src 'none'",
    `img-src ${["'self'", ...new Set(origins)].join(" ")}`,
    `style-src 'self' 'sha256-${cssDigest}'`,
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join("; ");
}

async function sha256Base64(text: string): Promise<string> {
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text));
  return new Uint8Array(digest).toBase64();
}

/**
 * Cache-Control of the pages with a form. The browser may keep them for Back and Forward, so that nothing that was typed
 * is lost, and Back to a submitted form works (DECISIONS.md: Browsers keep the pages with a form).
 */
export const KEPT_BY_BROWSER = "private, no-cache";

/** The page of an error. It is a plain text if the texts of the page cannot be loaded. */
async function respondWithError(c: Context<AppEnv>, status: ContentfulStatusCode) {
  try {
    const context = await pageContextOf(c, null);
    return await respond(c, context, { page: errorPage(context, status), status });
  } catch (error) {
    logFault("page.failed", error, { requestId: c.get("requestId") });
    return c.text("This page cannot be shown at the moment. Please try again in a minute.", status);
  }
}

/**
 * For all responses below /redeem. The URL contains a secret, so responses must not be stored by caches or indexed, and
 * browsers must not send the URL in a Referer header. Errors become pages, because people open these links.
 */
export const recipientPages: MiddlewareHandler<AppEnv> = async (c, next) => {
  await responseHeaders(PAGE_SECURITY_HEADERS)(c, next);
  const { status } = c.res;
  const isPage = c.res.headers.get("Content-Type")?.startsWith("text/html");
  if (status >= 400 && !isPage) {
    c.res = await respondWithError(c, status as ContentfulStatusCode);
  }
  if (c.res.headers.get("Cache-Control") !== KEPT_BY_BROWSER) {
    c.header("Cache-Control", "no-store");
  }
  c.header("X-Robots-Tag", "noindex, nofollow");
};

/**
 * Answers people with a page, and programs with JSON. The path of a page in capitals is redirected, because browsers and
 * the rules of the zone compare it with `/redeem`, in the paths of cookies and in limits.
 */
export async function onUnknownPage(c: Context<AppEnv, string>): Promise<Response> {
  const { pathname, search } = new URL(c.req.url);
  const path = pathname.replace(/^\/(?:redeem|stop-emails)\//i, (start) => start.toLowerCase());
  const isMoved = path !== pathname;
  const isOfPrograms = /^\/(?:api|mcp)\//.test(pathname);
  const isForPeople = !isOfPrograms && c.req.header("Accept")?.includes("text/html");
  if (!isMoved && !isForPeople) return onUnknownPath(c);
  await recipientPages(c, async () => {
    c.res = isMoved ? c.redirect(path + search, 308) : await onUnknownPath(c);
  });
  return c.res;
}
