// The guide, the changelog and each operation as Markdown, for programs, and /llms.txt with links to them.
import { type OpenApi, type OpenApiOperation, type OpenApiSchema, resolve } from "./openapi.ts";

const fileOf = (id: string) => `/docs/${id}.md`;
const block = (language: string, code: string) => `\`\`\`${language}\n${code}\n\`\`\``;

/** The files by path. */
export function markdownFiles(document: OpenApi, changelog: string): Record<string, string> {
  const { info, paths, webhooks, tags } = document;
  const operations = [...Object.entries(paths), ...Object.entries(webhooks)].flatMap(
    ([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => ({
        ...operation,
        request: path in paths ? `${method.toUpperCase()} ${path}` : "POST to your endpoint",
      })),
  );
  const files = {
    [fileOf("guide")]: `# ${info.title}\n\n${info.summary}\n\n${info.description}\n`,
    [fileOf("changelog")]: `# Changelog\n\n${changelog}`,
    ...Object.fromEntries(
      operations.map((operation) => [
        fileOf(operation.operationId),
        operationText(document, operation),
      ]),
    ),
  };
  // See https://llmstxt.org.
  const index = [
    `# ${info.title}\n\n> ${info.summary}\n\n## General`,
    "- [Guide](/docs/guide.md): credentials, gifts, events, webhooks, retries, formats, errors and limits\n" +
      "- [Changelog](/docs/changelog.md): changes of the API that clients can notice\n" +
      "- [OpenAPI document](/openapi.json): all operations and schemas as OpenAPI 3.1",
    ...tags.map(({ name, description }) => {
      const links = operations
        .filter((operation) => operation.tags.includes(name))
        .map(
          ({ operationId, summary, request }) =>
            `- [${summary}](${fileOf(operationId)}): ${request}`,
        );
      return `## ${name}\n\n${description}\n\n${links.join("\n")}`;
    }),
  ];
  const linked = Object.entries(files).map(([path, text]) => [path, withLinks(text)]);
  return {
    ...(Object.fromEntries(linked) as Record<string, string>),
    "/llms.txt": `${index.join("\n\n")}\n`,
  };
}

/** With links to Markdown files in place of pages. */
const withLinks = (text: string) =>
  text
    .replaceAll(/\]\(\/docs\/reference#[^)]*?(\w+)\)/g, (_, id: string) => `](${fileOf(id)})`)
    .replaceAll("](/docs#", `](${fileOf("guide")}#`)
    .replaceAll("](/docs/changelog)", `](${fileOf("changelog")})`);

function operationText(document: OpenApi, operation: OpenApiOperation & { request: string }) {
  const { summary, request, description, parameters, requestBody, responses } = operation;
  const samples = operation["x-codeSamples"] ?? [];
  const body = requestBody?.content["application/json"];
  const shown = parameters
    .map((parameter) => resolve(document, parameter))
    .filter(({ name }) => !(name in document.components.securitySchemes))
    .map((parameter) => fieldLine(document, parameter.name, parameter, parameter.required));
  const answers = Object.entries(responses).flatMap(([status, response]) => {
    const { description, content } = resolve(document, response);
    const media = content?.["application/json"];
    // All errors have the same body.
    if (!media || Number(status) >= 400) return [`### ${status}`, description];
    const examples = Object.values(media.examples).map(({ value }) =>
      block("json", JSON.stringify(value, null, 2)),
    );
    return [
      `### ${status}`,
      description,
      fieldLines(document, media.schema).join("\n"),
      ...examples,
    ];
  });
  const requests = Object.entries(body?.examples ?? {}).map(
    ([name, { value }]) => `### ${name}\n\n${block("json", JSON.stringify(value, null, 2))}`,
  );
  return `${[
    `# ${summary}`,
    `\`${request}\``,
    description,
    ...(shown.length > 0 ? ["## Parameters", shown.join("\n")] : []),
    ...(body ? ["## Body", fieldLines(document, body.schema).join("\n")] : []),
    ...(requests.length > 0 ? ["## Examples of the body", ...requests] : []),
    ...samples.map(
      ({ label, lang, source }) =>
        `## Request with ${label}\n\n${block(lang.toLowerCase(), source)}`,
    ),
    "## Responses",
    ...answers,
  ].join("\n\n")}\n`;
}

/** A line for each field of an object, followed by those of the objects in it. */
function fieldLines(document: OpenApi, schema: OpenApiSchema, indentation = ""): string[] {
  const { properties = {}, required = [], items, anyOf, oneOf } = resolve(document, schema);
  return [
    ...Object.entries(properties).flatMap(([name, field]) => [
      indentation + fieldLine(document, name, { schema: field, ...field }, required.includes(name)),
      ...fieldLines(document, field, `${indentation}  `),
    ]),
    ...(items ? fieldLines(document, items, indentation) : []),
    ...(anyOf ?? []).flatMap((option) => fieldLines(document, option, indentation)),
    ...(oneOf ?? []).flatMap((option) => {
      const { title = "", description = "" } = resolve(document, option);
      const lines = fieldLines(document, option, `${indentation}  `);
      return [`${indentation}- ${title}: ${description}`, ...lines];
    }),
  ];
}

function fieldLine(
  document: OpenApi,
  name: string,
  { schema, description }: { schema: OpenApiSchema; description?: string },
  required: boolean,
): string {
  const rules = [typeOf(document, schema), required ? "required" : ""].filter(Boolean).join(", ");
  return `- \`${name}\` (${rules}): ${description ?? ""}`;
}

/** The type and its rules, such as `string or null, at most 100 characters`. */
function typeOf(document: OpenApi, schema: OpenApiSchema): string {
  const { type, format, items, anyOf, minimum, maximum, maxLength, maxItems, ...rest } = resolve(
    document,
    schema,
  );
  if (anyOf) return anyOf.map((option) => typeOf(document, option)).join(" or ");
  const values = rest.enum ?? rest["x-extensible-enum"];
  const name = items
    ? `array of ${typeOf(document, items)}`
    : [type ?? "object"].flat().join(" or ");
  return [
    values ? values.join(" or ") : (format ?? name),
    ...(maximum !== undefined && maximum < Number.MAX_SAFE_INTEGER
      ? [`${minimum} to ${maximum}`]
      : []),
    ...(maxLength === undefined ? [] : [`at most ${maxLength} characters`]),
    ...(maxItems === undefined ? [] : [`at most ${maxItems} elements`]),
    ...(rest.default === undefined ? [] : [`default ${rest.default}`]),
  ].join(", ");
}
