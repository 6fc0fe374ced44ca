// Lists of fields of requests and responses: name, type, rules and description. Fields of nested objects are collapsed.
import { html } from "hono/html";
import { type Html, inlineMarkdown } from "./markdown.ts";
import { type OpenApi, resolve, type OpenApiSchema } from "./openapi.ts";

export interface DocumentedField {
  name: string;
  required: boolean;
  schema: OpenApiSchema;
  description: string;
}

export function fieldList(document: OpenApi, fields: DocumentedField[]): Html {
  return html`<ul class="fields">
    ${fields.map((field) => fieldItem(document, field))}
  </ul>`;
}

/** The fields of an object. A union has a list for each of its objects. */
export function objectFields(document: OpenApi, schema: OpenApiSchema): Html {
  const { oneOf, properties = {}, required = [] } = resolve(document, schema);
  if (oneOf) {
    return html`${oneOf.map((option) => {
      const { title = "", description = "" } = resolve(document, option);
      return html`<details>
        <summary>${title}: ${inlineMarkdown(description)}</summary>
        ${objectFields(document, option)}
      </details>`;
    })}`;
  }
  return fieldList(
    document,
    Object.entries(properties).map(([name, property]) => ({
      name,
      required: required.includes(name),
      schema: property,
      description: property.description ?? "",
    })),
  );
}

function fieldItem(
  document: OpenApi,
  { name, required, schema, description }: DocumentedField,
): Html {
  const inner = innerObject(document, schema);
  return html`<li>
    <p>
      <code class="name">${name}</code>
      <span class="type">${typeOf(document, schema)}</span>
      ${required && html`<span class="required">required</span>`}
    </p>
    <p>${inlineMarkdown(description)}</p>
    ${
      inner &&
      html`<details>
        <summary>Fields of <code>${name}</code></summary>
        ${objectFields(document, inner)}
      </details>`
    }
  </li>`;
}

/** The object schema of a field that is an object, an optional object or an array of objects. */
function innerObject(document: OpenApi, schema: OpenApiSchema): OpenApiSchema | undefined {
  const { items, properties, oneOf, anyOf } = resolve(document, schema);
  if (items) return innerObject(document, items);
  if (properties || oneOf) return schema;
  return anyOf?.find((option) => innerObject(document, option));
}

/** The type and its rules as text: `array of object, 1 to 500 elements`. */
function typeOf(document: OpenApi, schema: OpenApiSchema): string {
  const { anyOf, ...resolved } = resolve(document, schema);
  if (anyOf) return anyOf.map((option) => typeOf(document, option)).join(" or ");
  const rules = rulesOf(resolved);
  return [nameOf(document, resolved), ...rules].join(", ");
}

const FORMATS: Record<string, string> = { email: "e-mail address", uri: "URL", uuid: "UUID" };

function nameOf(
  document: OpenApi,
  { type, format = "", enum: values, items, oneOf }: OpenApiSchema,
): string {
  if (values) return values.join(" or ");
  if (items) return `array of ${nameOf(document, resolve(document, items))}`;
  return FORMATS[format] ?? type ?? (oneOf ? "object" : "");
}

function rulesOf(schema: OpenApiSchema): string[] {
  const { minimum, maximum, maxLength, minItems, maxItems } = schema;
  const hasMaximum = maximum !== undefined && maximum < Number.MAX_SAFE_INTEGER;
  return [
    ...(hasMaximum && minimum !== undefined ? [`${minimum} to ${maximum}`] : []),
    ...(maxLength === undefined ? [] : [`at most ${maxLength} characters`]),
    ...(maxItems === undefined ? [] : [`${minItems ?? 0} to ${maxItems} elements`]),
    ...(schema.default === undefined ? [] : [`default ${schema.default}`]),
  ];
}
