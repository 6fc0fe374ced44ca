// The pages of the reference: the guide, a page for each tag, and the changelog.
import { html } from "hono/html";
import { changelogPage } from "./changelog.ts";
import { type Html, inlineMarkdown, markdown } from "./markdown.ts";
import type { OpenApi } from "./openapi.ts";
import type { Operation } from "./operation.ts";
import { operationSection } from "./operation-section.ts";
import { GUIDE_PATH, type Page, tagPath } from "./page.ts";

export function pagesOf(document: OpenApi, operations: Operation[], changelog: string): Page[] {
  const tags = document.tags.map(({ name, description }): Page => {
    const sections = operations.filter(({ tag }) => tag === name).map(operationSection);
    return {
      path: tagPath(name),
      title: name,
      content: html`<p class="lead">${inlineMarkdown(description)}</p>
        ${credentialsForm(document)} ${sections}`,
    };
  });
  return [guidePage(document), ...tags, changelogPage(changelog)];
}

function guidePage({ info }: OpenApi): Page {
  return {
    path: GUIDE_PATH,
    title: `${info.title} API reference`,
    content: html`<p class="lead">${info.summary}</p>
      <p>
        Version ${info.version} · <a href="/openapi.json">OpenAPI document</a> ·
        <a href="/llms.txt">Markdown for programs</a> ·
        <a href="mailto:${info.contact.email}">${info.contact.email}</a>
      </p>
      <article>${markdown(info.description)}</article>`,
  };
}

/** The credentials for the forms of the page. It needs the page's script, which shows it. */
function credentialsForm(document: OpenApi): Html {
  const [, production] = document.servers;
  return html`<section id="try" class="credentials">
    <form data-production="${production?.url}" autocomplete="off" hidden>
      <h2>Try requests from this page</h2>
      <p>
        Each operation below has a form that sends a request to <code class="origin"></code>, the
        server of this page, with the credentials that you enter here. They are discarded when you
        leave the page.
      </p>
      <p class="warning" hidden>This is production: orders that you place here are real.</p>
      ${Object.values(document.components.securitySchemes).map(
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
