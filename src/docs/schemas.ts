// The components of the document: all objects of requests and answers, from the schemas that validate requests and
// type answers.
import * as z from "zod";
import {
  Attribute,
  Product,
  ProductList,
  ShippingDetails,
  SimpleProduct,
  VariableProduct,
  Variation,
  Vendor,
} from "../catalogue/answer.ts";
import { CreditBalance } from "../credit/answer.ts";
import { GiftLink, PlacedGiftLinks } from "../gifts/answer.ts";
import { ErrorAnswer, FieldError } from "../http/contract.ts";
import {
  ChosenProduct,
  Order,
  PlacedOrder,
  PlacedTotals,
  RecipientDetails,
  SubOrder,
} from "../orders/answer.ts";
import { AddressInput, GiftLinkRequest, OrderRequest, RecipientInput } from "../orders/wire.ts";
import { PROSE } from "./prose.ts";

const REQUESTS = {
  OrderRequest: OrderRequest(),
  RecipientInput: RecipientInput(),
  AddressInput: AddressInput(),
  GiftLinkRequest: GiftLinkRequest(),
  GiftLinkRecipientInput: GiftLinkRequest().shape.recipient_details.def.element,
};

const ANSWERS = {
  ProductList,
  Product,
  SimpleProduct,
  VariableProduct,
  Attribute,
  Variation,
  VariationOption: Variation.shape.options.element,
  Vendor,
  ShippingDetails,
  PlacedOrder,
  PlacedOrderData: PlacedOrder.shape.order_data,
  PlacedTotals,
  PlacedGiftLinks,
  GiftLink,
  Order,
  OrderTotals: Order.shape.order_totals,
  BrandingOptions: Order.shape.branding_options,
  ChosenProduct,
  SubOrder,
  RecipientDetails,
  DeliveryAddress: RecipientDetails.shape.delivery_address,
  CreditBalance,
  Error: ErrorAnswer,
  FieldError,
};

type Components = typeof REQUESTS & typeof ANSWERS;
export type ComponentName = keyof Components;

/** The description of a component (`_`) and of each of its fields. The type requires exactly these. */
export type Prose = {
  [Name in ComponentName]: { _: string } & (Components[Name] extends z.core.$ZodObject<infer Shape>
    ? Record<keyof Shape, string>
    : unknown);
};

export type JsonSchema = z.core.JSONSchema.JSONSchema;

export function ref(name: ComponentName): { $ref: string } {
  return { $ref: `#/components/schemas/${name}` };
}

export function components(): Record<string, JsonSchema> {
  const schemas = { ...toJsonSchemas(REQUESTS, "input"), ...toJsonSchemas(ANSWERS, "output") };
  // Not part of JSON Schema. Generated clients use it to narrow the union.
  Object.assign(schemas["Product"] ?? {}, {
    discriminator: {
      propertyName: Product.def.discriminator,
      mapping: { simple: ref("SimpleProduct").$ref, variable: ref("VariableProduct").$ref },
    },
  });
  return Object.fromEntries(
    Object.entries(schemas).map(([name, schema]) => [name, describe(name, schema)]),
  );
}

/** The schema of each query parameter, with the default that the validation fills in. */
export function querySchemas(query: z.core.$ZodObject): Record<string, unknown> {
  const { properties = {} } = z.toJSONSchema(query, { io: "input", override: tidy });
  const defaults = z.safeParse(query, {}).data ?? {};
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
  const uri = (id: string) => ref(id as ComponentName).$ref;
  return z.toJSONSchema(registry, { io, uri, override: tidy }).schemas;
}

/** Adapts Zod's JSON Schema to the document. */
function tidy({ jsonSchema }: { jsonSchema: z.core.JSONSchema.BaseSchema }): void {
  // Answers may gain fields, so clients must ignore unknown ones.
  delete jsonSchema.additionalProperties;
  if (jsonSchema.type === "integer") {
    // Some generators use 32 bits for integers by default. Ids of sub-orders are larger.
    jsonSchema.format = "int64";
    // In a query the schema checks the digits of the text.
    delete jsonSchema.pattern;
  }
  if (jsonSchema.const !== undefined) {
    // Some generators ignore `const`.
    jsonSchema.enum = [jsonSchema.const];
    delete jsonSchema.const;
  }
  if (jsonSchema.default === "") delete jsonSchema.default;
  // A blank value means none. Some generators make a name of each value and fail on a blank one.
  if (jsonSchema.enum) jsonSchema.enum = jsonSchema.enum.filter((value) => value !== "");
}

function describe(name: string, schema: JsonSchema): JsonSchema {
  // The document sets the draft and the ids.
  delete schema.$schema;
  delete schema.$id;
  const { _: description, ...fields } = PROSE[name as ComponentName] as Record<string, string>;
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
