// The document's components: every object that requests or answers are made of, from the very schemas that
// check the ones and type the others.
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
import { ErrorAnswer, FieldError } from "../http/answer.ts";
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

/** What is said of a component (`_`) and of each of its fields: none may be left out, none made up. */
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
  // JSON Schema has no word for it, but generated clients are better with it.
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

/** The input of a query: each parameter's schema, with the default that an empty query shows. */
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

/** Zod's word in the document's: what callers need not know goes. */
function tidy({ jsonSchema }: { jsonSchema: z.core.JSONSchema.BaseSchema }): void {
  // Clients must ignore fields they do not know, so that answers may gain some.
  delete jsonSchema.additionalProperties;
  if (jsonSchema.type === "integer") {
    // Generated clients take an int for 32 bits unless they are told; sub-orders outgrow them.
    jsonSchema.format = "int64";
    // The digits of an integer in a query.
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
  // Draft and id are the document's.
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
