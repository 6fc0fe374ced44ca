// The endpoints of the catalogue.
import * as z from "zod/mini";
import { endpoint, responseType } from "../../platform/http/endpoint.ts";
import { lazy } from "../../core/lazy.ts";
import { queryId, queryInteger } from "../../core/validation/fields.ts";
import { FileProduct } from "./file-product.ts";

/** The maximum number of products on a page. */
export const MAX_PAGE_PRODUCTS = 500;

export const PageQuery = lazy(() =>
  z.object({
    limit: z._default(queryInteger(1, MAX_PAGE_PRODUCTS), 200),
    page: z._default(queryInteger(1, 1_000_000_000), 1),
    product_type: z.pipe(
      z._default(z.enum(["physical", "digital", ""]), ""),
      z.transform((type) => type || null),
    ),
  }),
);
export type PageQuery = z.infer<ReturnType<typeof PageQuery>>;

export const ProductQuery = lazy(() => z.object({ product_id: queryId() }));

/**
 * The fields of products, which are those of catalogue files. Fields that are optional in a file are required for one
 * product type and absent for the other.
 */
const fields = /* @__PURE__ */ lazy(() => {
  const { price, price_currency, attributes, variations, ...common } = FileProduct().shape;
  return {
    common,
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

const count = (minimum: number) => z.int().check(z.minimum(minimum));

export const ProductListResponse = /* @__PURE__ */ lazy(() =>
  z.object({
    total_products: count(0),
    total_products_in_query: count(0),
    current_page: count(1),
    total_pages: count(1),
    products: z.array(ProductResponse()),
  }),
);
export type ProductListResponse = z.infer<ReturnType<typeof ProductListResponse>>;

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
  requiredFirst: { product_id: "product_id_required" },
  response: responseType<typeof ProductResponse>(),
  errors: ["product_id_required", "validation_error", "not_found"],
});
