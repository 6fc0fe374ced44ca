// The layout of the reference's pages, which can be read without scripts: a sidebar of all pages, and the content.
import { html } from "hono/html";
import { type Html, type Section, textOf } from "./markdown.ts";
import type { OpenApi } from "./openapi.ts";
import type { Operation } from "./operation.ts";
import { methodBadge } from "./operation-section.ts";

export interface Page {
  /** Such as `/docs/orders`. */
  path: string;
  title: string;
  content: Html;
}

export const GUIDE_PATH = "/docs";
export const CHANGELOG_PATH = "/docs/changelog";

export const tagPath = (tag: string) => `/docs/${tag.toLowerCase().replaceAll(" ", "-")}`;

export interface Contents {
  guide: Section[];
  operations: Operation[];
}

/** The page as HTML. `content` is that of the page, in which links between pages are complete. */
export function layout(
  document: OpenApi,
  { path, title }: Page,
  contents: Contents,
  content: Html,
): string {
  const { info } = document;
  const name = `${info.title} API reference`;
  return textOf(
    html`<!doctype html>
      <html lang="en">
        <head>
          <meta charset="utf-8" />
          <meta name="viewport" content="width=device-width, initial-scale=1" />
          <meta name="color-scheme" content="light dark" />
          <meta name="description" content="${info.summary}" />
          <title>${path === GUIDE_PATH ? name : `${title} · ${name}`}</title>
          <link rel="icon" href="/images/brand/regalo-claim-logo.svg" />
          <link rel="stylesheet" href="/docs.css" />
          <script src="/docs.js" defer></script>
        </head>
        <body>
          <a class="skip" href="#content">Skip to the content</a>
          ${sidebar(document, path, contents)}
          <main id="content">
            <h1>${title}</h1>
            ${content}
          </main>
        </body>
      </html>`,
  );
}

/** A sidebar on wide screens, otherwise a menu. The menu is a popover, which needs no script. */
function sidebar(document: OpenApi, path: string, { guide, operations }: Contents): Html {
  const link = (level: number, href: string, text: Html | string) =>
    html`<li class="level-${level}">
      <a href="${href}" ${href === path ? html`aria-current="page"` : ""}>${text}</a>
    </li>`;
  return html`<header class="bar">
      <a class="brand" href="${GUIDE_PATH}">${GIFT} ${document.info.title}</a>
      <button type="button" popovertarget="contents">Contents</button>
    </header>
    <nav id="contents" popover aria-label="Contents">
      <search hidden>
        <label for="search">Search</label>
        <input
          id="search"
          type="search"
          autocomplete="off"
          aria-describedby="found"
          aria-keyshortcuts="/"
        />
        <p id="found" role="status"></p>
        <ul id="results"></ul>
      </search>
      <ul>
        ${guide.map(({ level, id, title }) => link(level, `${GUIDE_PATH}#${id}`, title))}
        ${document.tags.map(({ name }) => [
          link(2, tagPath(name), name),
          ...operations
            .filter(({ tag }) => tag === name)
            .map(({ id, method, summary }) =>
              link(3, `${tagPath(name)}#${id}`, html`${methodBadge(method)} ${summary}`),
            ),
        ])}
        ${link(2, CHANGELOG_PATH, "Changelog")}
      </ul>
    </nav>`;
}

const GIFT = html`<svg viewBox="0 0 140 150" width="28" height="30" aria-hidden="true">
  <rect x="14" y="70" width="112" height="74" rx="14" fill="#d9523f" />
  <rect x="4" y="46" width="132" height="36" rx="12" fill="#b83f33" />
  <rect x="58" y="46" width="24" height="98" fill="#f3b25a" />
  <path
    d="M70 46C50-4 0 2 12 30C18 46 46 50 70 46ZM70 46C90-4 140 2 128 30C122 46 94 50 70 46Z"
    fill="#f3b25a"
  />
  <circle cx="70" cy="44" r="11" fill="#fff4dd" />
</svg>`;
