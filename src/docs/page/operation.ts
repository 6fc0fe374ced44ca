// An operation on the reference page: description, parameters, body, responses, a sample request and a form to send it.
import { html } from "hono/html";
import { fieldList, objectFields } from "./fields.ts";
import { codeBlock, type Html, inlineMarkdown, markdown } from "./markdown.ts";
import {
  type OpenApi,
  type OpenApiOperation,
  type OpenApiParameter,
  type OpenApiResponse,
  resolve,
} from "./openapi.ts";

export interface ListedOperation {
  /** The path, or a description of the URL for a webhook. */
  path: string;
  method: string;
  operation: OpenApiOperation;
}

/** The operations of a tag, in the order of the document. Webhooks are last. */
export function operationsOf(document: OpenApi, tag: string): ListedOperation[] {
  const webhooks = Object.values(document.webhooks).map(
    (operations) => ["the URL of your endpoint", operations] as const,
  );
  return [...Object.entries(document.paths), ...webhooks].flatMap(([path, operations]) =>
    Object.entries(operations)
      .filter(([, operation]) => operation.tags.includes(tag))
      .map(([method, operation]) => ({ path, method: method.toUpperCase(), operation })),
  );
}

export function methodBadge(method: string): Html {
  return html`<span class="method ${method.toLowerCase()}">${method}</span>`;
}

export function operationSection(
  document: OpenApi,
  { path, method, operation }: ListedOperation,
): Html {
  const parameters = operation.parameters
    .map((parameter) => resolve<OpenApiParameter>(document, parameter))
    // The credentials have a section of their own.
    .filter(({ name }) => !(name in document.components.securitySchemes));
  const body = operation.requestBody?.content["application/json"];
  const responses = Object.entries(operation.responses).map(
    ([status, response]) => [status, resolve<OpenApiResponse>(document, response)] as const,
  );
  const samples = operation["x-codeSamples"];
  return html`<section class="operation" aria-labelledby="${operation.operationId}">
    <div class="description">
      <h3 id="${operation.operationId}">${operation.summary}</h3>
      <p class="endpoint">${methodBadge(method)} <code>${path}</code></p>
      ${markdown(operation.description)}
      ${
        parameters.length > 0 &&
        html`<h4>Parameters</h4>
          ${fieldList(document, parameters)}`
      }
      ${
        body &&
        html`<h4>Body</h4>
          ${objectFields(document, body.schema)}`
      }
      <h4>Responses</h4>
      ${
        samples
          ? html`${responses
              .filter(([status]) => Number(status) < 400)
              .map((response) => success(document, ...response))}
            ${errors(responses.filter(([status]) => Number(status) >= 400))}`
          : responses.map(
              ([status, { description }]) =>
                html`<p><code>${status}</code> ${inlineMarkdown(description)}</p>`,
            )
      }
    </div>
    <div class="samples">
      ${
        samples
          ? html`${samples.map(
              ({ label, source }) =>
                html`<h4>Request with ${label}</h4>
                  ${codeBlock(source)}`,
            )}
            ${examples(responses)} ${tryForm({ path, method, operation }, parameters)}`
          : requestExamples(operation)
      }
    </div>
  </section>`;
}

function success(
  document: OpenApi,
  status: string,
  { description, headers, content }: OpenApiResponse,
) {
  const body = content?.["application/json"];
  // The page describes the shared headers in one place.
  const own = Object.entries(headers ?? {}).flatMap(([name, header]) =>
    "$ref" in header ? [] : [{ name, required: false, schema: {}, ...header }],
  );
  return html`<p><code>${status}</code> ${inlineMarkdown(description)}</p>
    ${
      own.length > 0 &&
      html`<details>
        <summary>Headers of ${status}</summary>
        ${fieldList(document, own)}
      </details>`
    }
    ${body && objectFields(document, body.schema)}`;
}

/** The description of an error response has a paragraph for each code. */
function errors(responses: (readonly [string, OpenApiResponse])[]): Html {
  return html`<details>
    <summary>Errors: ${responses.map(([status]) => status).join(", ")}</summary>
    <ul class="errors">
      ${responses.flatMap(([status, { description }]) =>
        description
          .split("\n\n")
          .map((code) => html`<li><code>${status}</code> ${inlineMarkdown(code)}</li>`),
      )}
    </ul>
  </details>`;
}

function examples(responses: (readonly [string, OpenApiResponse])[]): Html {
  const shown = responses.flatMap(([status, { content }]) =>
    status === "200" ? Object.entries(content?.["application/json"].examples ?? {}) : [],
  );
  return html`${shown.map(
    ([name, { value }]) =>
      html`<h4>Response${shown.length > 1 && `: ${name}`}</h4>
        ${codeBlock(JSON.stringify(value, null, 2))}`,
  )}`;
}

/** The examples of the request that a webhook sends. */
function requestExamples({ requestBody }: OpenApiOperation): Html {
  const named = Object.entries(requestBody?.content["application/json"].examples ?? {});
  return html`${named.map(
    ([name, { value }]) =>
      html`<h4>Request: ${name}</h4>
        ${codeBlock(JSON.stringify(value, null, 2))}`,
  )}`;
}

/** The form that sends the request. It needs the page's script, which shows it. */
function tryForm(
  { path, method, operation }: ListedOperation,
  parameters: OpenApiParameter[],
): Html {
  const id = (name: string) => `try-${operation.operationId}-${name}`;
  const sample = operation["x-codeSamples"]?.[0]?.source ?? "";
  const [example] = Object.values(
    operation.requestBody?.content["application/json"].examples ?? {},
  );
  return html`<form class="try" data-method="${method}" data-path="${path}" hidden>
    <h4>Try it</h4>
    <p>Sent with the <a href="#credentials">credentials</a> that you enter above.</p>
    ${parameters.map(
      ({ name, in: place, example }) =>
        html`<label for="${id(name)}">${name}</label>
          <input
            id="${id(name)}"
            name="${name}"
            data-in="${place}"
            value="${sample.includes(`${name}=`) ? example : ""}"
          />`,
    )}
    ${
      example &&
      html`<label for="${id("body")}">Body</label>
        <textarea id="${id("body")}" rows="12" spellcheck="false">
${JSON.stringify(example.value, null, 2)}</textarea>`
    }
    <button type="submit">Send</button>
    <output></output>
    <div class="response"></div>
  </form>`;
}
