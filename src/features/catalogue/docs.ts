// Describes the endpoints of the catalogue.
import catalogue from "../../../seed/catalogue.json" with { type: "json" };
import { validate } from "../../core/validation/validate.ts";
import { type FeatureDocs, operation, SANDBOX_URL } from "../../platform/http/documentation.ts";
import * as contract from "./contract.ts";
import { FileProduct, fromFileProduct } from "./file-product.ts";
import { productListResponse, productResponse } from "./response.ts";

/** A product of the demo catalogue. The sandbox has the same one. */
function product(id: number): contract.ProductResponse {
  const found = catalogue.products.find(({ product_id }) => product_id === id);
  const { product, stock } = fromFileProduct(validate(FileProduct(), found));
  return productResponse(product, stock, SANDBOX_URL);
}

export const catalogueDocs: FeatureDocs = {
  tag: { name: "Catalogue", description: "The products that you can order." },

  operations: [
    operation(contract.listProducts, {
      summary: "List products",
      description: `Returns a page of your catalogue in ascending order of \`product_id\`. A page may be up
to a minute old, or up to 5 minutes if our database cannot be reached. This includes 304 responses. The stock in the
list may therefore have changed. It is checked when you order. A newly published catalogue is listed within a minute.
Responses are compressed with gzip if the request accepts it.

Filters can be combined: a product is listed if it meets all of them. While our database cannot be reached, filtered
pages are not available.`,
      sample: ["limit"],
      headers: {
        "If-None-Match": {
          description:
            "The `ETag` of a page that you have. If the page has not changed, the response is 304.",
          example: 'W/"1f0c3a5e7b9d2468ace013579bdf0246"',
        },
      },
      returns: "A page of products.",
      responses: {
        page: productListResponse({ limit: 200, page: 1 }, { all: 2, listed: 2 }, [
          product(1001),
          product(1003),
        ]),
      },
      responseHeaders: {
        ETag: {
          description: "Identifies the content of this page. Use it in `If-None-Match`.",
          required: true,
        },
        Vary: {
          description: "The response depends on the encodings that the request accepts.",
          required: true,
          values: ["Accept-Encoding"],
        },
      },
      emptyResponses: { "304": "The page that you have has not changed." },
    }),
    operation(contract.listFacets, {
      summary: "List vendors and categories",
      description:
        "Returns all vendors and categories in your catalogue. A subcategory has the names of the categories above it before its own, as in `Home > Candles`, and its products count for these too. A product may have several categories, or none.",
      returns: "The vendors and categories.",
      responses: {
        facets: {
          status: "success",
          vendors: [
            { name: "Emberlight Row", product_count: 4 },
            { name: "Pale Kettle Tea Co.", product_count: 4 },
          ],
          categories: [
            { name: "Home", product_count: 13 },
            { name: "Home > Candles", product_count: 3 },
          ],
        },
      },
    }),
    operation(contract.listCollections, {
      summary: "List collections",
      description:
        "Returns the collections that we have curated for your catalogue, such as `Wellness`, and the number of their products for a country and a price. In [POST /api/gift-link](#placeGiftLinks), a collection limits what recipients can choose.",
      returns: "The collections.",
      responses: {
        collections: {
          status: "success",
          collections: [
            {
              collection: "wellness",
              name: "Wellness",
              description: "A quiet evening, chosen by you.",
              product_count: 9,
            },
          ],
        },
      },
    }),
    operation(contract.getProduct, {
      summary: "Get a product",
      description:
        "Returns one product of your catalogue, with its current stock. The nearest replica of our database answers, which is usually less than a second old. Send `Regalo-Bookmark` if the product must not be older than an event that you have read.",
      sample: ["product_id"],
      returns: "The product.",
      responses: { simple: product(1007), variable: product(1003) },
    }),
  ],
};
