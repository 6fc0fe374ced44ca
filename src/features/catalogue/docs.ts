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
  categories:
    "The categories of the product, as in the filter `category`. Only with `include=details`.",
  vendor: "Name of the vendor, as in the filter `vendor`. Only with `include=details`.",
  updated_at:
    "When the product was added or its content was last changed, as of `updated_since`. Only with `include=details`.",
};

const INCLUDE = {
  description:
    "`details`: the response also contains `categories`, `vendor` and `updated_at` of each product.",
  example: "details",
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
      total_matched:
        "Number of products that meet the filters, on all pages. Only with a filter other than `product_type`.",
      next_after_id:
        "Send it as `after_id` in the next request. Null if the page has fewer than `limit` products, because no others follow. Only with `after_id`.",
      products: "The products of this page.",
    }),
    Facets: described(contract.FacetsResponse(), {
      _: "The vendors and categories of a catalogue.",
      vendors: "The vendors, sorted by name.",
      categories: "The categories, sorted by name.",
    }),
    CollectionList: described(contract.CollectionListResponse(), {
      _: "The collections of a catalogue.",
      collections: "The collections, by `collection`.",
    }),
    CollectionCount: described(contract.CollectionCount(), {
      _: "A collection.",
      collection: "Its id, for `collection` in other requests.",
      name: "Its name, which recipients see.",
      description: "Its text, which recipients see. May be empty.",
      product_count: "The number of its products that meet the filters.",
    }),
    NamedCount: described(contract.NamedCount(), {
      _: "A vendor or a category.",
      name: "Name, as in the filters of GET /api/products.",
      product_count: "Number of products.",
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
Responses are compressed with gzip if the request accepts it.

Filters can be combined: a product is listed if it meets all of them. While our database cannot be reached, filtered
pages are not available.`,
      query: {
        limit: { description: "Products per page.", example: 50 },
        page: { description: "Page number. A page past the end is empty.", example: 1 },
        after_id: {
          description:
            "Only products with a greater `product_id`, in place of a page: 0 for the first request, then `next_after_id` of the response. The products are the current ones, not up to a minute old. Cannot be combined with `page` and the filters.",
          example: 0,
        },
        include: INCLUDE,
        product_type: {
          description:
            "Only products of this type. All products if the parameter is left out or blank.",
          example: "physical",
          allowEmptyValue: true,
        },
        q: {
          description:
            "Only products whose name or description contains all of these words. Case, accents and width do not matter: `cafe` finds `Café`. A word of two or more letters also finds the words that begin with it: `te` finds `tea`. A single letter finds only itself. In scripts without spaces, such as Japanese, each character counts as a word. It must contain a letter or a digit.",
          example: "tea tin",
        },
        category: {
          description:
            "Only products of this category or its subcategories: a name of GET /api/products/facets. Case, accents and width do not matter.",
          example: "Food",
        },
        vendor: {
          description:
            "Only products of this vendor: a name of GET /api/products/facets, compared as of `category`.",
          example: "Pale Kettle Tea Co.",
        },
        collection: {
          description: "Only products of this collection: an id of GET /api/collections.",
          example: "wellness",
        },
        country: {
          description:
            "Only products that are available in this country, including those that are available everywhere.",
          example: "AU",
        },
        currency: {
          description: "Only products with prices in this currency.",
          example: "AUD",
        },
        price_min: {
          description:
            "Only products for at least this price, without shipping. Needs `currency`. A variable product counts with its lowest price.",
          example: "20.00",
        },
        price_max: {
          description: "Only products for at most this price, as of `price_min`.",
          example: "50.00",
        },
        in_stock: {
          description:
            "`true` for products that can be ordered, `false` for the others, as `stock_status` shows it. As old as the page.",
          example: "true",
        },
        updated_since: {
          description:
            "Only products whose content was added or changed at or after this time: a day in UTC, or an RFC 3339 timestamp. Stock is not content. The time is that at which a publication began, and it may take some minutes: ask again from an hour before your last request, or follow the `product.*` events.",
          example: "2026-09-01",
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
    operation(contract.listFacets, contract.FacetsResponse(), {
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
    operation(contract.listCollections, contract.CollectionListResponse(), {
      summary: "List collections",
      description:
        "Returns the collections that we have curated for your catalogue, such as `Wellness`, and the number of their products for a country and a price. In [POST /api/gift-link](#placeGiftLinks), a collection limits what recipients can choose.",
      query: {
        country: {
          description: "Counts products that are available in this country.",
          example: "AU",
        },
        currency: {
          description: "Counts products with prices in this currency.",
          example: "AUD",
        },
        price_max: {
          description:
            "Counts products for at most this price, without shipping. Needs `currency`.",
          example: "50",
        },
      },
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
    operation(contract.getProduct, contract.ProductResponse(), {
      summary: "Get a product",
      description:
        "Returns one product of your catalogue, with its current stock. The nearest replica of our database answers, which is usually less than a second old. Send `Regalo-Bookmark` if the product must not be older than an event that you have read.",
      query: {
        product_id: { description: "The product's id.", example: 1007 },
        include: INCLUDE,
      },
      sample: ["product_id"],
      returns: "The product.",
      responses: { simple: product(1007), variable: product(1003) },
    }),
  ],
};
