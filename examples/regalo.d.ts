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
     *     up to a minute old, or 5 minutes while our database cannot be reached. Stock in the list is therefore a hint: it is
     *     checked when you order. A newly published catalogue is listed within a minute. Answers are compressed with gzip for
     *     callers that accept it.
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
     * @description Returns one product of your catalogue, with its stock at this moment.
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
     * @description Returns one of your orders. Set exactly one of the three parameters.
     */
    get: operations["getOrder"];
    put?: never;
    /**
     * Place an order
     * @description Orders one piece of a product for each recipient, delivered to the address in the request.
     *
     *     If you send the same request again, at any time, you get the same answer and no second order. So
     *     it is safe to repeat it after a timeout. A refused request does not use up its `order_ref_id`.
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
     * @description Orders one piece of a product for each recipient, and returns one redemption link for each. You send
     *     the links to the recipients. Addresses are optional, since recipients enter theirs when they accept the gift.
     *
     *     If you send the same request again, at any time, you get the same answer and no second order. So
     *     it is safe to repeat it after a timeout. A refused request does not use up its `order_ref_id`.
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
     * @description Returns your credit in one currency at this moment.
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
     * @description An order to be delivered. Unknown fields are ignored.
     */
    OrderRequest: {
      /** @description Your own name for this order, compared exactly. One reference is one order, for ever, so placing is safe to repeat. */
      order_ref_id: string;
      /**
       * Format: int64
       * @description The product to order: `product_id` of the catalogue.
       */
      product_id: number;
      /** @description The variation to order: `id` of one of the product's `variations`. Required for a `variable` product, refused for a `simple` one. */
      variation_id?: number | null;
      /** @description ISO 4217 code of the order's currency. It must be the product's `price_currency`. */
      currency: string;
      /** @description Country of the order, as an ISO 3166-1 alpha-2 code. It must be in the product's `available_location`, unless that list is empty. */
      base_location: string;
      /** @description One entry for each recipient. Each gets one piece. */
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
      /** @description Where to deliver. Required with `address_line_1`, `suburb`, `postcode_zipcode`, `country` for a `physical` product. */
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
      /** @description Postal code. Not needed if the country has none. */
      postcode_zipcode?: string | null;
      /** @description Country, as it should stand on the parcel. An ISO 3166-1 alpha-2 code in any case, or a country's name in English (`Germany`, `United States`, `USA`, `U.K.`), must be among the product's `available_location`, unless that list is empty. Other text is not checked. */
      country?: string | null;
    };
    /**
     * GiftLinkRequest
     * @description An order of gifts: there is a link for each recipient. Unknown fields are ignored.
     */
    GiftLinkRequest: {
      /** @description Your own name for this order, compared exactly. One reference is one order, for ever, so placing is safe to repeat. */
      order_ref_id: string;
      /**
       * Format: int64
       * @description The product to order: `product_id` of the catalogue.
       */
      product_id: number;
      /** @description The variation to order: `id` of one of the product's `variations`. Required for a `variable` product, refused for a `simple` one. */
      variation_id?: number | null;
      /** @description ISO 4217 code of the order's currency. It must be the product's `price_currency`. */
      currency: string;
      /** @description Country of the order, as an ISO 3166-1 alpha-2 code. It must be in the product's `available_location`, unless that list is empty. */
      base_location: string;
      /** @description One entry for each recipient. Each gets one piece. */
      recipient_details: components["schemas"]["GiftLinkRecipientInput"][];
      /**
       * @description `Y` if the recipient may choose another gift.
       * @default N
       */
      gift_of_choice?: ("Y" | "N") | null;
      /**
       * @description Branding of the gift page. `company` requires a company branding in your company profile.
       * @default platform
       */
      order_branding?: ("platform" | "company") | null;
    };
    /**
     * GiftLinkRecipientInput
     * @description A recipient of a gift link.
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
      /** @description Where to deliver, if you know it. Recipients see it on the gift page and can change it. */
      delivery_address?: components["schemas"]["AddressInput"] | null;
      /** @description Message to this recipient, shown on the gift page. */
      redemption_message?: string | null;
    };
    /**
     * ProductList
     * @description A page of products, in ascending order of `product_id`.
     */
    ProductList: {
      /**
       * Format: int64
       * @description Number of products in your whole catalogue, without the filter.
       */
      total_products: number;
      /**
       * Format: int64
       * @description Number of products in this answer.
       */
      total_products_in_query: number;
      /**
       * Format: int64
       * @description Number of this page.
       */
      current_page: number;
      /**
       * Format: int64
       * @description Number of pages of the filtered list, at least 1. A page past the end is empty.
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
       * @description Identifies the product. Use it as `product_id` in orders.
       */
      product_id: number;
      /** @description SKU. May be empty. */
      product_sku: string;
      /** @description Full name. */
      product_name: string;
      /** @description Full description. It may contain HTML and line breaks: sanitise it before you show it. */
      product_description: string;
      /** @description Short description. May be empty. */
      product_short_description: string;
      /**
       * @description Always `simple`. (enum property replaced by openapi-typescript)
       * @enum {string}
       */
      product_type: "simple";
      /**
       * @description `physical` products are sent to an address, `digital` products need none.
       * @enum {string}
       */
      digital_physical: "physical" | "digital";
      /**
       * @description `Y` if the stock is counted, `N` if it is not.
       * @enum {string}
       */
      track_inventory: "Y" | "N";
      /**
       * @description Whether the product can be ordered. This may change between the answer and your order.
       * @enum {string}
       */
      stock_status: "in_stock" | "out_of_stock";
      /** @description Pieces in stock over all variations, as text. Empty if the product, or a variation in stock, is not counted. */
      stock_qty: string;
      /** @description Full URL of the main image. */
      featured_image: string;
      /** @description Full URLs of more images. May be empty. */
      additional_images: string[];
      /** @description Who makes or sells the product. */
      product_vendor: components["schemas"]["Vendor"];
      /** @description Cost of shipping one piece, in the product's currency. */
      shipping_cost: number;
      /** @description Weight and size of one parcel. */
      shipping_details: components["schemas"]["ShippingDetails"];
      /** @description ISO 3166-1 alpha-2 codes of the countries where the product is available. Empty means everywhere. */
      available_location: string[];
      /** @description Price of one piece: a decimal number as text. */
      price: string;
      /** @description ISO 4217 code of the price's currency, in which the product must be ordered. */
      price_currency: string;
    };
    /**
     * VariableProduct
     * @description A product with variations, each with its own price and stock.
     */
    VariableProduct: {
      /**
       * Format: int64
       * @description Identifies the product. Use it as `product_id` in orders.
       */
      product_id: number;
      /** @description SKU. May be empty. */
      product_sku: string;
      /** @description Full name. */
      product_name: string;
      /** @description Full description. It may contain HTML and line breaks: sanitise it before you show it. */
      product_description: string;
      /** @description Short description. May be empty. */
      product_short_description: string;
      /**
       * @description Always `variable`. (enum property replaced by openapi-typescript)
       * @enum {string}
       */
      product_type: "variable";
      /**
       * @description `physical` products are sent to an address, `digital` products need none.
       * @enum {string}
       */
      digital_physical: "physical" | "digital";
      /**
       * @description `Y` if the stock is counted, `N` if it is not.
       * @enum {string}
       */
      track_inventory: "Y" | "N";
      /**
       * @description Whether the product can be ordered. This may change between the answer and your order.
       * @enum {string}
       */
      stock_status: "in_stock" | "out_of_stock";
      /** @description Pieces in stock over all variations, as text. Empty if the product, or a variation in stock, is not counted. */
      stock_qty: string;
      /** @description Full URL of the main image. */
      featured_image: string;
      /** @description Full URLs of more images. May be empty. */
      additional_images: string[];
      /** @description Who makes or sells the product. */
      product_vendor: components["schemas"]["Vendor"];
      /** @description Cost of shipping one piece, in the product's currency. */
      shipping_cost: number;
      /** @description Weight and size of one parcel. */
      shipping_details: components["schemas"]["ShippingDetails"];
      /** @description ISO 3166-1 alpha-2 codes of the countries where the product is available. Empty means everywhere. */
      available_location: string[];
      /** @description The attributes in which the variations differ. */
      attributes: components["schemas"]["Attribute"][];
      /** @description The variations that can be ordered. */
      variations: components["schemas"]["Variation"][];
    };
    /**
     * Attribute
     * @description An attribute in which variations differ, such as a size.
     */
    Attribute: {
      /**
       * Format: int64
       * @description Identifies the attribute.
       */
      id: number;
      /** @description Name of the attribute. */
      name: string;
      /** @description All options of the attribute. */
      option: string[];
    };
    /**
     * Variation
     * @description One combination of options.
     */
    Variation: {
      /**
       * Format: int64
       * @description Identifies the variation. Use it as `variation_id` in orders.
       */
      id: number;
      /** @description SKU of the variation. May be empty. */
      sku: string;
      /** @description Price of one piece: a decimal number as text. */
      price: string;
      /** @description ISO 4217 code of the price's currency, the same for all variations. */
      price_currency: string;
      /** @description Pieces in stock, as text. Empty if the stock is not counted. */
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
      /** @description Full text about the vendor. May contain HTML. */
      bio: string;
      /** @description Full URL of the logo. */
      logo: string;
      /** @description How the vendor ships. May be blank or null. */
      shipping_info: string | null;
      /** @description The vendor's returns policy. May be blank or null. */
      returns_info: string | null;
    };
    /**
     * ShippingDetails
     * @description Weight and size of a parcel, as text. Empty if unknown.
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
      /** @description Id and number of the order. */
      order_data: components["schemas"]["PlacedOrderData"];
      /** @description The costs of the order. */
      order_totals: components["schemas"]["PlacedTotals"];
    };
    /**
     * PlacedOrderData
     * @description Id and number of a placed order.
     */
    PlacedOrderData: {
      /**
       * Format: int64
       * @description Identifies the order, also in GET /api/order.
       */
      order_id: number;
      /** @description Reference number for people: `GO-` and at least five digits. `GO-99999` is followed by `GO-100000`. */
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
      /** @description Our fee: a share of `subtotal` + `shipping_cost` (4 % unless agreed otherwise), rounded half up. */
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
      /** @description Id and number of the order. */
      order_data: components["schemas"]["PlacedOrderData"];
      /** @description The costs of the order. */
      order_totals: components["schemas"]["PlacedTotals"];
      /** @description One entry for each recipient, in the same order as in the request. */
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
       * @description Link to the page where the recipient accepts the gift. You send it. Anyone who has it can accept the gift.
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
      /** @description Reference number for people: `GO-` and at least five digits. `GO-99999` is followed by `GO-100000`. */
      order_number: string;
      /** @description When the order was placed: `YYYY-MM-DD HH:MM`, 24 hours, UTC. */
      order_date: string;
      /**
       * @description `created`: not paid yet. `paid`: paid. `failed`: the payment failed. `cancieled` (the interface's spelling): cancelled.
       * @enum {string}
       */
      order_status: "failed" | "created" | "paid" | "cancieled";
      /**
       * @description How the order was placed: `api-purchase` by POST /api/order, `api-giftlink` by POST /api/gift-link, the others on the store.
       * @enum {string}
       */
      gift_order_method: "email" | "direct" | "link" | "api-purchase" | "api-giftlink";
      /** @description How many times the link can be redeemed. Only if `gift_order_method` is `link`. */
      link_how_many_times?: number | null;
      /** @description The redemption URL. Only if `gift_order_method` is `link`. */
      link_url?: string | null;
      /** @description The message on the redemption page. Only if `gift_order_method` is `link`. */
      link_message?: string | null;
      /**
       * @description `Y` if recipients may choose another gift.
       * @enum {string}
       */
      gift_of_choice: "Y" | "N";
      /**
       * @description The branding of the order. `custom` is set on the store only.
       * @enum {string}
       */
      branding_selected: "platform" | "company" | "custom";
      /** @description The branding at the time when the order was placed. */
      branding_options: components["schemas"]["BrandingOptions"];
      /** @description The product that was ordered. It never changes. */
      product_offered: components["schemas"]["ChosenProduct"];
      /** @description The costs of the order. They never change. */
      order_totals: components["schemas"]["OrderTotals"];
      /**
       * @description The template of e-mails, set on the store only.
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
      /** @description Our fee: a share of `subtotal` + `shipping_cost` (4 % unless agreed otherwise), rounded half up. */
      order_fee: string;
      /** @description The exact sum of `subtotal`, `shipping_cost` and `order_fee`. */
      order_total: string;
    };
    /**
     * BrandingOptions
     * @description The branding of the gift pages. Paths begin with `/` and belong to the server that answered.
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
      /** @description Id of the variation, as text. Null for a `simple` product. */
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
      /** @description What this recipient gets. Differs from `product_offered` if the recipient chose another gift. */
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
      /** @description Message to this recipient. May be empty. */
      email_message: string;
      /** @description Where to deliver. After a redemption, the address that the recipient entered. */
      delivery_address: components["schemas"]["DeliveryAddress"];
      /** @description Telephone number, or `NA` if there is none. */
      phone_number: string;
      /** @description Notes for the delivery. */
      delivery_notes: string | null;
      /**
       * Format: uri
       * @description The recipient's gift link. Only if `gift_order_method` is `api-giftlink`.
       */
      gift_url?: string;
    };
    /**
     * DeliveryAddress
     * @description A delivery address. Unknown parts are null.
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
      /** @description Postal code. Not needed if the country has none. */
      postcode_zipcode: string | null;
      /** @description Country, as written on the parcel. */
      country: string | null;
    };
    /**
     * CreditBalance
     * @description A credit balance.
     */
    CreditBalance: {
      /** @description The balance. 0 if there is no account in this currency. */
      credit_balance: number;
      /** @description ISO 4217 code of the balance's currency. */
      currency: string;
      /** @description The balance as people read it, with the currency's symbol. */
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
      /** @description The reason in words. It may change: use `code` in programs. */
      message: string;
      /**
       * @description The reason, for programs. It does not change.
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
      /** @description Every field that breaks a rule. Only with `validation_error`. */
      errors?: components["schemas"]["FieldError"][];
    };
    /**
     * FieldError
     * @description A field that breaks a rule.
     */
    FieldError: {
      /** @description Path of one field, such as `recipient_details[0].email`. */
      field: string;
      /** @description The rule, to be read after the name of the field. */
      message: string;
    };
  };
  responses: {
    /** @description `unauthorized`: The three headers are not valid together: they are missing, wrong, revoked, or for the other environment. */
    unauthorized: {
      headers: {
        "X-Request-Id": components["headers"]["X-Request-Id"];
        "Cache-Control": components["headers"]["Cache-Control"];
        /** @description Names the three headers that a request needs. */
        "WWW-Authenticate": 'ApiKey realm="Regalo", headers="CLIENT-ID API-KEY API-PASSWORD"';
        [name: string]: unknown;
      };
      content: {
        "application/json": components["schemas"]["Error"];
      };
    };
    /** @description `forbidden`: Your client is suspended. Write to us. */
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
    /** @description `too_many_requests`: You have sent more requests than your limit. Wait for the seconds in `Retry-After`. */
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
    /** @description `internal_error`: An unexpected error on our side. Send the same request again: placing is safe to repeat. */
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
    /** @description `service_unavailable`: We cannot answer at the moment. Send the same request again after the seconds in `Retry-After`. */
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
    /** @description Identifies the request. Give it when you ask us about a response. */
    "X-Request-Id": string;
    /** @description Answers are for your client only. Shared caches must not store them. */
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
          /** @description Identifies this content of the page, for `If-None-Match`. */
          ETag: string;
          /** @description The answer depends on the encodings that the caller accepts. */
          Vary: "Accept-Encoding";
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["ProductList"];
        };
      };
      /** @description The page that you have is still the same. */
      304: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "Cache-Control": components["headers"]["Cache-Control"];
          /** @description Identifies this content of the page, for `If-None-Match`. */
          ETag: string;
          /** @description The answer depends on the encodings that the caller accepts. */
          Vary: "Accept-Encoding";
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description `validation_error`: A field is missing or breaks its rule. `errors` names each such field. Correct the request. */
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
       *     `validation_error`: A field is missing or breaks its rule. `errors` names each such field. Correct the request.
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
      /** @description `not_found`: You have no such product or order, or the path does not exist. */
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
         * @description Your own reference of the order, exactly as you sent it.
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
      /** @description `validation_error`: A field is missing or breaks its rule. `errors` names each such field. Correct the request. */
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
      /** @description `not_found`: You have no such product or order, or the path does not exist. */
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
          /** @description Set if an earlier request placed this order. The answer is the same as then. */
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
       *     `validation_error`: A field is missing or breaks its rule. `errors` names each such field. Correct the request.
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
      /** @description `insufficient_credit`: Your credit is less than the order's total. `message` has both amounts. Add credit and send the same request again. */
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
       * @description `out_of_stock`: The stock is less than the number of recipients. `message` says how much is left.
       *
       *     `order_ref_conflict`: `order_ref_id` was used for an order with different content, or at the other endpoint. Use a new one.
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
       *     `variation_not_found`: `variation_id` is not a variation of the product.
       *
       *     `variation_required`: The product is `variable`. Set `variation_id` to one of its variations.
       *
       *     `variation_not_allowed`: The product is `simple`. Leave `variation_id` out.
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
      /** @description The order is placed. */
      200: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "Cache-Control": components["headers"]["Cache-Control"];
          /** @description Set if an earlier request placed this order. The answer is the same as then. */
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
       *     `validation_error`: A field is missing or breaks its rule. `errors` names each such field. Correct the request.
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
      /** @description `insufficient_credit`: Your credit is less than the order's total. `message` has both amounts. Add credit and send the same request again. */
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
       * @description `out_of_stock`: The stock is less than the number of recipients. `message` says how much is left.
       *
       *     `order_ref_conflict`: `order_ref_id` was used for an order with different content, or at the other endpoint. Use a new one.
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
       *     `variation_not_found`: `variation_id` is not a variation of the product.
       *
       *     `variation_required`: The product is `variable`. Set `variation_id` to one of its variations.
       *
       *     `variation_not_allowed`: The product is `simple`. Leave `variation_id` out.
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
      /** @description `validation_error`: A field is missing or breaks its rule. `errors` names each such field. Correct the request. */
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
