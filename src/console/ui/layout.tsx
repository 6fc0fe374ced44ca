// The layout of all pages.
import { html, raw } from "hono/html";
import type { Child } from "hono/jsx";
import { TOKEN_FIELD } from "../access/forms.ts";
import type { User } from "../../operator/roles.ts";
import { hrefOf, operationsOf } from "../skin/paths.ts";
import { COMMON } from "../texts/common.ts";
import { ProductPicture } from "./picture.tsx";
import { SCRIPT_PATH, STYLE_PATH } from "./static.ts";
import { Unbroken } from "./values.tsx";
import { type View, ViewProvider } from "./view.tsx";

export interface ConsolePage {
  /** The page's title, and its heading if it has no other. It contains no personal data. */
  title: string;
  heading?: string | undefined;
  /** The picture beside the heading. */
  picture?: string | undefined;
  /** The page above this one. */
  parent?: { name: string; href: string } | undefined;
  content: Child;
}

/** The operations of the menu. */
const MENU = [
  "home",
  "order list",
  "shipment list",
  "client list",
  "payment list",
  "statement list",
  "report",
  "catalogue list",
  "stock list",
  "webhook list",
  "email list",
  "health",
  "audit list",
];

/** Those that the user may do. */
const menuFor = (user: User) =>
  MENU.flatMap((name) => operationsOf(name, user)).map((operation) => ({
    href: operation.name === "home" ? "/" : hrefOf(operation, {}),
    text: operation.title,
  }));

export function renderConsolePage(
  { title, heading = title, picture = "", parent, content }: ConsolePage,
  view: View,
) {
  const [kind, region = ""] = view.environment.split("-");
  const environment = `${COMMON.environments[kind as "production"]} ${region.toUpperCase()}`.trim();
  const { user } = view;
  const menu = menuFor(user);
  // The entry about the same kind of object, such as `/order/list` for `/order/show`.
  const entryOf = (path: string) =>
    menu.find(({ href }) => href.split("/")[1] === path.split(/[/?]/)[1]);
  const current = entryOf(view.path) ?? entryOf(parent?.href ?? "");
  return html`<!doctype html>${(
      <html lang="en">
        <head>
          <meta charset="utf-8" />
          <meta name="viewport" content="width=device-width, initial-scale=1" />
          <meta name="color-scheme" content="light dark" />
          <meta name="robots" content="noindex" />
          <title>{`${title} – ${environment} – ${COMMON.name}`}</title>
          <link rel="icon" href="data:," />
          <link rel="stylesheet" href={STYLE_PATH} />
          <script src={SCRIPT_PATH} defer />
        </head>
        <body class={kind}>
          {/* Cloudflare's Email Address Obfuscation would hide addresses behind a script of its own. */}
          {raw("<!--email_off-->")}
          <a class="skip" href="#content">
            {COMMON.skip}
          </a>
          <header>
            <p class="environment">{environment}</p>
            <a class="brand" href={menu[0]?.href}>
              {COMMON.name}
            </a>
            {user.vendor === undefined && (
              <form method="post" action="/order/find" role="search">
                <input type="hidden" name={TOKEN_FIELD} value={view.searchToken} />
                <input
                  name="text"
                  type="search"
                  aria-label={COMMON.search.label}
                  placeholder={COMMON.search.hint}
                  autocomplete="off"
                  spellcheck={false}
                />
                <button type="submit">{COMMON.search.submit}</button>
              </form>
            )}
            <button class="menu quiet" type="button" popovertarget="menu">
              {COMMON.menu}
            </button>
            <nav id="menu" popover="auto" aria-label={COMMON.menu}>
              <ul>
                {menu.map((entry) => (
                  <li>
                    <a href={entry.href} aria-current={entry === current ? "page" : undefined}>
                      {entry.text}
                    </a>
                  </li>
                ))}
              </ul>
            </nav>
          </header>
          <main id="content">
            <ViewProvider value={view}>
              {parent && (
                <p class="parent">
                  <a href={parent.href}>{parent.name}</a>
                </p>
              )}
              {view.done && (
                <div role="status" class="done">
                  <p>
                    <Unbroken text={view.done.text} />
                  </p>
                  {view.done.links.map(({ href, text }) => (
                    <a class="button" href={href}>
                      {text}
                    </a>
                  ))}
                </div>
              )}
              <div class="heading">
                <ProductPicture picture={picture} />
                <h1>
                  <Unbroken text={heading} />
                </h1>
              </div>
              {content}
            </ViewProvider>
          </main>
          <footer>
            <p>
              {COMMON.signedIn} {user.name} ({user.vendorName ?? user.roles.join(", ")}).{" "}
              {COMMON.zone} {view.timeZone}.
            </p>
          </footer>
          {raw("<!--/email_off-->")}
        </body>
      </html>
    )}`;
}
