// The types of Regalo's API, generated from its OpenAPI document by `npm run docs`.
export interface paths {
  "/api/products": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List products
     * @description Returns a page of your catalogue in ascending order of `product_id`. A page, and a 304, may be
     *     up to a minute old, or 5 minutes while our database cannot be reached. So stock in the list is a hint: an order is
     *     decided by the stock at that moment. A newly published catalogue shows within a minute. Answers are compressed with
     *     gzip for callers that accept it.
     */
    get: operations["listProducts"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/product": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Get a product
     * @description Returns one product of your catalogue, with the stock of this moment.
     */
    get: operations["getProduct"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/order": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Get an order
     * @description Returns one of your orders. Exactly one of the three parameters must be set.
     */
    get: operations["getOrder"];
    put?: never;
    /**
     * Place an order
     * @description Orders one piece of a product for each recipient, delivered to the addresses given.
     *
     *     The same request sent again gives the same answer and places nothing, however often and
     *     whenever: repeat it after a timeout without fear. A refused request does not use up its `order_ref_id`.
     */
    post: operations["placeOrder"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/gift-link": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Place a gift-link order
     * @description Orders one piece of a product for each recipient and returns one redemption link each. Recipients
     *     need no address: they give it when they redeem.
     *
     *     The same request sent again gives the same answer and places nothing, however often and
     *     whenever: repeat it after a timeout without fear. A refused request does not use up its `order_ref_id`.
     */
    post: operations["placeGiftLinks"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/credit-balance": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Get the credit balance
     * @description Returns your credit in one currency, as it is at this moment.
     */
    get: operations["getCreditBalance"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
}
export type webhooks = Record<string, never>;
export interface components {
  schemas: {
    /**
     * OrderRequest
     * @description An order to deliver. Unknown fields are ignored.
     */
    OrderRequest: {
      /** @description Your own reference for this order. It makes placing safe to repeat: one reference is one order, for ever. */
      order_ref_id: string;
      /**
       * Format: int64
       * @description The product to order: `product_id` of the catalogue.
       */
      product_id: number;
      /** @description The variation to order: `id` of one of the product's `variations`. Needed for a `variable` product, refused for a `simple` one. */
      variation_id?: number | null;
      /** @description ISO 4217 code of the order's currency. It must be the product's `price_currency`. */
      currency: string;
      /** @description Country of the order, as an ISO 3166-1 alpha-2 code. It must be among the product's `available_location`, unless that list is empty. */
      base_location: string;
      /** @description One entry for each recipient; each gets one piece. */
      recipient_details: components["schemas"]["RecipientInput"][];
    };
    /**
     * RecipientInput
     * @description Who receives the product.
     */
    RecipientInput: {
      /** @description First name. */
      first_name: string;
      /** @description Last name. */
      last_name: string;
      /**
       * Format: email
       * @description E-mail address.
       */
      email: string;
      /** @description Telephone number, in any notation. */
      phone_number?: string | null;
      /** @description Where to deliver. Needed with `address_line_1`, `suburb`, `postcode_zipcode`, `country` for a `physical` product. */
      delivery_address?: components["schemas"]["AddressInput"] | null;
    };
    /**
     * AddressInput
     * @description A delivery address.
     */
    AddressInput: {
      /** @description Street and number. */
      address_line_1?: string | null;
      /** @description Unit, floor or company. */
      address_line_2?: string | null;
      /** @description Suburb, town or city. */
      suburb?: string | null;
      /** @description State or region. */
      state?: string | null;
      /** @description Postal code; not needed where the country has none. */
      postcode_zipcode?: string | null;
      /** @description Country, as it should stand on the parcel. An ISO 3166-1 alpha-2 code in any case, or a country's name in English (`Germany`, `United States`, `USA`, `U.K.`), must be among the product's `available_location`, unless that list is empty. Other text is not checked. */
      country?: string | null;
    };
    /**
     * GiftLinkRequest
     * @description A gifting order: every recipient gets a link. Unknown fields are ignored.
     */
    GiftLinkRequest: {
      /** @description Your own reference for this order. It makes placing safe to repeat: one reference is one order, for ever. */
      order_ref_id: string;
      /**
       * Format: int64
       * @description The product to order: `product_id` of the catalogue.
       */
      product_id: number;
      /** @description The variation to order: `id` of one of the product's `variations`. Needed for a `variable` product, refused for a `simple` one. */
      variation_id?: number | null;
      /** @description ISO 4217 code of the order's currency. It must be the product's `price_currency`. */
      currency: string;
      /** @description Country of the order, as an ISO 3166-1 alpha-2 code. It must be among the product's `available_location`, unless that list is empty. */
      base_location: string;
      /** @description One entry for each recipient; each gets one piece. */
      recipient_details: components["schemas"]["GiftLinkRecipientInput"][];
      /**
       * @description Whether the recipient may pick a different gift.
       * @default N
       */
      gift_of_choice?: ("Y" | "N") | null;
      /**
       * @description How the gift page looks. `company` needs a company branding in your company profile.
       * @default platform
       */
      order_branding?: ("platform" | "company") | null;
    };
    /**
     * GiftLinkRecipientInput
     * @description Who gets a gift link.
     */
    GiftLinkRecipientInput: {
      /** @description First name. */
      first_name: string;
      /** @description Last name. */
      last_name: string;
      /**
       * Format: email
       * @description E-mail address.
       */
      email: string;
      /** @description Telephone number, in any notation. */
      phone_number?: string | null;
      /** @description Where to deliver, if you know it; recipients can give it themselves. */
      delivery_address?: components["schemas"]["AddressInput"] | null;
      /** @description Message to this recipient. */
      redemption_message?: string | null;
    };
    /**
     * ProductList
     * @description A page of products, in ascending order of `product_id`.
     */
    ProductList: {
      /**
       * Format: int64
       * @description Products in your whole catalogue, whatever the filter.
       */
      total_products: number;
      /**
       * Format: int64
       * @description Products in this answer.
       */
      total_products_in_query: number;
      /**
       * Format: int64
       * @description Number of this page.
       */
      current_page: number;
      /**
       * Format: int64
       * @description Pages of the filtered list, at least 1. A page past the end is empty.
       */
      total_pages: number;
      /** @description The products of this page. */
      products: components["schemas"]["Product"][];
    };
    /**
     * Product
     * @description A product: `simple` with a price, or `variable` with variations.
     */
    Product: components["schemas"]["SimpleProduct"] | components["schemas"]["VariableProduct"];
    /**
     * SimpleProduct
     * @description A product with one price.
     */
    SimpleProduct: {
      /**
       * Format: int64
       * @description Identifies the product; used as `product_id` when ordering.
       */
      product_id: number;
      /** @description SKU; may be empty. */
      product_sku: string;
      /** @description Full name. */
      product_name: string;
      /** @description Full description; may contain HTML and line breaks. Sanitise it before showing it. */
      product_description: string;
      /** @description Short description; may be empty. */
      product_short_description: string;
      /**
       * @description Always `simple`. (enum property replaced by openapi-typescript)
       * @enum {string}
       */
      product_type: "simple";
      /**
       * @description Whether the product is sent by post or by e-mail.
       * @enum {string}
       */
      digital_physical: "physical" | "digital";
      /**
       * @description Whether stock is counted.
       * @enum {string}
       */
      track_inventory: "Y" | "N";
      /**
       * @description Whether the product can be ordered. Stock may change between this answer and your order.
       * @enum {string}
       */
      stock_status: "in_stock" | "out_of_stock";
      /** @description Pieces in stock over all variations, as text; empty where the product, or a variation in stock, is not counted. */
      stock_qty: string;
      /** @description Full URL of the main image. */
      featured_image: string;
      /** @description Full URLs of further images; may be empty. */
      additional_images: string[];
      /** @description Who makes or sells the product. */
      product_vendor: components["schemas"]["Vendor"];
      /** @description Cost of shipping one piece, in the product's currency. */
      shipping_cost: number;
      /** @description Weight and size of one parcel. */
      shipping_details: components["schemas"]["ShippingDetails"];
      /** @description ISO 3166-1 alpha-2 codes of the countries where the product is available; empty means everywhere. */
      available_location: string[];
      /** @description Price of one piece: a decimal number as text. */
      price: string;
      /** @description ISO 4217 code of the price's currency; orders must name it. */
      price_currency: string;
    };
    /**
     * VariableProduct
     * @description A product that comes in variations, each with a price and stock of its own.
     */
    VariableProduct: {
      /**
       * Format: int64
       * @description Identifies the product; used as `product_id` when ordering.
       */
      product_id: number;
      /** @description SKU; may be empty. */
      product_sku: string;
      /** @description Full name. */
      product_name: string;
      /** @description Full description; may contain HTML and line breaks. Sanitise it before showing it. */
      product_description: string;
      /** @description Short description; may be empty. */
      product_short_description: string;
      /**
       * @description Always `variable`. (enum property replaced by openapi-typescript)
       * @enum {string}
       */
      product_type: "variable";
      /**
       * @description Whether the product is sent by post or by e-mail.
       * @enum {string}
       */
      digital_physical: "physical" | "digital";
      /**
       * @description Whether stock is counted.
       * @enum {string}
       */
      track_inventory: "Y" | "N";
      /**
       * @description Whether the product can be ordered. Stock may change between this answer and your order.
       * @enum {string}
       */
      stock_status: "in_stock" | "out_of_stock";
      /** @description Pieces in stock over all variations, as text; empty where the product, or a variation in stock, is not counted. */
      stock_qty: string;
      /** @description Full URL of the main image. */
      featured_image: string;
      /** @description Full URLs of further images; may be empty. */
      additional_images: string[];
      /** @description Who makes or sells the product. */
      product_vendor: components["schemas"]["Vendor"];
      /** @description Cost of shipping one piece, in the product's currency. */
      shipping_cost: number;
      /** @description Weight and size of one parcel. */
      shipping_details: components["schemas"]["ShippingDetails"];
      /** @description ISO 3166-1 alpha-2 codes of the countries where the product is available; empty means everywhere. */
      available_location: string[];
      /** @description In what the variations differ. */
      attributes: components["schemas"]["Attribute"][];
      /** @description What can be ordered. */
      variations: components["schemas"]["Variation"][];
    };
    /**
     * Attribute
     * @description Something in which variations differ, such as a size.
     */
    Attribute: {
      /**
       * Format: int64
       * @description Identifies the attribute.
       */
      id: number;
      /** @description Name of the attribute. */
      name: string;
      /** @description The options there are. */
      option: string[];
    };
    /**
     * Variation
     * @description One combination of options.
     */
    Variation: {
      /**
       * Format: int64
       * @description Identifies the variation; used as `variation_id` when ordering.
       */
      id: number;
      /** @description SKU of the variation; may be empty. */
      sku: string;
      /** @description Price of one piece: a decimal number as text. */
      price: string;
      /** @description ISO 4217 code of the price's currency, the same for all variations. */
      price_currency: string;
      /** @description Pieces in stock, as text; empty where stock is not counted. */
      variation_qty: string;
      /**
       * @description Whether this variation can be ordered.
       * @enum {string}
       */
      variation_stock_status: "in_stock" | "out_of_stock";
      /** @description One option for each attribute. */
      options: components["schemas"]["VariationOption"][];
    };
    /**
     * VariationOption
     * @description The option of one attribute.
     */
    VariationOption: {
      /**
       * Format: int64
       * @description The attribute's `id`.
       */
      id: number;
      /** @description The attribute's name. */
      name: string;
      /** @description The option. */
      option: string;
    };
    /**
     * Vendor
     * @description A vendor.
     */
    Vendor: {
      /** @description Name. */
      name: string;
      /** @description Full text about the vendor; may contain HTML. */
      bio: string;
      /** @description Full URL of the logo. */
      logo: string;
      /** @description How the vendor ships; may be blank or null. */
      shipping_info: string | null;
      /** @description The vendor's returns policy; may be blank or null. */
      returns_info: string | null;
    };
    /**
     * ShippingDetails
     * @description A parcel. Numbers as text; empty where unknown.
     */
    ShippingDetails: {
      /** @description Weight in kg. */
      weight: string;
      /** @description Length in cm. */
      length: string;
      /** @description Width in cm. */
      width: string;
      /** @description Height in cm. */
      height: string;
    };
    /**
     * PlacedOrder
     * @description A placed order. Ids and amounts are numbers here.
     */
    PlacedOrder: {
      /**
       * @description Always `success`.
       * @enum {string}
       */
      status: "success";
      /** @description What the order is called. */
      order_data: components["schemas"]["PlacedOrderData"];
      /** @description What the order costs. */
      order_totals: components["schemas"]["PlacedTotals"];
    };
    /**
     * PlacedOrderData
     * @description What a placed order is called.
     */
    PlacedOrderData: {
      /**
       * Format: int64
       * @description Identifies the order; GET /api/order takes it.
       */
      order_id: number;
      /** @description Reference number for people: `GO-` and at least five digits. Numbers go on growing: `GO-99999` is followed by `GO-100000`. */
      order_number: string;
    };
    /**
     * PlacedTotals
     * @description Totals as numbers with at most two decimals.
     */
    PlacedTotals: {
      /** @description ISO 4217 code of all amounts here. */
      currency: string;
      /** @description Price of one piece. */
      product_price: number;
      /**
       * Format: int64
       * @description Number of recipients.
       */
      qty: number;
      /** @description `product_price` × `qty`. */
      subtotal: number;
      /** @description The product's shipping cost × `qty`. */
      shipping_cost: number;
      /** @description Your fee, a share of `subtotal` + `shipping_cost` (4 % unless agreed otherwise), rounded half up. */
      order_fee: number;
      /** @description The exact sum of `subtotal`, `shipping_cost` and `order_fee`. */
      order_total: number;
    };
    /**
     * PlacedGiftLinks
     * @description A placed gifting order with one link for each recipient.
     */
    PlacedGiftLinks: {
      /**
       * @description Always `success`.
       * @enum {string}
       */
      status: "success";
      /** @description What the order is called. */
      order_data: components["schemas"]["PlacedOrderData"];
      /** @description What the order costs. */
      order_totals: components["schemas"]["PlacedTotals"];
      /** @description One entry for each recipient, in the order of the request. */
      recipient_return: components["schemas"]["GiftLink"][];
    };
    /**
     * GiftLink
     * @description A recipient's gift link.
     */
    GiftLink: {
      /**
       * Format: int64
       * @description Identifies the recipient's part of the order.
       */
      suborder_id: number;
      /** @description The order's number, a hyphen and the recipient's position. */
      suborder_number: string;
      /** @description First name as given. */
      first_name: string;
      /** @description Last name as given. */
      last_name: string;
      /** @description E-mail address as given. */
      email: string;
      /**
       * Format: uri
       * @description Where the recipient redeems the gift. Whoever has it can redeem it: treat it as a secret.
       */
      gift_url: string;
    };
    /**
     * Order
     * @description An order. Ids and amounts are text here, unlike in the answers of placements.
     */
    Order: {
      /** @description Identifies the order, as text. */
      order_id: string;
      /** @description Reference number for people: `GO-` and at least five digits. Numbers go on growing: `GO-99999` is followed by `GO-100000`. */
      order_number: string;
      /** @description When it was placed: `YYYY-MM-DD HH:MM`, 24 hours, UTC. */
      order_date: string;
      /**
       * @description `created` waits for payment, `paid` is paid, `failed` was not paid; `cancieled` (spelled so) was cancelled.
       * @enum {string}
       */
      order_status: "failed" | "created" | "paid" | "cancieled";
      /**
       * @description How it was placed: `api-purchase` by POST /api/order, `api-giftlink` by POST /api/gift-link, all others on the store.
       * @enum {string}
       */
      gift_order_method: "email" | "direct" | "link" | "api-purchase" | "api-giftlink";
      /** @description How often the link can be redeemed; only when `gift_order_method` is `link`. */
      link_how_many_times?: number | null;
      /** @description The redemption URL; only when `gift_order_method` is `link`. */
      link_url?: string | null;
      /** @description The message on the redemption page; only when `gift_order_method` is `link`. */
      link_message?: string | null;
      /**
       * @description Whether recipients may pick a different gift.
       * @enum {string}
       */
      gift_of_choice: "Y" | "N";
      /**
       * @description Whose branding it carries; `custom` is set on the store only.
       * @enum {string}
       */
      branding_selected: "platform" | "company" | "custom";
      /** @description The branding as it was when the order was placed. */
      branding_options: components["schemas"]["BrandingOptions"];
      /** @description What was ordered. */
      product_offered: components["schemas"]["ChosenProduct"];
      /** @description What it cost. */
      order_totals: components["schemas"]["OrderTotals"];
      /**
       * @description The e-mail's template; set on the store only.
       * @enum {string}
       */
      email_template: "celebration" | "generic" | "sympathy" | "christmas";
      /** @description One sub-order for each recipient. */
      recipients: components["schemas"]["SubOrder"][];
    };
    /**
     * OrderTotals
     * @description Totals as text, amounts with two decimals.
     */
    OrderTotals: {
      /** @description ISO 4217 code of all amounts here. */
      currency: string;
      /** @description Price of one piece. */
      product_price: string;
      /** @description Number of recipients. */
      qty: string;
      /** @description `product_price` × `qty`. */
      subtotal: string;
      /** @description The product's shipping cost × `qty`. */
      shipping_cost: string;
      /** @description Your fee, a share of `subtotal` + `shipping_cost` (4 % unless agreed otherwise), rounded half up. */
      order_fee: string;
      /** @description The exact sum of `subtotal`, `shipping_cost` and `order_fee`. */
      order_total: string;
    };
    /**
     * BrandingOptions
     * @description How the order's pages look.
     */
    BrandingOptions: {
      /** @description Path or URL of the logo. */
      branding_logo: string;
      /** @description Path or URL of the logo on the gift page. */
      branding_claim_logo: string;
      /** @description Hex colour. */
      primary_color: string;
      /** @description Hex colour. */
      secondary_color: string;
    };
    /**
     * ChosenProduct
     * @description A product, and a variation of it.
     */
    ChosenProduct: {
      /** @description Id of the product, as text. */
      product_id: string;
      /** @description Id of the variation, as text; null for a `simple` product. */
      variation_id: string | null;
    };
    /**
     * SubOrder
     * @description One recipient's part of an order.
     */
    SubOrder: {
      /**
       * Format: int64
       * @description Identifies the sub-order.
       */
      suborder_id: number;
      /** @description The order's number, a hyphen and the recipient's position. */
      suborder_number: string;
      /** @description Who receives it. */
      recipient_details: components["schemas"]["RecipientDetails"];
      /** @description Null until the recipient redeems, then `redeemed`. `cancelled` when the order was cancelled or failed before that. */
      redemption_status: ("redeemed" | "cancelled") | null;
      /** @description What this recipient gets; differs from `product_offered` after a choice. */
      product_selected: components["schemas"]["ChosenProduct"];
    };
    /**
     * RecipientDetails
     * @description A recipient.
     */
    RecipientDetails: {
      /** @description First and last name. */
      name: string;
      /** @description E-mail address. */
      email: string;
      /** @description Message to this recipient; may be empty. */
      email_message: string;
      /** @description Where it goes. */
      delivery_address: components["schemas"]["DeliveryAddress"];
      /** @description Telephone number; `NA` where there is none. */
      phone_number: string;
      /** @description Notes for the delivery. */
      delivery_notes: string | null;
      /**
       * Format: uri
       * @description The recipient's gift link; only when `gift_order_method` is `api-giftlink`.
       */
      gift_url?: string;
    };
    /**
     * DeliveryAddress
     * @description A delivery address; what is not known is null.
     */
    DeliveryAddress: {
      /** @description Street and number. */
      address_line_1: string | null;
      /** @description Unit, floor or company. */
      address_line_2: string | null;
      /** @description Suburb, town or city. */
      suburb: string | null;
      /** @description State or region. */
      state: string | null;
      /** @description Postal code; not needed where the country has none. */
      postcode_zipcode: string | null;
      /** @description Country, as it should stand on the parcel. */
      country: string | null;
    };
    /**
     * CreditBalance
     * @description A credit balance.
     */
    CreditBalance: {
      /** @description The balance; 0 where there is no account. */
      credit_balance: number;
      /** @description ISO 4217 code of the balance's currency. */
      currency: string;
      /** @description The balance for people, with the currency's symbol. */
      credit_balance_formatted: string;
    };
    /**
     * Error
     * @description Every error has this body.
     */
    Error: {
      /**
       * @description Always `error`.
       * @enum {string}
       */
      status: "error";
      /** @description The reason, a sentence for people: it may change. Decide by `code`. */
      message: string;
      /**
       * @description The reason, for programs: it stays.
       * @enum {string}
       */
      code:
        | "invalid_json"
        | "product_id_required"
        | "validation_error"
        | "unauthorized"
        | "insufficient_credit"
        | "forbidden"
        | "not_found"
        | "method_not_allowed"
        | "out_of_stock"
        | "order_ref_conflict"
        | "payload_too_large"
        | "unsupported_media_type"
        | "product_not_found"
        | "variation_not_found"
        | "variation_required"
        | "variation_not_allowed"
        | "currency_not_available"
        | "location_not_available"
        | "branding_not_available"
        | "too_many_requests"
        | "internal_error"
        | "service_unavailable";
      /** @description Every field at fault; only with `validation_error`. */
      errors?: components["schemas"]["FieldError"][];
    };
    /**
     * FieldError
     * @description A field at fault.
     */
    FieldError: {
      /** @description Path of the field, such as `recipient_details[0].email`. */
      field: string;
      /** @description The rule it breaks; reads on after the field's name. */
      message: string;
    };
  };
  responses: {
    /** @description `unauthorized`: The three headers are not valid together: missing, wrong, revoked, or of the other environment. */
    unauthorized: {
      headers: {
        "X-Request-Id": components["headers"]["X-Request-Id"];
        "Cache-Control": components["headers"]["Cache-Control"];
        /** @description Names the three headers to send. */
        "WWW-Authenticate": 'ApiKey realm="Regalo", headers="CLIENT-ID API-KEY API-PASSWORD"';
        [name: string]: unknown;
      };
      content: {
        "application/json": components["schemas"]["Error"];
      };
    };
    /** @description `forbidden`: Your client is suspended. Contact us. */
    forbidden: {
      headers: {
        "X-Request-Id": components["headers"]["X-Request-Id"];
        "Cache-Control": components["headers"]["Cache-Control"];
        [name: string]: unknown;
      };
      content: {
        "application/json": components["schemas"]["Error"];
      };
    };
    /** @description `too_many_requests`: Your limit is used up. Wait as long as `Retry-After` says. */
    too_many_requests: {
      headers: {
        "X-Request-Id": components["headers"]["X-Request-Id"];
        "Cache-Control": components["headers"]["Cache-Control"];
        /** @description Seconds to wait. */
        "Retry-After": string;
        [name: string]: unknown;
      };
      content: {
        "application/json": components["schemas"]["Error"];
      };
    };
    /** @description `internal_error`: Something unexpected. Send the same request again: placing is safe to repeat. */
    internal_error: {
      headers: {
        "X-Request-Id": components["headers"]["X-Request-Id"];
        "Cache-Control": components["headers"]["Cache-Control"];
        [name: string]: unknown;
      };
      content: {
        "application/json": components["schemas"]["Error"];
      };
    };
    /** @description `service_unavailable`: We could not answer in time. Send the same request again a little later. */
    service_unavailable: {
      headers: {
        "X-Request-Id": components["headers"]["X-Request-Id"];
        "Cache-Control": components["headers"]["Cache-Control"];
        /** @description Seconds to wait. */
        "Retry-After": string;
        [name: string]: unknown;
      };
      content: {
        "application/json": components["schemas"]["Error"];
      };
    };
  };
  parameters: {
    /**
     * @description Identifies your client.
     * @example demo
     */
    "CLIENT-ID": string;
    /**
     * @description First half of your secret.
     * @example demo-key
     */
    "API-KEY": string;
    /**
     * @description Second half of your secret.
     * @example demo-password
     */
    "API-PASSWORD": string;
  };
  requestBodies: never;
  headers: {
    /** @description Names this request; tell it when you ask us about an answer. */
    "X-Request-Id": string;
    /** @description Answers are yours alone; nothing between us may keep them. */
    "Cache-Control": "private, no-store" | "private, no-cache";
  };
  pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
  listProducts: {
    parameters: {
      query?: {
        /**
         * @description Products per page.
         * @example 50
         */
        limit?: number;
        /**
         * @description Page number. A page past the end is empty.
         * @example 1
         */
        page?: number;
        /**
         * @description Only products of this kind. Leave it out or blank for all products.
         * @example physical
         */
        product_type?: "physical" | "digital";
      };
      header?: {
        /**
         * @description The `ETag` of a page you have. If the page is still the same, the answer is 304.
         * @example W/"1f0c3a5e7b9d2468ace013579bdf0246"
         */
        "If-None-Match"?: string;
        /**
         * @description Identifies your client.
         * @example demo
         */
        "CLIENT-ID"?: components["parameters"]["CLIENT-ID"];
        /**
         * @description First half of your secret.
         * @example demo-key
         */
        "API-KEY"?: components["parameters"]["API-KEY"];
        /**
         * @description Second half of your secret.
         * @example demo-password
         */
        "API-PASSWORD"?: components["parameters"]["API-PASSWORD"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description A page of products. */
      200: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "Cache-Control": components["headers"]["Cache-Control"];
          /** @description Names this content of the page, for `If-None-Match`. */
          ETag: string;
          /** @description The encoding varies. */
          Vary: "Accept-Encoding";
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["ProductList"];
        };
      };
      /** @description The page you have is still the same. */
      304: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "Cache-Control": components["headers"]["Cache-Control"];
          /** @description Names this content of the page, for `If-None-Match`. */
          ETag: string;
          /** @description The encoding varies. */
          Vary: "Accept-Encoding";
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description `validation_error`: A field is missing or breaks its rule: `errors` names every field at fault. Mend the request. */
      400: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "Cache-Control": components["headers"]["Cache-Control"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      401: components["responses"]["unauthorized"];
      403: components["responses"]["forbidden"];
      429: components["responses"]["too_many_requests"];
      500: components["responses"]["internal_error"];
      503: components["responses"]["service_unavailable"];
    };
  };
  getProduct: {
    parameters: {
      query: {
        /**
         * @description The product's id.
         * @example 1007
         */
        product_id: number;
      };
      header?: {
        /**
         * @description Identifies your client.
         * @example demo
         */
        "CLIENT-ID"?: components["parameters"]["CLIENT-ID"];
        /**
         * @description First half of your secret.
         * @example demo-key
         */
        "API-KEY"?: components["parameters"]["API-KEY"];
        /**
         * @description Second half of your secret.
         * @example demo-password
         */
        "API-PASSWORD"?: components["parameters"]["API-PASSWORD"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The product. */
      200: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "Cache-Control": components["headers"]["Cache-Control"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Product"];
        };
      };
      /**
       * @description `product_id_required`: `product_id` is missing. This is checked before all other fields.
       *
       *     `validation_error`: A field is missing or breaks its rule: `errors` names every field at fault. Mend the request.
       */
      400: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "Cache-Control": components["headers"]["Cache-Control"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      401: components["responses"]["unauthorized"];
      403: components["responses"]["forbidden"];
      /** @description `not_found`: There is no such product or order for you, or nothing at this address. */
      404: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "Cache-Control": components["headers"]["Cache-Control"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      429: components["responses"]["too_many_requests"];
      500: components["responses"]["internal_error"];
      503: components["responses"]["service_unavailable"];
    };
  };
  getOrder: {
    parameters: {
      query?: {
        /**
         * @description The order's id.
         * @example 42
         */
        order_id?: number;
        /**
         * @description The order's number.
         * @example GO-00042
         */
        order_number?: string;
        /**
         * @description Your own reference of the order.
         * @example spring-2026-0001
         */
        order_ref_id?: string;
      };
      header?: {
        /**
         * @description Identifies your client.
         * @example demo
         */
        "CLIENT-ID"?: components["parameters"]["CLIENT-ID"];
        /**
         * @description First half of your secret.
         * @example demo-key
         */
        "API-KEY"?: components["parameters"]["API-KEY"];
        /**
         * @description Second half of your secret.
         * @example demo-password
         */
        "API-PASSWORD"?: components["parameters"]["API-PASSWORD"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The order. */
      200: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "Cache-Control": components["headers"]["Cache-Control"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Order"];
        };
      };
      /** @description `validation_error`: A field is missing or breaks its rule: `errors` names every field at fault. Mend the request. */
      400: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "Cache-Control": components["headers"]["Cache-Control"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      401: components["responses"]["unauthorized"];
      403: components["responses"]["forbidden"];
      /** @description `not_found`: There is no such product or order for you, or nothing at this address. */
      404: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "Cache-Control": components["headers"]["Cache-Control"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      429: components["responses"]["too_many_requests"];
      500: components["responses"]["internal_error"];
      503: components["responses"]["service_unavailable"];
    };
  };
  placeOrder: {
    parameters: {
      query?: never;
      header?: {
        /**
         * @description Identifies your client.
         * @example demo
         */
        "CLIENT-ID"?: components["parameters"]["CLIENT-ID"];
        /**
         * @description First half of your secret.
         * @example demo-key
         */
        "API-KEY"?: components["parameters"]["API-KEY"];
        /**
         * @description Second half of your secret.
         * @example demo-password
         */
        "API-PASSWORD"?: components["parameters"]["API-PASSWORD"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["OrderRequest"];
      };
    };
    responses: {
      /** @description The order is placed. */
      200: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "Cache-Control": components["headers"]["Cache-Control"];
          /** @description There when an earlier request had placed this order: the answer is that one's. */
          "Idempotent-Replayed"?: "true";
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["PlacedOrder"];
        };
      };
      /**
       * @description `invalid_json`: The body is not JSON, or not a JSON object.
       *
       *     `product_id_required`: `product_id` is missing. This is checked before all other fields.
       *
       *     `validation_error`: A field is missing or breaks its rule: `errors` names every field at fault. Mend the request.
       */
      400: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "Cache-Control": components["headers"]["Cache-Control"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      401: components["responses"]["unauthorized"];
      /** @description `insufficient_credit`: Your credit does not cover the order: `message` gives both. Top up and send the same request again. */
      402: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "Cache-Control": components["headers"]["Cache-Control"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      403: components["responses"]["forbidden"];
      /**
       * @description `out_of_stock`: Not enough is left: `message` says how many are.
       *
       *     `order_ref_conflict`: `order_ref_id` stands for an order with another content or of the other endpoint. Use a new one.
       */
      409: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "Cache-Control": components["headers"]["Cache-Control"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description `payload_too_large`: The body is larger than 1 MiB. */
      413: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "Cache-Control": components["headers"]["Cache-Control"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description `unsupported_media_type`: `Content-Type` is not `application/json`. */
      415: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "Cache-Control": components["headers"]["Cache-Control"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /**
       * @description `product_not_found`: The product is not in your catalogue.
       *
       *     `variation_not_found`: `variation_id` is not one of this product's.
       *
       *     `variation_required`: The product is `variable`: choose one of its variations.
       *
       *     `variation_not_allowed`: The product is `simple`: leave `variation_id` out.
       *
       *     `currency_not_available`: `currency` is not the product's `price_currency`.
       *
       *     `location_not_available`: `base_location` is not among the product's `available_location`.
       */
      422: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "Cache-Control": components["headers"]["Cache-Control"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      429: components["responses"]["too_many_requests"];
      500: components["responses"]["internal_error"];
      503: components["responses"]["service_unavailable"];
    };
  };
  placeGiftLinks: {
    parameters: {
      query?: never;
      header?: {
        /**
         * @description Identifies your client.
         * @example demo
         */
        "CLIENT-ID"?: components["parameters"]["CLIENT-ID"];
        /**
         * @description First half of your secret.
         * @example demo-key
         */
        "API-KEY"?: components["parameters"]["API-KEY"];
        /**
         * @description Second half of your secret.
         * @example demo-password
         */
        "API-PASSWORD"?: components["parameters"]["API-PASSWORD"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["GiftLinkRequest"];
      };
    };
    responses: {
      /** @description The order is placed; the links work. */
      200: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "Cache-Control": components["headers"]["Cache-Control"];
          /** @description There when an earlier request had placed this order: the answer is that one's. */
          "Idempotent-Replayed"?: "true";
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["PlacedGiftLinks"];
        };
      };
      /**
       * @description `invalid_json`: The body is not JSON, or not a JSON object.
       *
       *     `product_id_required`: `product_id` is missing. This is checked before all other fields.
       *
       *     `validation_error`: A field is missing or breaks its rule: `errors` names every field at fault. Mend the request.
       */
      400: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "Cache-Control": components["headers"]["Cache-Control"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      401: components["responses"]["unauthorized"];
      /** @description `insufficient_credit`: Your credit does not cover the order: `message` gives both. Top up and send the same request again. */
      402: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "Cache-Control": components["headers"]["Cache-Control"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      403: components["responses"]["forbidden"];
      /**
       * @description `out_of_stock`: Not enough is left: `message` says how many are.
       *
       *     `order_ref_conflict`: `order_ref_id` stands for an order with another content or of the other endpoint. Use a new one.
       */
      409: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "Cache-Control": components["headers"]["Cache-Control"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description `payload_too_large`: The body is larger than 1 MiB. */
      413: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "Cache-Control": components["headers"]["Cache-Control"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description `unsupported_media_type`: `Content-Type` is not `application/json`. */
      415: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "Cache-Control": components["headers"]["Cache-Control"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /**
       * @description `product_not_found`: The product is not in your catalogue.
       *
       *     `variation_not_found`: `variation_id` is not one of this product's.
       *
       *     `variation_required`: The product is `variable`: choose one of its variations.
       *
       *     `variation_not_allowed`: The product is `simple`: leave `variation_id` out.
       *
       *     `currency_not_available`: `currency` is not the product's `price_currency`.
       *
       *     `location_not_available`: `base_location` is not among the product's `available_location`.
       *
       *     `branding_not_available`: `order_branding` is `company`, but your profile has no company branding.
       */
      422: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "Cache-Control": components["headers"]["Cache-Control"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      429: components["responses"]["too_many_requests"];
      500: components["responses"]["internal_error"];
      503: components["responses"]["service_unavailable"];
    };
  };
  getCreditBalance: {
    parameters: {
      query?: {
        /**
         * @description ISO 4217 code. Without it, the answer is in your client's own currency.
         * @example AUD
         */
        currency?: string;
      };
      header?: {
        /**
         * @description Identifies your client.
         * @example demo
         */
        "CLIENT-ID"?: components["parameters"]["CLIENT-ID"];
        /**
         * @description First half of your secret.
         * @example demo-key
         */
        "API-KEY"?: components["parameters"]["API-KEY"];
        /**
         * @description Second half of your secret.
         * @example demo-password
         */
        "API-PASSWORD"?: components["parameters"]["API-PASSWORD"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The balance. */
      200: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "Cache-Control": components["headers"]["Cache-Control"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["CreditBalance"];
        };
      };
      /** @description `validation_error`: A field is missing or breaks its rule: `errors` names every field at fault. Mend the request. */
      400: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "Cache-Control": components["headers"]["Cache-Control"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      401: components["responses"]["unauthorized"];
      403: components["responses"]["forbidden"];
      429: components["responses"]["too_many_requests"];
      500: components["responses"]["internal_error"];
      503: components["responses"]["service_unavailable"];
    };
  };
}
