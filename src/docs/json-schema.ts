// Converts the Zod schemas to the JSON Schemas of the OpenAPI document.
import * as z from "zod/mini";
import { PROSE } from "./prose.ts";
import { ref, REQUESTS, RESPONSES, type SchemaName } from "./schemas.ts";

export type JsonSchema = z.core.JSONSchema.JSONSchema;

/** All named schemas, with descriptions. */
export function componentSchemas(): Record<string, JsonSchema> {
  const schemas = { ...toJsonSchemas(REQUESTS, "input"), ...toJsonSchemas(RESPONSES, "output") };
  // Generated clients narrow the union by OpenAPI's `discriminator`, which is not part of JSON Schema.
  Object.assign(schemas["Product"] ?? {}, {
    discriminator: {
      propertyName: "product_type",
      mapping: { simple: ref("SimpleProduct").$ref, variable: ref("VariableProduct").$ref },
    },
  });
  return Object.fromEntries(
    Object.entries(schemas).map(([name, schema]) => [name, describe(name, schema)]),
  );
}

/** The schema of each query parameter, with the default that the validation sets. */
export function querySchemas(query: z.ZodMiniType): Record<string, unknown> {
  const { properties = {} } = z.toJSONSchema(query, { io: "input", override: tidy });
  const defaults = (z.safeParse(query, {}).data ?? {}) as Record<string, unknown>;
  return Object.fromEntries(
    Object.entries(properties).map(([name, schema]) => [
      name,
      defaults[name] == null ? schema : { ...(schema as object), default: defaults[name] },
    ]),
  );
}

function toJsonSchemas(
  schemas: Record<string, z.core.$ZodType>,
  io: "input" | "output",
): Record<string, JsonSchema> {
  const registry = z.registry<{ id: string }>();
  for (const [id, schema] of Object.entries(schemas)) registry.add(schema, { id });
  const uri = (id: string) => ref(id as SchemaName).$ref;
  return z.toJSONSchema(registry, { io, uri, override: tidy }).schemas;
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

function describe(name: string, schema: JsonSchema): JsonSchema {
  // The OpenAPI document sets the draft and the ids.
  delete schema.$schema;
  delete schema.$id;
  const { _: description, ...fields } = PROSE[name as SchemaName] as Record<string, string>;
  const properties = Object.entries((schema.properties ?? {}) as Record<string, JsonSchema>);
  return {
    title: name,
    description: description ?? "",
    ...schema,
    ...(properties.length > 0 && {
      properties: Object.fromEntries(
        properties.map(([field, property]) => [
          field,
          { ...property, description: fields[field] ?? "" },
        ]),
      ),
    }),
  };
}
