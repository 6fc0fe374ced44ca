// The pages for partners: the guide and the changelog, which can be read without scripts, and the reference, which a
// viewer of OpenAPI documents shows.
import { html } from "hono/html";
import { headings, type Html, markdown, htmlString } from "./markdown.ts";
import type { OpenApi } from "./openapi.ts";

/** The pages by their paths. */
export function pages(document: OpenApi, changelog: string): Record<string, string> {
  const { title, summary, version, description, contact } = document.info;
  const page = (name: string, path: string, content: Html) =>
    layout(
      document,
      name,
      html`<link rel="stylesheet" href="/docs.css" />`,
      html`${contents(document, path)}
        <main id="content">${content}</main>`,
    );
  return {
    "/docs": page(
      "Guide",
      "/docs",
      html`<h1>${title}</h1>
        <p class="lead">${summary}</p>
        <p>
          Version ${version} · <a href="/docs/reference">All operations</a> ·
          <a href="/openapi.json">OpenAPI document</a> ·
          <a href="/llms.txt">Markdown for programs</a> ·
          <a href="mailto:${contact.email}">${contact.email}</a>
        </p>
        <article>${markdown(description)}</article>`,
    ),
    "/docs/changelog": page(
      "Changelog",
      "/docs/changelog",
      html`<h1>Changelog</h1>
        <p>Changes of the API that partners can notice, newest first.</p>
        <article>${markdown(changelog)}</article>`,
    ),
    "/docs/reference": layout(
      document,
      "Reference",
      html`<script type="module" src="/reference.js"></script>`,
      html`<div id="reference"></div>
        <noscript>
          The reference needs JavaScript. The <a href="/docs">guide</a> does not, and
          <a href="/llms.txt">Markdown files</a> describe all operations.
        </noscript>`,
    ),
  };
}

function layout({ info }: OpenApi, name: string, head: Html, body: Html): string {
  return htmlString(
    html`<!doctype html>
      <html lang="en">
        <head>
          <meta charset="utf-8" />
          <meta name="viewport" content="width=device-width, initial-scale=1" />
          <meta name="color-scheme" content="light dark" />
          <meta name="description" content="${info.summary}" />
          <title>${name} · ${info.title} API</title>
          <link rel="icon" href="/images/brand/regalo-claim-logo.svg" />
          ${head}
        </head>
        <body>
          <!--email_off-->${body}<!--/email_off-->
        </body>
      </html>`,
  );
}

/** A sidebar on wide screens, otherwise a menu. The menu is a popover, which needs no script. */
function contents({ info }: OpenApi, path: string): Html {
  const link = (level: number, href: string, text: string) =>
    html`<li class="level-${level}">
      <a href="${href}" ${href === path ? html`aria-current="page"` : ""}>${text}</a>
    </li>`;
  return html`<a class="skip" href="#content">Skip to the content</a>
    <header class="bar">
      <a class="brand" href="/docs">${info.title}</a>
      <button type="button" popovertarget="contents">Contents</button>
    </header>
    <nav id="contents" popover aria-label="Contents">
      <ul>
        ${headings(info.description).map(({ level, id, title }) => link(level, `/docs#${id}`, title))}
        ${link(2, "/docs/reference", "Reference")} ${link(2, "/docs/changelog", "Changelog")}
      </ul>
    </nav>`;
}
