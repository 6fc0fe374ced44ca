// How pages travel: nothing of them is kept, indexed or told to others, and they load what they show and
// nothing else.
import type { Context, MiddlewareHandler } from "hono";
import type { ContentfulStatusCode } from "hono/utils/http-status";
import type { AppEnv } from "../env.ts";
import { type Page, pictureUrl, renderPage } from "./layout.tsx";
import { errorPage } from "./notices.tsx";
import { themeCss } from "./theme.ts";

export async function answerPage(
  c: Context<AppEnv>,
  page: Page,
  status: ContentfulStatusCode = 200,
): Promise<Response> {
  const publicUrl = c.env.PUBLIC_URL;
  const css = themeCss(page.branding);
  const pictures = [page.logo, page.branding.claimLogo, ...page.pictures];
  c.header("Content-Security-Policy", policy(await sha256Base64(css), pictures, publicUrl));
  return c.html(renderPage(page, css, publicUrl), status);
}

/** No script at all, the theme by its digest, and pictures from just the hosts of those shown. */
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
 * All answers below /redeem: the URL is the secret, so that nothing may keep or pass it on, and whoever opens
 * it sees a page, whatever refused the request.
 */
export const recipientPages: MiddlewareHandler<AppEnv> = async (c, next) => {
  await next();
  const { status } = c.res;
  const isPage = c.res.headers.get("Content-Type")?.startsWith("text/html");
  if (status >= 400 && !isPage) {
    c.res = await answerPage(
      c,
      errorPage(status, c.env.PUBLIC_URL),
      status as ContentfulStatusCode,
    );
  }
  c.header("Cache-Control", "no-store");
  c.header("Referrer-Policy", "no-referrer");
  c.header("X-Robots-Tag", "noindex, nofollow");
};
