// Renders the reference page from the OpenAPI document. The page can be read without scripts.
import { html } from "hono/html";
import { headings, type Html, inlineMarkdown, markdown } from "./markdown.ts";
import type { OpenApi } from "./openapi.ts";
import { methodBadge, operationSection, operationsOf } from "./operation.ts";

export async function referencePage(document: OpenApi): Promise<string> {
  const { info } = document;
  return withoutIndentation(
    await html`<!doctype html>
      <html lang="en">
        <head>
          <meta charset="utf-8" />
          <meta name="viewport" content="width=device-width, initial-scale=1" />
          <meta name="color-scheme" content="light dark" />
          <meta name="description" content="${info.summary}" />
          <title>${info.title} API reference</title>
          <link rel="icon" href="/images/brand/regalo-claim-logo.svg" />
          <link rel="stylesheet" href="/docs.css" />
          <script src="/docs.js" defer></script>
        </head>
        <body>
          <a class="skip" href="#content">Skip to the content</a>
          ${contents(document)}
          <main id="content">
            <h1>${info.title} API reference</h1>
            <p class="lead">${info.summary}</p>
            <p>
              Version ${info.version} · <a href="/openapi.json">OpenAPI document</a> ·
              <a href="mailto:${info.contact.email}">${info.contact.email}</a>
            </p>
            <article>${markdown(info.description)}</article>
            ${credentials(document)} ${sharedHeaders(document)}
            ${document.tags.map(
              ({ name, description }) =>
                html`<h2 id="${name}">${name}</h2>
                  <p>${inlineMarkdown(description)}</p>
                  ${operationsOf(document, name).map((listed) =>
                    operationSection(document, listed),
                  )}`,
            )}
          </main>
        </body>
      </html>`,
  );
}

/** Leaves out the indentation of lines, a tenth of the page, except where browsers show it. */
function withoutIndentation(page: { toString: () => string }): string {
  return String(page).replace(
    /(<(pre|textarea)\b[^]*?<\/\2>)|\s*\n\s*/g,
    (_, preformatted?: string) => preformatted ?? "\n",
  );
}

/** A sidebar on wide screens, otherwise a menu. The menu is a popover, which needs no script. */
function contents(document: OpenApi): Html {
  return html`<header class="bar">
      <a class="brand" href="#content">${GIFT} ${document.info.title}</a>
      <button type="button" popovertarget="contents">Contents</button>
    </header>
    <nav id="contents" popover aria-label="Contents">
      <search hidden>
        <label for="search">Search</label>
        <input id="search" type="search" autocomplete="off" aria-describedby="found" />
        <p id="found" role="status"></p>
        <ul id="results"></ul>
      </search>
      <ul>
        ${headings(document.info.description).map(
          ({ level, id, text }) =>
            html`<li class="level-${level}"><a href="#${id}">${text}</a></li>`,
        )}
        <li class="level-2"><a href="#credentials">Credentials</a></li>
        <li class="level-2"><a href="#headers">Headers of responses</a></li>
        ${document.tags.map(
          ({ name }) =>
            html`<li class="level-2"><a href="#${name}">${name}</a></li>
              ${operationsOf(document, name).map(
                ({ method, operation }) =>
                  html`<li class="level-3">
                    <a href="#${operation.operationId}">
                      ${methodBadge(method)} ${operation.summary}
                    </a>
                  </li>`,
              )}`,
        )}
      </ul>
    </nav>`;
}

function credentials(document: OpenApi): Html {
  const schemes = Object.values(document.components.securitySchemes);
  const [, production] = document.servers;
  return html`<section class="credentials" aria-labelledby="credentials">
    <h2 id="credentials">Credentials</h2>
    <p>Every request needs these three headers.</p>
    <ul class="fields">
      ${schemes.map(
        ({ name, description }) =>
          html`<li>
            <p><code class="name">${name}</code></p>
            <p>${inlineMarkdown(description)}</p>
          </li>`,
      )}
    </ul>
    <form data-production="${production?.url}" autocomplete="off" hidden>
      <h3>Try requests from this page</h3>
      <p>
        Each operation below has a form that sends a request to <code class="origin"></code>, the
        server of this page, with the credentials that you enter here. They are discarded when you
        leave the page.
      </p>
      <p class="warning" hidden>This is production: orders that you place here are real.</p>
      ${schemes.map(
        ({ name }) =>
          html`<label for="${name}">${name}</label>
            <input
              id="${name}"
              name="${name}"
              type="${name === "CLIENT-ID" ? "text" : "password"}"
              autocomplete="off"
              spellcheck="false"
            />`,
      )}
    </form>
  </section>`;
}

function sharedHeaders(document: OpenApi): Html {
  return html`<section aria-labelledby="headers">
    <h2 id="headers">Headers of responses</h2>
    <ul class="fields">
      ${Object.entries(document.components.headers).map(
        ([name, { description }]) =>
          html`<li>
            <p><code class="name">${name}</code></p>
            <p>${inlineMarkdown(description)}</p>
          </li>`,
      )}
    </ul>
  </section>`;
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
