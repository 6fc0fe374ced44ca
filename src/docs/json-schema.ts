// The JSON Schemas of the OpenAPI document, generated from the Zod schemas.
import * as z from "zod/mini";
import { ERROR_SCHEMAS } from "../platform/http/docs.ts";
import type { DescribedSchema } from "../platform/http/documentation.ts";
import { FEATURES } from "./features.ts";

type JsonSchema = z.core.JSONSchema.JSONSchema;
type NamedSchemas = Record<string, DescribedSchema>;

const merged = (schemas: (NamedSchemas | undefined)[]) =>
  Object.assign({}, ...schemas) as NamedSchemas;
const REQUESTS = merged(FEATURES.map(({ requests }) => requests));
const RESPONSES = merged([...FEATURES.map(({ responses }) => responses), ERROR_SCHEMAS]);

const NAMES = new Map<z.core.$ZodType, string>(
  Object.entries({ ...REQUESTS, ...RESPONSES }).map(([name, { schema }]) => [schema, name]),
);

/** A reference to a schema that has a name. */
export function ref(schema: z.core.$ZodType): { $ref: string } {
  const name = NAMES.get(schema);
  if (name === undefined) throw new Error("docs.ts must name each schema of a request or response");
  return { $ref: uri(name) };
}

const uri = (name: string) => `#/components/schemas/${name}`;

/** All named schemas, with descriptions. */
export function componentSchemas(): Record<string, JsonSchema> {
  return { ...toJsonSchemas(REQUESTS, "input"), ...toJsonSchemas(RESPONSES, "output") };
}

/** The schema of each query parameter, with the default that the validation sets. */
export function querySchemas(query: z.ZodMiniType) {
  const { properties = {}, required = [] } = z.toJSONSchema(query, { io: "input", override: tidy });
  const defaults = (z.safeParse(query, {}).data ?? {}) as Record<string, unknown>;
  return Object.entries(properties).map(([name, schema]) => ({
    name,
    required: required.includes(name),
    schema: defaults[name] == null ? schema : { ...(schema as object), default: defaults[name] },
  }));
}

function toJsonSchemas(named: NamedSchemas, io: "input" | "output"): Record<string, JsonSchema> {
  const registry = z.registry<{ id: string }>();
  for (const [id, { schema }] of Object.entries(named)) registry.add(schema, { id });
  const override = io === "output" ? tidyResponse : tidy;
  const { schemas } = z.toJSONSchema(registry, { io, uri, override });
  return Object.fromEntries(
    Object.entries(named).map(([name, docs]) => [name, describe(name, docs, schemas[name] ?? {})]),
  );
}

/** Adapts Zod's JSON Schema to the document. */
function tidy({ jsonSchema }: { jsonSchema: z.core.JSONSchema.BaseSchema }): void {
  // Responses may gain fields, so clients must ignore unknown ones. A map has the schema of its values.
  if (jsonSchema.properties) delete jsonSchema.additionalProperties;
  if (jsonSchema.type === "integer") {
    // Some generators use 32 bits for integers by default. Ids of sub-orders are larger.
    jsonSchema.format = "int64";
    // A query parameter is validated as a string, by a pattern. The document shows it as an integer.
    delete jsonSchema.pattern;
  }
  if (jsonSchema.const !== undefined) {
    // Some generators ignore `const`.
    jsonSchema.enum = [jsonSchema.const];
    delete jsonSchema.const;
  }
  if (jsonSchema.default === "") delete jsonSchema.default;
  // A blank value means the same as none. Some generators derive a name from each value and fail on a blank one.
  if (jsonSchema.enum) jsonSchema.enum = jsonSchema.enum.filter((value) => value !== "");
}

function tidyResponse(context: { jsonSchema: z.core.JSONSchema.BaseSchema }): void {
  tidy(context);
  const { enum: values } = context.jsonSchema;
  delete context.jsonSchema.enum;
  if (values) Object.assign(context.jsonSchema, openList(values));
}

/**
 * A list of the values of a response, which may gain values. Generated clients check an `enum`, and refuse a response with
 * a new value. They read this as any string, and the types of packages/client have the values.
 */
export const openList = (values: readonly unknown[]) =>
  values.length > 1 ? { "x-extensible-enum": values } : { enum: values };

function describe(name: string, docs: DescribedSchema, schema: JsonSchema): JsonSchema {
  // The OpenAPI document sets the draft and the ids.
  delete schema.$schema;
  delete schema.$id;
  const { _: description, ...texts } = docs.texts;
  const properties = Object.entries((schema.properties ?? {}) as Record<string, JsonSchema>);
  return {
    title: name,
    description: description ?? "",
    ...schema,
    ...(properties.length > 0 && {
      properties: Object.fromEntries(
        properties.map(([field, property]) => [
          field,
          { ...property, description: texts[field] ?? constantText(property) },
        ]),
      ),
    }),
    ...discriminator(docs.schema),
  };
}

const constantText = ({ enum: values = [] }: JsonSchema) => `Always \`${String(values[0])}\`.`;

/** Generated clients narrow a union by OpenAPI's `discriminator`, which is not part of JSON Schema. */
function discriminator(schema: z.core.$ZodType): object {
  if (!(schema instanceof z.ZodMiniDiscriminatedUnion)) return {};
  const { options, discriminator: propertyName } = schema._zod.def;
  const mapping = options.map((option) => {
    const [value] = option._zod.propValues?.[propertyName] ?? [];
    return [value, ref(option).$ref];
  });
  return { discriminator: { propertyName, mapping: Object.fromEntries(mapping) as object } };
}
