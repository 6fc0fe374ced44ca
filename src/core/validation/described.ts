// Schemas with the descriptions of the OpenAPI document, which src/docs generates from them.
import * as z from "zod/mini";
import { lazy } from "../lazy.ts";

const register = <Schema extends z.ZodMiniType>(
  schema: Schema,
  texts: z.core.GlobalMeta,
): Schema => {
  z.globalRegistry.add(schema, texts);
  return schema;
};

/**
 * A field with its description: meaning, unit, and rules that the schema does not express. The template begins with the
 * schema, because the formatter does not break templates: each field is one line.
 */
export function field<Schema extends z.ZodMiniType>(
  text: TemplateStringsArray,
  schema: Schema,
): Schema {
  return register(z.clone(schema), { description: text.join("").trim() });
}

/** A query parameter with its description, and its example at the end. */
export function parameter<Schema extends z.ZodMiniType>(
  text: TemplateStringsArray,
  schema: Schema,
  example: string | number,
): Schema {
  return register(z.clone(schema), { description: text.join("").trim(), example });
}

/** A schema with its name and its description. */
export const named = <Schema extends z.ZodMiniType>(
  id: string,
  description: string,
  schema: Schema,
) => register(z.clone(schema), { id, description });

type Fields<Shape> = {
  [Name in keyof Shape as Exclude<Name, "_">]: Extract<Shape[Name], z.core.$ZodType>;
};
type Checks<Shape extends z.core.$ZodShape> = Parameters<z.ZodMiniObject<Shape>["check"]>;

/** An object with its name in the document and its description, `_`. It is built on first use. */
export const component = <Shape extends { _: string }>(
  id: string,
  build: () => Shape,
  ...checks: Checks<Fields<Shape>>
) =>
  lazy(() => {
    const { _, ...fields } = build();
    return named(id, _, z.object(fields as unknown as Fields<Shape>).check(...checks));
  });

/** The query parameters of an endpoint. They are built on first use. */
export const parameters = <Shape extends z.core.$ZodShape>(
  build: () => Shape,
  ...checks: Checks<Shape>
) => lazy(() => z.object(build()).check(...checks));
