// An operation on its page: description, parameters, body, responses, sample requests and a form to send one.
import { html } from "hono/html";
import { fieldList, objectLists } from "./fields.ts";
import { codeBlock, heading, type Html, inlineMarkdown, markdown } from "./markdown.ts";
import { jsonText } from "./openapi.ts";
import type { Operation } from "./operation.ts";

export function methodBadge(method: string): Html {
  return html`<span class="method ${method.toLowerCase()}">${method}</span>`;
}

export function operationSection(operation: Operation): Html {
  const { id, method, path, summary, description, parameters, body, samples } = operation;
  return html`<section class="operation" aria-labelledby="${id}">
    <div class="description">
      ${heading(2, id, summary)}
      <p class="endpoint">${methodBadge(method)} <code>${path}</code></p>
      ${markdown(description)}
      ${
        parameters.length > 0 &&
        html`<h3>Parameters</h3>
          ${fieldList(parameters.map(({ field }) => field))}`
      }
      ${
        body.length > 0 &&
        html`<h3>Body</h3>
          ${objectLists(body)}`
      }
      <h3>Responses</h3>
      ${operation.responses.map(success)} ${operation.errors.length > 0 && errors(operation)}
    </div>
    <div class="samples">
      ${
        samples.length > 0
          ? html`${languages(operation)} ${examples(operation)} ${tryForm(operation)}`
          : requestExamples(operation)
      }
    </div>
  </section>`;
}

function success({ status, description, headers, body }: Operation["responses"][number]): Html {
  return html`<p><code>${status}</code> ${inlineMarkdown(description)}</p>
    ${
      headers.length > 0 &&
      html`<details>
        <summary>Headers of ${status}</summary>
        ${fieldList(headers)}
      </details>`
    }
    ${objectLists(body)}`;
}

function errors({ errors }: Operation): Html {
  return html`<details>
    <summary>Errors: ${[...new Set(errors.map(({ status }) => status))].join(", ")}</summary>
    <ul class="errors">
      ${errors.map(
        ({ status, description }) =>
          html`<li><code>${status}</code> ${inlineMarkdown(description)}</li>`,
      )}
    </ul>
  </details>`;
}

/** A tab for each language. The tabs are radio buttons, which need no script. */
function languages({ id, samples }: Operation): Html {
  return html`<fieldset class="languages">
    <legend>Request</legend>
    ${samples.map(
      ({ label }, index) =>
        html`<input
            type="radio"
            id="${id}-${label}"
            name="${id}-language"
            value="${label}"
            ${index === 0 ? "checked" : ""}
          /><label for="${id}-${label}">${label}</label>`,
    )}
    ${samples.map(({ lang, source }) => html`<div>${codeBlock(source, CODE[lang] ?? "json")}</div>`)}
  </fieldset>`;
}

/** The languages of blocks of code by those of `x-codeSamples`. */
export const CODE: Record<string, string> = { Shell: "sh", TypeScript: "ts", Python: "python" };

const jsonBlock = (value: unknown) => codeBlock(jsonText(value), "json");

function examples({ responses }: Operation): Html {
  const shown = responses.flatMap(({ examples }) => examples);
  return html`${shown.map(
    ([name, value]) =>
      html`<h3>Response${shown.length > 1 && `: ${name}`}</h3>
        ${jsonBlock(value)}`,
  )}`;
}

/** The examples of the request that a webhook sends. */
function requestExamples({ id, requests }: Operation): Html {
  return html`<h3>Requests</h3>
    ${requests.map(
      ([name, value]) =>
        html`<details id="${id}.${name}">
          <summary>${name}</summary>
          ${jsonBlock(value)}
        </details>`,
    )}`;
}

/** The form that sends the request. It needs the page's script, which shows it. */
function tryForm({ id, method, path, parameters, requests }: Operation): Html {
  const inputId = (name: string) => `try-${id}-${name}`;
  const [example] = requests;
  return html`<form class="try" data-method="${method}" data-path="${path}" hidden>
    <h3>Try it</h3>
    <p>Sent with the <a href="#try">credentials</a> that you enter above.</p>
    ${parameters.map(
      ({ name, in: place, example, isSent }) =>
        html`<label for="${inputId(name)}">${name}</label>
          <input
            id="${inputId(name)}"
            name="${name}"
            data-in="${place}"
            value="${isSent ? example : ""}"
          />`,
    )}
    ${
      example &&
      html`<label for="${inputId("body")}">Body</label>
        <textarea id="${inputId("body")}" rows="12" spellcheck="false">
${jsonText(example[1])}</textarea>`
    }
    <button type="submit">Send</button>
    <output></output>
    <div class="response"></div>
  </form>`;
}
