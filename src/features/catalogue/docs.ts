// Describes the endpoints of the catalogue.
import catalogue from "../../../seed/catalogue.json" with { type: "json" };
import { validate } from "../../core/validation/validate.ts";
import {
  described,
  type FeatureDocs,
  operation,
  SANDBOX_URL,
} from "../../platform/http/documentation.ts";
import * as contract from "./contract.ts";
import { FileProduct, fromFileProduct } from "./file-product.ts";
import { productListResponse, productResponse } from "./response.ts";

const PRODUCT = {
  product_id: "Identifies the product. Use it as `product_id` in orders.",
  product_sku: "SKU. May be empty.",
  product_name: "Full name.",
  product_description:
    "Full description. May contain HTML and line breaks. Sanitise it before you show it.",
  product_short_description: "Short description. May be empty.",
  digital_physical:
    "`physical` products are sent to an address. `digital` products need no address.",
  track_inventory: "`Y` if the stock is counted, `N` if it is not.",
  stock_status:
    "Whether the product can be ordered. It may change between this response and your order.",
  stock_qty:
    "Pieces in stock, summed over all variations, as a string. Empty if the stock of the product, or of a variation in stock, is not counted.",
  featured_image: "Full URL of the main image.",
  additional_images: "Full URLs of more images. May be empty.",
  product_vendor: "The company that makes or sells the product.",
  shipping_cost: "Cost of shipping one piece, in the product's currency.",
  shipping_details: "Weight and size of one parcel.",
  available_location:
    "ISO 3166-1 alpha-2 codes of the countries where the product is available. Empty means everywhere.",
};

/** A product of the demo catalogue. The sandbox has the same one. */
function product(id: number): contract.ProductResponse {
  const found = catalogue.products.find(({ product_id }) => product_id === id);
  const { product, stock } = fromFileProduct(validate(FileProduct(), found));
  return productResponse(product, stock, SANDBOX_URL);
}

const { attributes, variations, product_vendor, shipping_details } =
  contract.VariableProductResponse().shape;

export const catalogueDocs: FeatureDocs = {
  tag: { name: "Catalogue", description: "The products that you can order." },

  responses: {
    ProductList: described(contract.ProductListResponse(), {
      _: "A page of products, in ascending order of `product_id`.",
      total_products: "Number of products in your whole catalogue. The filter does not apply.",
      total_products_in_query: "Number of products in this response.",
      current_page: "Number of this page.",
      total_pages:
        "Number of pages of the filtered list, at least 1. A page past the end is empty.",
      products: "The products of this page.",
    }),
    Product: described(contract.ProductResponse(), {
      _: "A product: `simple` with a price, or `variable` with variations.",
    }),
    SimpleProduct: described(contract.SimpleProductResponse(), {
      _: "A product with one price.",
      ...PRODUCT,
      price: "Price of one piece: a decimal number, as a string.",
      price_currency: "ISO 4217 code of the price's currency. Orders of the product must use it.",
    }),
    VariableProduct: described(contract.VariableProductResponse(), {
      _: "A product with variations, each with its own price and stock.",
      ...PRODUCT,
      attributes: "The attributes in which the variations differ, such as size and colour.",
      variations: "The variations that can be ordered.",
    }),
    Attribute: described(attributes.def.element, {
      _: "An attribute in which variations differ, such as a size.",
      id: "Identifies the attribute.",
      name: "Name of the attribute.",
      option: "All options of the attribute.",
    }),
    Variation: described(variations.def.element, {
      _: "One combination of options.",
      id: "Identifies the variation. Use it as `variation_id` in orders.",
      sku: "SKU of the variation. May be empty.",
      price: "Price of one piece: a decimal number, as a string.",
      price_currency: "ISO 4217 code of the price's currency. All variations have the same.",
      variation_qty: "Pieces in stock, as a string. Empty if the stock is not counted.",
      variation_stock_status: "Whether this variation can be ordered.",
      options: "One option for each attribute.",
    }),
    VariationOption: described(variations.def.element.shape.options.def.element, {
      _: "The option of one attribute.",
      id: "The attribute's `id`.",
      name: "The attribute's name.",
      option: "The option.",
    }),
    Vendor: described(product_vendor, {
      _: "A vendor.",
      name: "Name.",
      bio: "Full text about the vendor. May contain HTML.",
      logo: "Full URL of the logo.",
      shipping_info: "How the vendor ships its products. May be blank or null.",
      returns_info: "The vendor's returns policy. May be blank or null.",
    }),
    ShippingDetails: described(shipping_details, {
      _: "Weight and size of a parcel, as strings. Unknown values are empty.",
      weight: "Weight in kg.",
      length: "Length in cm.",
      width: "Width in cm.",
      height: "Height in cm.",
    }),
  },

  operations: [
    operation(contract.listProducts, contract.ProductListResponse(), {
      summary: "List products",
      description: `Returns a page of your catalogue in ascending order of \`product_id\`. A page may be up
to a minute old, or up to 5 minutes if our database cannot be reached. This includes 304 responses. The stock in the
list may therefore have changed. It is checked when you order. A newly published catalogue is listed within a minute.
Responses are compressed with gzip if the request accepts it.`,
      query: {
        limit: { description: "Products per page.", example: 50 },
        page: { description: "Page number. A page past the end is empty.", example: 1 },
        product_type: {
          description:
            "Only products of this type. All products if the parameter is left out or blank.",
          example: "physical",
          allowEmptyValue: true,
        },
      },
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
        page: productListResponse(
          { limit: 200, page: 1, product_type: null },
          { all: 2, physical: 2, digital: 0 },
          [product(1001), product(1003)],
        ),
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
    operation(contract.getProduct, contract.ProductResponse(), {
      summary: "Get a product",
      description: "Returns one product of your catalogue, with its current stock.",
      query: { product_id: { description: "The product's id.", example: 1007 } },
      returns: "The product.",
      responses: { simple: product(1007), variable: product(1003) },
    }),
  ],

  trials: {
    "A product that does not exist": ["not_found", "GET /api/product?product_id=999999"],
    "A page past the end": [
      { shows: "an empty list", json: { total_products_in_query: 0 } },
      "GET /api/products?page=1000",
    ],
    "A page that has not changed": [
      { shows: "304, without a body", status: 304 },
      { request: "GET /api/products", headers: { "If-None-Match": "*" } },
    ],
  },
};
