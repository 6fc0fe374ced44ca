// Responses with pages, their Content-Security-Policy, and the headers that protect the secret in the URL.
import type { Context, MiddlewareHandler } from "hono";
import type { ContentfulStatusCode } from "hono/utils/http-status";
import type { AppEnv } from "../http/context.ts";
import { type HtmlPage, pictureUrl, renderPage } from "./pages/layout.tsx";
import { errorPage } from "./pages/notices.tsx";
import { themeCss } from "./pages/theme.ts";

export async function respond(
  c: Context<AppEnv>,
  { page, status }: { page: HtmlPage; status: ContentfulStatusCode },
): Promise<Response> {
  const publicUrl = c.env.PUBLIC_URL;
  const css = themeCss(page.branding);
  const pictures = [page.logo, page.branding.claimLogo, ...page.pictures];
  c.header("Content-Security-Policy", policy(await sha256Base64(css), pictures, publicUrl));
  return c.html(renderPage(page, css, publicUrl), status);
}

/** No scripts, the theme by its digest, and images from the hosts of the images shown. */
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
 * For all responses below /redeem. The URL contains a secret, so responses must not be cached or indexed, and browsers
 * must not send the URL in a Referer header. Errors become pages, because people open these links.
 */
export const recipientPages: MiddlewareHandler<AppEnv> = async (c, next) => {
  await next();
  const { status } = c.res;
  const isPage = c.res.headers.get("Content-Type")?.startsWith("text/html");
  if (status >= 400 && !isPage) {
    const page = errorPage(status, c.env.PUBLIC_URL);
    c.res = await respond(c, { page, status: status as ContentfulStatusCode });
  }
  c.header("Cache-Control", "no-store");
  c.header("Referrer-Policy", "no-referrer");
  c.header("X-Robots-Tag", "noindex, nofollow");
};
