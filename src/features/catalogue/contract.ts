// The endpoints of the catalogue.
import * as z from "zod/mini";
import { component, field, named, parameter, parameters } from "../../core/validation/described.ts";
import { endpoint } from "../../platform/http/endpoint.ts";
import { lazy } from "../../core/lazy.ts";
import { amountRule, MAX_UNIT_MINOR, parseAmount } from "../../core/values/money.ts";
import {
  countField,
  countryCode,
  currencyCode,
  positive,
  queryId,
  queryInteger,
  queryList,
  queryTime,
  requiredText,
} from "../../core/validation/fields.ts";
import type { Currency } from "../../core/values/iso.ts";
import { MAX_ID } from "../../core/values/ids.ts";
import { FileProduct } from "./file-product.ts";

/** The maximum number of products on a page. */
export const MAX_PAGE_PRODUCTS = 500;

const amount = () => z.string().register(z.globalRegistry, { pattern: "^\\d+(\\.\\d+)?$" });

/** The response contains these parts only on request. */
const include = () =>
  parameter`${z.optional(queryList(["details"]))} \`details\`: the response also contains \`categories\`, \`vendor\` and \`updated_at\` of each product. ${"details"}`;

/** The id of a collection in a request. */
export const collectionId = () =>
  z.string().check(z.regex(/^[a-z0-9][a-z0-9-]{0,59}$/, "must be the id of a collection"));

const pricesInCurrency = () =>
  z.superRefine(
    (
      query: {
        currency?: Currency | undefined;
        price_min?: string | undefined;
        price_max?: string | undefined;
      },
      context,
    ) => {
      const { currency } = query;
      // It has its own problem.
      if (currency !== undefined && !currencyCode().safeParse(currency).success) return;
      for (const name of ["price_min", "price_max"] as const) {
        const price = query[name];
        if (price === undefined) continue;
        const minor = currency && parseAmount(price, currency);
        if (minor !== undefined && minor <= MAX_UNIT_MINOR) continue;
        const message = currency
          ? amountRule(price, currency, MAX_UNIT_MINOR)
          : "needs the parameter currency";
        context.addIssue({ code: "custom", path: [name], message });
      }
    },
  );

export const CollectionsQuery = parameters(
  () => ({
    country: parameter`${z.optional(countryCode())} Counts products that are available in this country. ${"AU"}`,
    currency: parameter`${z.optional(currencyCode())} Counts products with prices in this currency. ${"AUD"}`,
    price_max: parameter`${z.optional(amount())} Counts products for at most this price, without shipping. Needs \`currency\`. ${"50"}`,
  }),
  pricesInCurrency(),
);
export type CollectionsQuery = z.infer<ReturnType<typeof CollectionsQuery>>;

const productType = () =>
  z
    .pipe(
      z._default(z.enum(["physical", "digital", ""]), ""),
      z.transform((type) => type || null),
    )
    .register(z.globalRegistry, { allowEmptyValue: true });

const q = () =>
  z.optional(
    z.string().check(
      z.maxLength(100),
      z.refine((words) => /[\p{L}\p{N}]/u.test(words), "must contain a letter or a digit"),
    ),
  );

const inStock = () =>
  z.optional(
    z.pipe(
      z.enum(["true", "false"]),
      z.transform((text) => text === "true"),
    ),
  );

