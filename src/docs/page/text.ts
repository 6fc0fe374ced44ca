// The reference as Markdown, for programs: a file for the guide and for each operation, and /llms.txt with links to them.
import type { Field, ObjectFields } from "./fields.ts";
import { jsonText, type OpenApi } from "./openapi.ts";
import { CODE } from "./operation-section.ts";
import type { Operation } from "./operation.ts";

const GUIDE = "/docs/guide.md";
const CHANGELOG = "/docs/changelog.md";
const fileOf = (id: string) => `/docs/${id}.md`;

/** The Markdown files by path. */
export function markdownFiles(
  document: OpenApi,
  operations: Operation[],
  changelog: string,
): Record<string, string> {
  const { title, summary, description } = document.info;
  const files = {
    [GUIDE]: `# ${title}\n\n${summary}\n\n${description}`,
    [CHANGELOG]: `# Changelog\n\n${changelog}`,
    ...Object.fromEntries(operations.map((each) => [fileOf(each.id), operationText(each)])),
  };
  const ids = new Set(operations.map(({ id }) => id));
  const linked = Object.entries(files).map(([path, text]) => [path, withLinks(path, text, ids)]);
  return {
    ...(Object.fromEntries(linked) as Record<string, string>),
    "/llms.txt": index(document, operations),
  };
}

/** In the document, a link to an operation or a section of the guide is a fragment. */
function withLinks(path: string, text: string, operations: Set<string>): string {
  return text
    .replaceAll(/<!-- keywords: .* -->\n*/g, "")
    .replaceAll(/\]\(#(([^.)]+)[^)]*)\)/g, (_, id: string, first: string) => {
      if (operations.has(first)) return `](${fileOf(first)})`;
      return `](${path === GUIDE ? "" : GUIDE}#${id})`;
    });
}

/** See https://llmstxt.org. */
function index({ info, tags }: OpenApi, operations: Operation[]): string {
  const link = (title: string, path: string, text: string) => `- [${title}](${path}): ${text}`;
  const groups = tags.map(({ name, description }) => {
    const links = operations
      .filter(({ tag }) => tag === name)
      .map(({ id, summary, method, path }) => link(summary, fileOf(id), `${method} ${path}`));
    return [`## ${name}`, description, links.join("\n")];
  });
  const general = [
    link(
      "Guide",
      GUIDE,
      "credentials, gifts, events, webhooks, retries, formats, errors and limits",
    ),
    link("Changelog", CHANGELOG, "changes of the API that clients can notice"),
    link("OpenAPI document", "/openapi.json", "all operations and schemas as OpenAPI 3.1"),
  ];
  const parts = [`# ${info.title}`, `> ${info.summary}`, "## General", general.join("\n")];
  return `${[...parts, ...groups.flat()].join("\n\n")}\n`;
}

function operationText(operation: Operation): string {
  const { method, path, summary, description, parameters, body, responses, errors } = operation;
  const block = (language: string, code: string) => `\`\`\`${language}\n${code}\n\`\`\``;
  const examples = (title: string, values: [string, unknown][]) =>
    values.flatMap(([name, value]) => [`## ${title}: ${name}`, block("json", jsonText(value))]);
  const parts = [
    `# ${summary}`,
    `\`${method}\` ${path.startsWith("/") ? `\`${path}\`` : path}`,
    description,
    ...(parameters.length > 0
      ? ["## Parameters", fieldLines(parameters.map(({ field }) => field))]
      : []),
    ...(body.length > 0 ? ["## Body", objectLines(body)] : []),
    "## Responses",
    ...responses.flatMap(({ status, description, headers, body }) => [
      `### ${status}`,
      description,
      ...(headers.length > 0 ? [`Headers:\n\n${fieldLines(headers)}`] : []),
      ...(body.length > 0 ? [objectLines(body)] : []),
    ]),
    ...(errors.length > 0
      ? [
          "### Errors",
          errors.map(({ status, description }) => `- ${status} ${description}`).join("\n"),
        ]
      : []),
    ...operation.samples.flatMap(({ lang, label, source }) => [
      `## Request with ${label}`,
      block(CODE[lang] ?? "", source),
    ]),
    ...(operation.samples.length > 0
      ? responses.flatMap(({ examples: values }) => examples("Response", values))
      : examples("Request", operation.requests)),
  ];
  return `${parts.join("\n\n")}\n`;
}

function objectLines(objects: ObjectFields[], indentation = ""): string {
  return objects
    .map(({ title, description = "", fields }) =>
      title
        ? `${indentation}- ${title}: ${description}\n${fieldLines(fields, `${indentation}  `)}`
        : fieldLines(fields, indentation),
    )
    .join("\n");
}

function fieldLines(fields: Field[], indentation = ""): string {
  return fields
    .flatMap(({ name, type, required, description, objects }) => {
      const rules = [type, required ? "required" : ""].filter(Boolean).join(", ");
      const line = `${indentation}- \`${name}\`${rules && ` (${rules})`}: ${description}`;
      return objects.length > 0 ? [line, objectLines(objects, `${indentation}  `)] : [line];
    })
    .join("\n");
}
