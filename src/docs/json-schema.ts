// The JSON Schemas of the OpenAPI document, generated from the Zod schemas and their descriptions.
import * as z from "zod/mini";
import { ErrorResponse } from "../platform/http/error-response.ts";
import { FEATURES } from "./features.ts";

type JsonSchema = z.core.JSONSchema.JSONSchema;

/** A reference to a schema that has a name. */
export function ref(schema: z.core.$ZodType): { $ref: string } {
  const id = z.globalRegistry.get(schema)?.id;
  if (id === undefined) throw new Error("Each schema of a request or response must have a name");
  return { $ref: uri(id) };
}

const uri = (name: string) => `#/components/schemas/${name}`;

/** All named schemas, with descriptions. */
export function componentSchemas(): Record<string, JsonSchema> {
  const endpoints = FEATURES.flatMap(({ operations }) => operations.map((each) => each.endpoint));
  const requests = endpoints.flatMap(({ body }) => (body ? [body()] : []));
  const responses = [...endpoints.map(({ response }) => response()), ErrorResponse()];
  return { ...toJsonSchemas(requests, "input"), ...toJsonSchemas(responses, "output") };
}

/** The schema, the description and the example of each query parameter, with the default that the validation sets. */
export function querySchemas(query: z.ZodMiniType) {
  const { properties = {}, required = [] } = z.toJSONSchema(query, { io: "input", override: tidy });
  const defaults = (z.safeParse(query, {}).data ?? {}) as Record<string, unknown>;
  return Object.entries(properties).map(([name, property]) => {
    const { description, example, allowEmptyValue, ...schema } = property as Record<
      string,
      unknown
    >;
    return {
      name,
      required: required.includes(name),
      description,
      example,
      allowEmptyValue,
      schema: defaults[name] == null ? schema : { ...schema, default: defaults[name] },
    };
  });
}

/** The named schemas that are part of the given ones. */
function toJsonSchemas(schemas: z.ZodMiniType[], io: "input" | "output") {
  const override = io === "output" ? tidyResponse : tidy;
  const { $defs = {} } = z.toJSONSchema(z.union(schemas), { io, override });
  const named = Object.entries($defs).map(([name, schema]) => [name, { title: name, ...schema }]);
  const json = JSON.stringify(Object.fromEntries(named)).replaceAll("#/$defs/", uri(""));
  return JSON.parse(json) as Record<string, JsonSchema>;
}

interface Tidied {
  zodSchema: z.core.$ZodType;
  jsonSchema: z.core.JSONSchema.BaseSchema;
}

/** Adapts Zod's JSON Schema to the document. */
function tidy({ zodSchema, jsonSchema }: Tidied): void {
  // A field with a description of its own is a clone of the schema that it refers to.
  if (jsonSchema.$ref) {
    delete jsonSchema.type;
    delete jsonSchema.properties;
    delete jsonSchema.required;
    delete jsonSchema.additionalProperties;
  }
  // Responses may gain fields, so clients must ignore unknown ones. A map has the schema of its values.
  if (jsonSchema.properties) delete jsonSchema.additionalProperties;
  if (jsonSchema.type === "integer") {
    // Some generators use 32 bits for integers by default. Ids of gifts are larger.
    jsonSchema.format = "int64";
    // A query parameter is validated as a string, by a pattern. The document shows it as an integer.
    delete jsonSchema.pattern;
  }
  if (jsonSchema.const !== undefined) {
    // Some generators ignore `const`.
    jsonSchema.enum = [jsonSchema.const];
    jsonSchema.description ??= `Always \`${String(jsonSchema.const)}\`.`;
    delete jsonSchema.const;
  }
  if (jsonSchema.default === "") delete jsonSchema.default;
  // A blank value means the same as none. Some generators derive a name from each value and fail on a blank one.
  if (jsonSchema.enum) jsonSchema.enum = jsonSchema.enum.filter((value) => value !== "");
  Object.assign(jsonSchema, discriminator(zodSchema));
}

function tidyResponse(context: Tidied): void {
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
