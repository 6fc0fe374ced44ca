// Fields of requests and responses: name, type, rules and description. Fields of nested objects are collapsed.
import { html } from "hono/html";
import { type Html, inlineMarkdown } from "./markdown.ts";
import { type OpenApi, resolve, type OpenApiSchema } from "./openapi.ts";

/** A field, parameter or header. */
export interface Field {
  /** The target of links, such as `placeOrder.recipient_details.email`. */
  id: string;
  name: string;
  type: string;
  required: boolean;
  description: string;
  objects: ObjectFields[];
}

/** The fields of an object. A union has several objects, each with a title. */
export interface ObjectFields {
  title?: string;
  description?: string;
  fields: Field[];
}

interface DescribedSchema {
  name: string;
  required?: boolean;
  schema?: OpenApiSchema;
  description: string;
}

export function fieldOf(
  document: OpenApi,
  { name, required = false, schema = {}, description }: DescribedSchema,
  owner: string,
): Field {
  const id = `${owner}.${name}`;
  const type = typeOf(document, schema);
  return { id, name, type, required, description, objects: objectsOf(document, schema, id) };
}

/** The objects that a value of the schema is or contains. */
export function objectsOf(document: OpenApi, schema: OpenApiSchema, owner: string): ObjectFields[] {
  const resolved = resolve(document, schema);
  const { oneOf, anyOf, items, properties, required = [] } = resolved;
  if (items) return objectsOf(document, items, owner);
  if (anyOf) return anyOf.flatMap((option) => objectsOf(document, option, owner));
  if (oneOf) {
    return oneOf.flatMap((option) => {
      const { title = "", description = "" } = resolve(document, option);
      const objects = objectsOf(document, option, `${owner}.${title}`);
      return objects.map((object) => ({ ...object, title, description }));
    });
  }
  if (!properties) return [];
  const fields = Object.entries(properties).map(([name, property]) => {
    const { description = "" } = property;
    const field = { name, required: required.includes(name), schema: property, description };
    return fieldOf(document, field, owner);
  });
  return [{ fields }];
}

export function fieldList(fields: Field[]): Html {
  return html`<ul class="fields">
    ${fields.map(fieldItem)}
  </ul>`;
}

export function objectLists(objects: ObjectFields[]): Html {
  return html`${objects.map(({ title, description = "", fields }) =>
    title
      ? html`<details>
          <summary>${title}: ${inlineMarkdown(description)}</summary>
          ${fieldList(fields)}
        </details>`
      : fieldList(fields),
  )}`;
}

function fieldItem({ id, name, type, required, description, objects }: Field): Html {
  return html`<li id="${id}">
    <p>
      <a class="link" href="#${id}"><code class="name">${name}</code></a>
      <span class="type">${type}</span>
      ${required && html`<span class="required">required</span>`}
    </p>
    <p>${inlineMarkdown(description)}</p>
    ${
      objects.length > 0 &&
      html`<details>
        <summary>Fields of <code>${name}</code></summary>
        ${objectLists(objects)}
      </details>`
    }
  </li>`;
}

/** The type and its rules as text: `string or null, at most 100 characters`. */
function typeOf(document: OpenApi, schema: OpenApiSchema): string {
  return [nameOf(document, schema), ...rulesOf(document, schema)].filter(Boolean).join(", ");
}

const FORMATS: Record<string, string> = { email: "e-mail address", uri: "URL", uuid: "UUID" };

function nameOf(document: OpenApi, schema: OpenApiSchema): string {
  const resolved = resolve(document, schema);
  const { type, format = "", items, oneOf, anyOf } = resolved;
  const values = resolved.enum ?? resolved["x-extensible-enum"];
  if (anyOf) return anyOf.map((option) => nameOf(document, option)).join(" or ");
  if (values) return values.join(" or ");
  if (items) return `array of ${nameOf(document, items)}`;
  return FORMATS[format] ?? [type ?? (oneOf ? "object" : "")].flat().join(" or ");
}

function rulesOf(document: OpenApi, schema: OpenApiSchema): string[] {
  const resolved = resolve(document, schema);
  const { minimum, maximum, maxLength, minItems, maxItems, anyOf = [] } = resolved;
  const hasMaximum = maximum !== undefined && maximum < Number.MAX_SAFE_INTEGER;
  return [
    ...anyOf.flatMap((option) => rulesOf(document, option)),
    ...(hasMaximum && minimum !== undefined ? [`${minimum} to ${maximum}`] : []),
    ...(maxLength === undefined ? [] : [`at most ${maxLength} characters`]),
    ...(maxItems === undefined ? [] : [`${minItems ?? 0} to ${maxItems} elements`]),
    ...(resolved.default === undefined ? [] : [`default ${resolved.default}`]),
  ];
}