export const PageQuery = parameters(
  () => ({
    limit: parameter`${z._default(queryInteger(1, MAX_PAGE_PRODUCTS), 200)} Products per page. ${50}`,
    page: parameter`${z._default(queryInteger(1, 1_000_000_000), 1)} Page number. A page past the end is empty. ${1}`,
    after_id: parameter`${z.optional(queryInteger(0, MAX_ID))} Only products with a greater \`product_id\`, in place of a page: 0 for the first request, then \`next_after_id\` of the response. The products are the current ones, not up to a minute old. Cannot be combined with \`page\` and the filters. ${0}`,
    include: include(),
    product_type: parameter`${productType()} Only products of this type. All products if the parameter is left out or blank. ${"physical"}`,
    q: parameter`${q()} Only products whose name or description contains all of these words. Case, accents and width do not matter: \`cafe\` finds \`Café\`. A word of two or more letters also finds the words that begin with it: \`te\` finds \`tea\`. A single letter finds only itself. In scripts without spaces, such as Japanese, each character counts as a word. It must contain a letter or a digit. ${"tea tin"}`,
    category: parameter`${z.optional(requiredText(500))} Only products of this category or its subcategories: a name of GET /api/products/facets. Case, accents and width do not matter. ${"Food"}`,
    vendor: parameter`${z.optional(requiredText(200))} Only products of this vendor: a name of GET /api/products/facets, compared as of \`category\`. ${"Pale Kettle Tea Co."}`,
    country: parameter`${z.optional(countryCode())} Only products that are available in this country, including those that are available everywhere. ${"AU"}`,
    currency: parameter`${z.optional(currencyCode())} Only products with prices in this currency. ${"AUD"}`,
    price_min: parameter`${z.optional(amount())} Only products for at least this price, without shipping. Needs \`currency\`. A variable product counts with its lowest price. ${"20.00"}`,
    price_max: parameter`${z.optional(amount())} Only products for at most this price, as of \`price_min\`. ${"50.00"}`,
    collection: parameter`${z.optional(collectionId())} Only products of this collection: an id of GET /api/collections. ${"wellness"}`,
    in_stock: parameter`${inStock()} \`true\` for products that can be ordered, \`false\` for the others, as \`stock_status\` shows it. As old as the page. ${"true"}`,
    updated_since: parameter`${z.optional(queryTime())} Only products whose content was added or changed at or after this time: a day in UTC, or an RFC 3339 timestamp. Stock is not content. The time is that at which a publication began, and it may take some minutes: ask again from an hour before your last request, or follow the \`product.*\` events. ${"2026-09-01"}`,
  }),
  pricesInCurrency(),
  z.superRefine(({ after_id, ...query }, context) => {
    const others = { ...query, page: query.page > 1 || null, limit: null, include: null };
    for (const [name, value] of Object.entries(others)) {
      if (after_id === undefined || value == null) continue;
      const message = "must not be set together with after_id";
      context.addIssue({ code: "custom", path: [name], message });
    }
  }),
);
export type PageQuery = z.infer<ReturnType<typeof PageQuery>>;

export const ProductQuery = parameters(() => ({
  product_id: parameter`${queryId()} The product's id. ${1007}`,
  include: include(),
}));

/**
 * The fields of products, which are those of catalogue files. Fields that are optional in a file are required for one
 * product type and absent for the other.
 */
const fields = lazy(() => {
  const { price, price_currency, attributes, variations, ...others } = FileProduct().shape;
  const common = z.omit(z.object(others), {
    categories: true,
    recipient_info: true,
    translations: true,
    delivery_days: true,
    digital_delivery: true,
    hs_code: true,
    origin_country: true,
    customs_value: true,
    tax_code: true,
    code_valid_days: true,
    redeem_instructions: true,
    barcode: true,
  }).shape;
  return {
    common: {
      ...common,
      categories: field`${z.optional(z.array(z.string()))} The categories of the product, as in the filter \`category\`. Only with \`include=details\`.`,
      vendor: field`${z.optional(z.string())} Name of the vendor, as in the filter \`vendor\`. Only with \`include=details\`.`,
      updated_at: field`${z.optional(z.iso.datetime())} When the product was added or its content was last changed, as of \`updated_since\`. Only with \`include=details\`.`,
    },
    simple: {
      price: field`${price.def.innerType} Price of one piece: a decimal number, as a string.`,
      price_currency: field`${price_currency.def.innerType} ISO 4217 code of the price's currency. Orders of the product must use it.`,
    },
    variable: { attributes: attributes.def.innerType, variations: variations.def.innerType },
  };
});

export const SimpleProductResponse = component("SimpleProduct", () => ({
  _: "A product with one price.",
  ...fields().common,
  product_type: z.literal("simple"),
  ...fields().simple,
}));

