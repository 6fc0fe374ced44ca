// What a change has done, as the page that it leads to shows it once. A cookie carries it there, because it may be personal
// data, which must not be part of a URL.
import { deleteCookie, getCookie, setCookie } from "hono/cookie";
import type { ConsoleContext } from "./environment.ts";
import type { Done } from "./ui/view.tsx";

const COOKIE = "done";
const OPTIONS = { path: "/", httpOnly: true, sameSite: "Strict" } as const;

/** Browsers refuse cookies of more than 4 KiB, in which a character may take nine bytes. */
const MAX_TEXT_LENGTH = 300;

/** Leads to the page that shows it. */
export function redirectWith(c: ConsoleContext, href: string, { text, links }: Done): Response {
  const shown = text.length > MAX_TEXT_LENGTH ? `${text.slice(0, MAX_TEXT_LENGTH)}…` : text;
  const secure = c.req.url.startsWith("https:");
  setCookie(c, COOKIE, JSON.stringify({ href, text: shown, links }), {
    ...OPTIONS,
    secure,
    maxAge: 60,
  });
  return c.redirect(href, 303);
}

/** What has led to this page, if anything. It is returned once. */
export function takeDone(c: ConsoleContext): Done | undefined {
  const text = getCookie(c, COOKIE);
  const { pathname, search } = new URL(c.req.url);
  if (text === undefined || c.req.method !== "GET") return undefined;
  try {
    const { href, ...done } = JSON.parse(text) as Done & { href: string };
    if (href !== pathname + search || !Array.isArray(done.links)) return undefined;
    deleteCookie(c, COOKIE, OPTIONS);
    return done;
  } catch {
    return undefined;
  }
}
