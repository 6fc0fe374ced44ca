// The endpoints of the catalogue.
import * as z from "zod/mini";
import { endpoint, responseType } from "../../platform/http/endpoint.ts";
import { lazy } from "../../core/lazy.ts";
import { amountRule, MAX_UNIT_MINOR, parseAmount } from "../../core/values/money.ts";
import {
  count,
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

/** The values of the parameter `include`. The response contains these parts only on request. */
const include = () => z.optional(queryList(["details"]));

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

export const CollectionsQuery = lazy(() =>
  z
    .object({
      country: z.optional(countryCode()),
      currency: z.optional(currencyCode()),
      price_max: z.optional(amount()),
    })
    .check(pricesInCurrency()),
);
export type CollectionsQuery = z.infer<ReturnType<typeof CollectionsQuery>>;

export const PageQuery = lazy(() =>
  z
    .object({
      limit: z._default(queryInteger(1, MAX_PAGE_PRODUCTS), 200),
      page: z._default(queryInteger(1, 1_000_000_000), 1),
      after_id: z.optional(queryInteger(0, MAX_ID)),
      include: include(),
      product_type: z.pipe(
        z._default(z.enum(["physical", "digital", ""]), ""),
        z.transform((type) => type || null),
      ),
      q: z.optional(
        z.string().check(
          z.maxLength(100),
          z.refine((words) => /[\p{L}\p{N}]/u.test(words), "must contain a letter or a digit"),
        ),
      ),
      category: z.optional(requiredText(500)),
      vendor: z.optional(requiredText(200)),
      country: z.optional(countryCode()),
      currency: z.optional(currencyCode()),
      price_min: z.optional(amount()),
      price_max: z.optional(amount()),
      collection: z.optional(collectionId()),
      in_stock: z.optional(
        z.pipe(
          z.enum(["true", "false"]),
          z.transform((text) => text === "true"),
        ),
      ),
      updated_since: z.optional(queryTime()),
    })
    .check(
      pricesInCurrency(),
      z.superRefine(({ after_id, ...query }, context) => {
        const others = { ...query, page: query.page > 1 || null, limit: null, include: null };
        for (const [name, value] of Object.entries(others)) {
          if (after_id === undefined || value == null) continue;
          const message = "must not be set together with after_id";
          context.addIssue({ code: "custom", path: [name], message });
        }
      }),
    ),
);
export type PageQuery = z.infer<ReturnType<typeof PageQuery>>;

export const ProductQuery = lazy(() => z.object({ product_id: queryId(), include: include() }));

/**
 * The fields of products, which are those of catalogue files. Fields that are optional in a file are required for one
 * product type and absent for the other.
 */
const fields = /* @__PURE__ */ lazy(() => {
  const { price, price_currency, attributes, variations, ...others } = FileProduct().shape;
  const common = z.omit(z.object(others), {
    categories: true,
    translations: true,
    digital_delivery: true,
    code_valid_days: true,
    redeem_instructions: true,
    barcode: true,
  }).shape;
  return {
    common: {
      ...common,
      categories: z.optional(z.array(z.string())),
      vendor: z.optional(z.string()),
      updated_at: z.optional(z.iso.datetime()),
    },
    simple: { price: price.def.innerType, price_currency: price_currency.def.innerType },
    variable: { attributes: attributes.def.innerType, variations: variations.def.innerType },
  };
});

export const SimpleProductResponse = /* @__PURE__ */ lazy(() =>
  z.object({ ...fields().common, product_type: z.literal("simple"), ...fields().simple }),
);

export const VariableProductResponse = /* @__PURE__ */ lazy(() =>
  z.object({
    ...fields().common,
    product_type: z.literal("variable"),
    attributes: z.array(fields().variable.attributes.def.element),
    variations: z.array(fields().variable.variations.def.element),
  }),
);

export const ProductResponse = /* @__PURE__ */ lazy(() =>
  z.discriminatedUnion("product_type", [SimpleProductResponse(), VariableProductResponse()]),
);
export type ProductResponse = z.infer<ReturnType<typeof ProductResponse>>;
export type VariationResponse = z.infer<
  ReturnType<typeof VariableProductResponse>
>["variations"][number];

export const ProductListResponse = /* @__PURE__ */ lazy(() =>
  z.object({
    total_products: count(),
    total_products_in_query: count(),
    current_page: positive(),
    total_pages: positive(),
    total_matched: z.optional(count()),
    next_after_id: z.optional(z.nullable(positive())),
    products: z.array(ProductResponse()),
  }),
);
export type ProductListResponse = z.infer<ReturnType<typeof ProductListResponse>>;

export const NamedCount = /* @__PURE__ */ lazy(() =>
  z.object({ name: z.string(), product_count: positive() }),
);

export const FacetsResponse = /* @__PURE__ */ lazy(() =>
  z.object({
    status: z.literal("success"),
    vendors: z.array(NamedCount()),
    categories: z.array(NamedCount()),
  }),
);

export const CollectionCount = /* @__PURE__ */ lazy(() =>
  z.object({
    collection: collectionId(),
    name: z.string(),
    description: z.string(),
    product_count: count(),
  }),
);

export const CollectionListResponse = /* @__PURE__ */ lazy(() =>
  z.object({
    status: z.literal("success"),
    collections: z.array(CollectionCount()),
  }),
);

export const listCollections = endpoint({
  operationId: "listCollections",
  method: "GET",
  path: "/api/collections",
  query: CollectionsQuery,
  response: responseType<typeof CollectionListResponse>(),
  errors: ["validation_error"],
});

export const listProducts = endpoint({
  operationId: "listProducts",
  method: "GET",
  path: "/api/products",
  ignoresUnknown: true,
  query: PageQuery,
  response: responseType<typeof ProductListResponse>(),
  errors: ["validation_error"],
});

export const getProduct = endpoint({
  operationId: "getProduct",
  method: "GET",
  path: "/api/product",
  ignoresUnknown: true,
  query: ProductQuery,
  near: "by default",
  requiredFirst: { product_id: "product_id_required" },
  response: responseType<typeof ProductResponse>(),
  errors: ["product_id_required", "validation_error", "not_found"],
});

export const listFacets = endpoint({
  operationId: "listFacets",
  method: "GET",
  path: "/api/products/facets",
  response: responseType<typeof FacetsResponse>(),
  errors: [],
});