export const VariableProductResponse = component("VariableProduct", () => ({
  _: "A product with variations, each with its own price and stock.",
  ...fields().common,
  product_type: z.literal("variable"),
  attributes: field`${z.array(fields().variable.attributes.def.element)} The attributes in which the variations differ, such as size and colour.`,
  variations: field`${z.array(fields().variable.variations.def.element)} The variations that can be ordered.`,
}));

export const ProductResponse = lazy(() =>
  named(
    "Product",
    "A product: `simple` with a price, or `variable` with variations.",
    z.discriminatedUnion("product_type", [SimpleProductResponse(), VariableProductResponse()]),
  ),
);
export type ProductResponse = z.infer<ReturnType<typeof ProductResponse>>;
export type VariationResponse = z.infer<
  ReturnType<typeof VariableProductResponse>
>["variations"][number];

export const ProductListResponse = component("ProductList", () => ({
  _: "A page of products, in ascending order of `product_id`.",
  total_products: field`${countField()} Number of products in your whole catalogue. The filter does not apply.`,
  total_products_in_query: field`${countField()} Number of products in this response.`,
  current_page: field`${positive()} Number of this page.`,
  total_pages: field`${positive()} Number of pages of the filtered list, at least 1. A page past the end is empty.`,
  total_matched: field`${z.optional(countField())} Number of products that meet the filters, on all pages. Only with a filter other than \`product_type\`.`,
  next_after_id: field`${z.optional(z.nullable(positive()))} Send it as \`after_id\` in the next request. Null if the page has fewer than \`limit\` products, because no others follow. Only with \`after_id\`.`,
  products: field`${z.array(ProductResponse())} The products of this page.`,
}));
export type ProductListResponse = z.infer<ReturnType<typeof ProductListResponse>>;

export const NamedCount = component("NamedCount", () => ({
  _: "A vendor or a category.",
  name: field`${z.string()} Name, as in the filters of GET /api/products.`,
  product_count: field`${positive()} Number of products.`,
}));

export const FacetsResponse = component("Facets", () => ({
  _: "The vendors and categories of a catalogue.",
  status: z.literal("success"),
  vendors: field`${z.array(NamedCount())} The vendors, sorted by name.`,
  categories: field`${z.array(NamedCount())} The categories, sorted by name.`,
}));

export const CollectionCount = component("CollectionCount", () => ({
  _: "A collection.",
  collection: field`${collectionId()} Its id, for \`collection\` in other requests.`,
  name: field`${z.string()} Its name, which recipients see.`,
  description: field`${z.string()} Its text, which recipients see. May be empty.`,
  product_count: field`${countField()} The number of its products that meet the filters.`,
}));

export const CollectionListResponse = component("CollectionList", () => ({
  _: "The collections of a catalogue.",
  status: z.literal("success"),
  collections: field`${z.array(CollectionCount())} The collections, by \`collection\`.`,
}));

export const listCollections = endpoint({
  operationId: "listCollections",
  method: "GET",
  forOwn: true,
  path: "/api/collections",
  query: CollectionsQuery,
  response: CollectionListResponse,
  errors: ["validation_error"],
});

export const listProducts = endpoint({
  operationId: "listProducts",
  method: "GET",
  forOwn: true,
  path: "/api/products",
  ignoresUnknown: true,
  query: PageQuery,
  response: ProductListResponse,
  errors: ["validation_error"],
});

export const getProduct = endpoint({
  operationId: "getProduct",
  method: "GET",
  forOwn: true,
  path: "/api/product",
  ignoresUnknown: true,
  query: ProductQuery,
  near: "by default",
  requiredFirst: { product_id: "product_id_required" },
  response: ProductResponse,
  errors: ["product_id_required", "validation_error", "not_found"],
});

export const listFacets = endpoint({
  operationId: "listFacets",
  method: "GET",
  forOwn: true,
  path: "/api/products/facets",
  response: FacetsResponse,
  errors: [],
});
