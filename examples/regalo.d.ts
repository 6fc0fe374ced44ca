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
     * @description Returns a page of your catalogue in ascending order of `product_id`. A page may be up
     *     to a minute old, or up to 5 minutes if our database cannot be reached. This includes 304 responses. The stock in the
     *     list may therefore have changed. It is checked when you order. A newly published catalogue is listed within a minute.
     *     Responses are compressed with gzip if the request accepts it.
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
     * @description Returns one product of your catalogue, with its current stock.
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
     *     This request is idempotent. If you send it again, at any time, you get the same response, and no second
     *     order is placed. It is safe to repeat the request after a timeout. A refused request does not use up its
     *     `order_ref_id`.
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
     * @description Orders one piece of a product for each recipient, and returns one redemption link for each of
     *     them. You send the links. Delivery addresses are optional, because recipients enter theirs when they accept the gift.
     *
     *     This request is idempotent. If you send it again, at any time, you get the same response, and no second
     *     order is placed. It is safe to repeat the request after a timeout. A refused request does not use up its
     *     `order_ref_id`.
     */
    post: operations["placeGiftLinks"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/events": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List events
     * @description Returns your events after a position, in ascending order of `sequence`. Your first event has the
     *     sequence 1, and the sequences have no gaps. Store `next_after` with the events, and send it as `after` in the next
     *     request. If you read the feed this way, you get every event exactly once. Events are kept without a time limit, and they
     *     contain no personal data.
     *
     *     If `after` is greater than the sequence of your last event, the response is a `validation_error`. Then our database
     *     has been restored from a backup: see [Stay in sync](#stay-in-sync).
     */
    get: operations["listEvents"];
    put?: never;
    post?: never;
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
     * @description Returns your current credit in one currency.
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
      /** @description Your own reference for this order, compared exactly. It works as an idempotency key that does not expire: the same request never places a second order. */
      order_ref_id: string;
      /**
       * Format: int64
       * @description The product to order: `product_id` of the catalogue.
       */
      product_id: number;
      /** @description The variation to order: `id` of one of the product's `variations`. Required for a `variable` product, refused for a `simple` one. */
      variation_id?: number | null;
      /** @description ISO 4217 code of the order's currency. It must be the `price_currency` of the product. */
      currency: string;
      /** @description Country of the order, as an ISO 3166-1 alpha-2 code. It must be in the product's `available_location`, unless that list is empty. */
      base_location: string;
      /** @description One entry for each recipient. Each recipient gets one piece. */
      recipient_details: components["schemas"]["RecipientInput"][];
    };
    /**
     * RecipientInput
     * @description A recipient of the product.
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
      /** @description Telephone number, in any format. */
      phone_number?: string | null;
      /** @description Delivery address. Required for a `physical` product, with `address_line_1`, `suburb`, `postcode_zipcode`, `country`. */
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
      /** @description Postal code. Not needed if the country has no postal codes. */
      postcode_zipcode?: string | null;
      /** @description Country, as written on the parcel. If it is an ISO 3166-1 alpha-2 code, in upper or lower case, or the English name of a country (`Germany`, `United States`, `USA`, `U.K.`), that country must be in the product's `available_location`, unless that list is empty. Other text is not checked. */
      country?: string | null;
    };
    /**
     * GiftLinkRequest
     * @description An order of gifts, with a link for each recipient. Unknown fields are ignored.
     */
    GiftLinkRequest: {
      /** @description Your own reference for this order, compared exactly. It works as an idempotency key that does not expire: the same request never places a second order. */
      order_ref_id: string;
      /**
       * Format: int64
       * @description The product to order: `product_id` of the catalogue.
       */
      product_id: number;
      /** @description The variation to order: `id` of one of the product's `variations`. Required for a `variable` product, refused for a `simple` one. */
      variation_id?: number | null;
      /** @description ISO 4217 code of the order's currency. It must be the `price_currency` of the product. */
      currency: string;
      /** @description Country of the order, as an ISO 3166-1 alpha-2 code. It must be in the product's `available_location`, unless that list is empty. */
      base_location: string;
      /** @description One entry for each recipient. Each recipient gets one piece. */
      recipient_details: components["schemas"]["GiftLinkRecipientInput"][];
      /**
       * @description `Y` if the recipient may choose another gift.
       * @default N
       */
      gift_of_choice?: ("Y" | "N") | null;
      /**
       * @description Branding of the gift page. `company` requires a branding in your company profile.
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
      /** @description Telephone number, in any format. */
      phone_number?: string | null;
      /** @description Delivery address, if you have it. The recipient sees it on the gift page and can change it. */
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
       * @description Number of products in your whole catalogue. The filter does not apply.
       */
      total_products: number;
      /**
       * Format: int64
       * @description Number of products in this response.
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
      /** @description Full description. May contain HTML and line breaks. Sanitise it before you show it. */
      product_description: string;
      /** @description Short description. May be empty. */
      product_short_description: string;
      /**
       * @description Always `simple`. (enum property replaced by openapi-typescript)
       * @enum {string}
       */
      product_type: "simple";
      /**
       * @description `physical` products are sent to an address. `digital` products need no address.
       * @enum {string}
       */
      digital_physical: "physical" | "digital";
      /**
       * @description `Y` if the stock is counted, `N` if it is not.
       * @enum {string}
       */
      track_inventory: "Y" | "N";
      /**
       * @description Whether the product can be ordered. It may change between this response and your order.
       * @enum {string}
       */
      stock_status: "in_stock" | "out_of_stock";
      /** @description Pieces in stock, summed over all variations, as a string. Empty if the stock of the product, or of a variation in stock, is not counted. */
      stock_qty: string;
      /** @description Full URL of the main image. */
      featured_image: string;
      /** @description Full URLs of more images. May be empty. */
      additional_images: string[];
      /** @description The company that makes or sells the product. */
      product_vendor: components["schemas"]["Vendor"];
      /** @description Cost of shipping one piece, in the product's currency. */
      shipping_cost: number;
      /** @description Weight and size of one parcel. */
      shipping_details: components["schemas"]["ShippingDetails"];
      /** @description ISO 3166-1 alpha-2 codes of the countries where the product is available. Empty means everywhere. */
      available_location: string[];
      /** @description Price of one piece: a decimal number, as a string. */
      price: string;
      /** @description ISO 4217 code of the price's currency. Orders of the product must use it. */
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
      /** @description Full description. May contain HTML and line breaks. Sanitise it before you show it. */
      product_description: string;
      /** @description Short description. May be empty. */
      product_short_description: string;
      /**
       * @description Always `variable`. (enum property replaced by openapi-typescript)
       * @enum {string}
       */
      product_type: "variable";
      /**
       * @description `physical` products are sent to an address. `digital` products need no address.
       * @enum {string}
       */
      digital_physical: "physical" | "digital";
      /**
       * @description `Y` if the stock is counted, `N` if it is not.
       * @enum {string}
       */
      track_inventory: "Y" | "N";
      /**
       * @description Whether the product can be ordered. It may change between this response and your order.
       * @enum {string}
       */
      stock_status: "in_stock" | "out_of_stock";
      /** @description Pieces in stock, summed over all variations, as a string. Empty if the stock of the product, or of a variation in stock, is not counted. */
      stock_qty: string;
      /** @description Full URL of the main image. */
      featured_image: string;
      /** @description Full URLs of more images. May be empty. */
      additional_images: string[];
      /** @description The company that makes or sells the product. */
      product_vendor: components["schemas"]["Vendor"];
      /** @description Cost of shipping one piece, in the product's currency. */
      shipping_cost: number;
      /** @description Weight and size of one parcel. */
      shipping_details: components["schemas"]["ShippingDetails"];
      /** @description ISO 3166-1 alpha-2 codes of the countries where the product is available. Empty means everywhere. */
      available_location: string[];
      /** @description The attributes in which the variations differ, such as size and colour. */
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
      /** @description Price of one piece: a decimal number, as a string. */
      price: string;
      /** @description ISO 4217 code of the price's currency. All variations have the same. */
      price_currency: string;
      /** @description Pieces in stock, as a string. Empty if the stock is not counted. */
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
      /** @description How the vendor ships its products. May be blank or null. */
      shipping_info: string | null;
      /** @description The vendor's returns policy. May be blank or null. */
      returns_info: string | null;
    };
    /**
     * ShippingDetails
     * @description Weight and size of a parcel, as strings. Unknown values are empty.
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
       * @description Identifies the order. Use it as `order_id` in GET /api/order.
       */
      order_id: number;
      /** @description Order number for people: `GO-` and at least five digits. The number after `GO-99999` is `GO-100000`. */
      order_number: string;
    };
    /**
     * PlacedTotals
     * @description Totals as numbers. Amounts have at most two decimal places.
     */
    PlacedTotals: {
      /** @description ISO 4217 code of the currency of all amounts in this object. */
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
     * @description A placed gift-link order with one link for each recipient.
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
      /** @description First name, as in the request. */
      first_name: string;
      /** @description Last name, as in the request. */
      last_name: string;
      /** @description E-mail address, as in the request. */
      email: string;
      /**
       * Format: uri
       * @description Link to the page where the recipient accepts the gift. You send it to the recipient. Anyone who has the link can accept the gift.
       */
      gift_url: string;
    };
    /**
     * Order
     * @description An order. Ids and amounts are strings here. In the responses of POST /api/order and POST /api/gift-link they are numbers.
     */
    Order: {
      /** @description Identifies the order, as a string. */
      order_id: string;
      /** @description Order number for people: `GO-` and at least five digits. The number after `GO-99999` is `GO-100000`. */
      order_number: string;
      /** @description When the order was placed: `YYYY-MM-DD HH:MM`, 24 hours, UTC. */
      order_date: string;
      /**
       * @description `created`: not paid yet. `paid`: paid. `failed`: the payment failed. `cancieled` (the API uses this spelling): cancelled.
       * @enum {string}
       */
      order_status: "failed" | "created" | "paid" | "cancieled";
      /**
       * @description How the order was placed: `api-purchase` by POST /api/order, `api-giftlink` by POST /api/gift-link, all others in Regalo's online store.
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
       * @description The branding of the order. `custom` can only be set in Regalo's online store.
       * @enum {string}
       */
      branding_selected: "platform" | "company" | "custom";
      /** @description The branding when the order was placed. */
      branding_options: components["schemas"]["BrandingOptions"];
      /** @description The product that was ordered. It never changes. */
      product_offered: components["schemas"]["ChosenProduct"];
      /** @description The costs of the order. They never change. */
      order_totals: components["schemas"]["OrderTotals"];
      /**
       * @description The template of the order's e-mails. It can only be set in Regalo's online store.
       * @enum {string}
       */
      email_template: "celebration" | "generic" | "sympathy" | "christmas";
      /** @description One sub-order for each recipient. */
      recipients: components["schemas"]["SubOrder"][];
    };
    /**
     * OrderTotals
     * @description Totals as strings. Amounts have exactly two decimal places.
     */
    OrderTotals: {
      /** @description ISO 4217 code of the currency of all amounts in this object. */
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
     * @description The branding of the gift pages. Paths begin with `/` and are relative to the server that you called.
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
      /** @description Id of the product, as a string. */
      product_id: string;
      /** @description Id of the variation, as a string. Null for a `simple` product. */
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
      /** @description The recipient. */
      recipient_details: components["schemas"]["RecipientDetails"];
      /** @description Null until the recipient accepts the gift, then `redeemed`. `cancelled` if the order failed or was cancelled before that. */
      redemption_status: ("redeemed" | "cancelled") | null;
      /** @description The product that this recipient gets. It differs from `product_offered` if the recipient chose another gift. */
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
      /** @description Delivery address. After a redemption, the address that the recipient entered. */
      delivery_address: components["schemas"]["DeliveryAddress"];
      /** @description Telephone number. `NA` if there is none. */
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
     * @description A delivery address. Unknown fields are null.
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
      /** @description Postal code. Not needed if the country has no postal codes. */
      postcode_zipcode: string | null;
      /** @description Country, as written on the parcel. */
      country: string | null;
    };
    /**
     * EventList
     * @description Events in ascending order of `sequence`.
     */
    EventList: {
      /**
       * @description Always `success`.
       * @enum {string}
       */
      status: "success";
      /** @description The events. Empty if there are none after the position. */
      events: components["schemas"]["Event"][];
      /**
       * Format: int64
       * @description The position after these events. Send it as `after` in the next request. If the list is empty, it is the `after` of this request.
       */
      next_after: number;
      /** @description True if there are more events after these. Then read the next page at once. */
      has_more: boolean;
    };
    /**
     * Event
     * @description Something that happened to one of your orders, gifts or credit accounts. An event never changes.
     */
    Event: {
      /**
       * Format: int64
       * @description The event's position in your feed. Your first event has 1, the next one 2, and so on, without gaps. 0 if `type` is `webhook.test`, because that event is not in the feed.
       */
      sequence: number;
      /**
       * @description What happened. `order.created`: an order was placed and is not paid yet. `order.paid`: an order was placed and paid with your credit, or a created order was paid. `order.failed`: the payment failed. `order.cancelled`: the order was cancelled. `gift.redeemed`: a recipient accepted a gift. `credit.low`: your credit is below the amount of the alert. `webhook.test`: a test of a webhook, which is not in the feed.
       * @enum {string}
       */
      type:
        | "order.created"
        | "order.paid"
        | "order.failed"
        | "order.cancelled"
        | "gift.redeemed"
        | "credit.low"
        | "webhook.test";
      /**
       * Format: date-time
       * @description When it happened, in UTC.
       */
      created_at: string;
      /** @description The order. Null if the event is not about an order. */
      order_id: number | null;
      /** @description Your own reference of the order. Null if the event is not about an order. */
      order_ref_id: string | null;
      /** @description The sub-order. Null if the event is not about one gift. */
      suborder_id: number | null;
      /** @description Details. `type` determines which of its fields are present. */
      data: components["schemas"]["EventData"];
    };
    /**
     * EventData
     * @description Details of an event. Amounts are strings with exactly two decimal places.
     */
    EventData: {
      /**
       * @description The order's status after the event. Only in events `order.*`.
       * @enum {string}
       */
      order_status?: "failed" | "created" | "paid" | "cancieled";
      /**
       * Format: int64
       * @description Number of recipients of the order. Only in events `order.*`.
       */
      recipient_count?: number;
      /** @description ISO 4217 code of the currency of all amounts. In events `order.*` and `credit.low`. */
      currency?: string;
      /** @description The order's total. Only in events `order.*`. */
      order_total?: string;
      /**
       * Format: int64
       * @description Number of gifts that were cancelled. Only in `order.failed` and `order.cancelled`.
       */
      cancelled_count?: number;
      /** @description The amount that was returned to your credit. Only in `order.failed` and `order.cancelled`. */
      refund?: string;
      /**
       * @description The sub-order's status after the event. Only in `gift.redeemed`.
       * @enum {string}
       */
      redemption_status?: "redeemed";
      /**
       * Format: int64
       * @description The product that the recipient gets. Only in `gift.redeemed`.
       */
      product_id?: number;
      /** @description The variation that the recipient gets. Null for a `simple` product. Only in `gift.redeemed`. */
      variation_id?: number | null;
      /** @description Your balance when the event was created. Only in `credit.low`. */
      credit_balance?: string;
      /** @description The amount of the alert. Only in `credit.low`. */
      alert_below?: string;
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
      /** @description The balance formatted for people, with the currency's symbol. */
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
      /** @description The reason, for people. The text may change: use `code` in programs. */
      message: string;
      /**
       * @description The reason, for programs. Codes do not change.
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
      /** @description All invalid fields. Only if `code` is `validation_error`. */
      errors?: components["schemas"]["FieldError"][];
    };
    /**
     * FieldError
     * @description An invalid field.
     */
    FieldError: {
      /** @description Path of the field, such as `recipient_details[0].email`. */
      field: string;
      /** @description The rule that the value breaks, such as `must be an e-mail address`. */
      message: string;
    };
  };
  responses: {
    /** @description `unauthorized`: The credentials in the three headers are missing, wrong, revoked, or for the other environment. */
    unauthorized: {
      headers: {
        "X-Request-Id": components["headers"]["X-Request-Id"];
        "Cache-Control": components["headers"]["Cache-Control"];
        "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
        /** @description Names the three headers that every request needs. */
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
        "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
        [name: string]: unknown;
      };
      content: {
        "application/json": components["schemas"]["Error"];
      };
    };
    /** @description `too_many_requests`: You have sent more requests than your limit allows. Wait for the number of seconds in `Retry-After`. */
    too_many_requests: {
      headers: {
        "X-Request-Id": components["headers"]["X-Request-Id"];
        "Cache-Control": components["headers"]["Cache-Control"];
        "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
        /** @description No request is left in this minute. Not set if the limit of your network was reached, which counts requests with new or invalid credentials. */
        RateLimit?: '"client";r=0';
        /** @description Seconds to wait. */
        "Retry-After": string;
        [name: string]: unknown;
      };
      content: {
        "application/json": components["schemas"]["Error"];
      };
    };
    /** @description `internal_error`: An unexpected error on our side. Send the same request again: all requests are idempotent. */
    internal_error: {
      headers: {
        "X-Request-Id": components["headers"]["X-Request-Id"];
        "Cache-Control": components["headers"]["Cache-Control"];
        "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
        [name: string]: unknown;
      };
      content: {
        "application/json": components["schemas"]["Error"];
      };
    };
    /** @description `service_unavailable`: The service is temporarily unavailable. Send the same request again after the number of seconds in `Retry-After`. */
    service_unavailable: {
      headers: {
        "X-Request-Id": components["headers"]["X-Request-Id"];
        "Cache-Control": components["headers"]["Cache-Control"];
        "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
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
    /** @description Identifies the request. Include it when you write to us about a response. */
    "X-Request-Id": string;
    /** @description Responses are for your client only. Shared caches must not store them. */
    "Cache-Control": "private, no-store" | "private, no-cache";
    /** @description Your rate limit: `q` requests in `w` seconds. Set on every response to a request with valid credentials. The number of remaining requests is not available. */
    "RateLimit-Policy": string;
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
         * @description Only products of this type. All products if the parameter is left out or blank.
         * @example physical
         */
        product_type?: "physical" | "digital";
      };
      header?: {
        /**
         * @description The `ETag` of a page that you have. If the page has not changed, the response is 304.
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
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          /** @description Identifies the content of this page. Use it in `If-None-Match`. */
          ETag: string;
          /** @description The response depends on the encodings that the request accepts. */
          Vary: "Accept-Encoding";
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["ProductList"];
        };
      };
      /** @description The page that you have has not changed. */
      304: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "Cache-Control": components["headers"]["Cache-Control"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          /** @description Identifies the content of this page. Use it in `If-None-Match`. */
          ETag: string;
          /** @description The response depends on the encodings that the request accepts. */
          Vary: "Accept-Encoding";
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description `validation_error`: One or more fields are missing or invalid. `errors` lists all of them. Correct the request. */
      400: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "Cache-Control": components["headers"]["Cache-Control"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
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
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Product"];
        };
      };
      /**
       * @description `product_id_required`: `product_id` is missing. It is checked before all other fields.
       *
       *     `validation_error`: One or more fields are missing or invalid. `errors` lists all of them. Correct the request.
       */
      400: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "Cache-Control": components["headers"]["Cache-Control"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
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
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
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
         * @description Your own reference for the order, exactly as you sent it.
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
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Order"];
        };
      };
      /** @description `validation_error`: One or more fields are missing or invalid. `errors` lists all of them. Correct the request. */
      400: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "Cache-Control": components["headers"]["Cache-Control"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
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
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
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
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          /** @description Set if an earlier request placed this order. The response is the same as to that request. */
          "Idempotent-Replayed"?: "true";
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["PlacedOrder"];
        };
      };
      /**
       * @description `invalid_json`: The body is not a JSON object.
       *
       *     `product_id_required`: `product_id` is missing. It is checked before all other fields.
       *
       *     `validation_error`: One or more fields are missing or invalid. `errors` lists all of them. Correct the request.
       */
      400: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "Cache-Control": components["headers"]["Cache-Control"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      401: components["responses"]["unauthorized"];
      /** @description `insufficient_credit`: Your credit is less than the order's total. `message` contains both amounts. Add credit and send the same request again. */
      402: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "Cache-Control": components["headers"]["Cache-Control"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      403: components["responses"]["forbidden"];
      /**
       * @description `out_of_stock`: The stock is less than the number of recipients. `message` contains the remaining stock.
       *
       *     `order_ref_conflict`: `order_ref_id` was already used for an order with different content, or at the other endpoint. Use a new `order_ref_id`.
       */
      409: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "Cache-Control": components["headers"]["Cache-Control"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
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
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
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
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
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
       *     `variation_not_allowed`: The product is `simple`. Leave out `variation_id`.
       *
       *     `currency_not_available`: `currency` is not the `price_currency` of the product.
       *
       *     `location_not_available`: `base_location` is not in the product's `available_location`.
       */
      422: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "Cache-Control": components["headers"]["Cache-Control"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
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
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          /** @description Set if an earlier request placed this order. The response is the same as to that request. */
          "Idempotent-Replayed"?: "true";
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["PlacedGiftLinks"];
        };
      };
      /**
       * @description `invalid_json`: The body is not a JSON object.
       *
       *     `product_id_required`: `product_id` is missing. It is checked before all other fields.
       *
       *     `validation_error`: One or more fields are missing or invalid. `errors` lists all of them. Correct the request.
       */
      400: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "Cache-Control": components["headers"]["Cache-Control"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      401: components["responses"]["unauthorized"];
      /** @description `insufficient_credit`: Your credit is less than the order's total. `message` contains both amounts. Add credit and send the same request again. */
      402: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "Cache-Control": components["headers"]["Cache-Control"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      403: components["responses"]["forbidden"];
      /**
       * @description `out_of_stock`: The stock is less than the number of recipients. `message` contains the remaining stock.
       *
       *     `order_ref_conflict`: `order_ref_id` was already used for an order with different content, or at the other endpoint. Use a new `order_ref_id`.
       */
      409: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "Cache-Control": components["headers"]["Cache-Control"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
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
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
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
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
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
       *     `variation_not_allowed`: The product is `simple`. Leave out `variation_id`.
       *
       *     `currency_not_available`: `currency` is not the `price_currency` of the product.
       *
       *     `location_not_available`: `base_location` is not in the product's `available_location`.
       *
       *     `branding_not_available`: `order_branding` is `company`, but your company profile has no branding.
       */
      422: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "Cache-Control": components["headers"]["Cache-Control"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
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
  listEvents: {
    parameters: {
      query?: {
        /**
         * @description The `sequence` of the last event that you have. The default, 0, is the beginning of the feed.
         * @example 0
         */
        after?: number;
        /**
         * @description Maximum number of events in the response, at most 500.
         * @example 100
         */
        limit?: number;
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
      /** @description The events after the position. The list is empty if there are none yet. */
      200: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "Cache-Control": components["headers"]["Cache-Control"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["EventList"];
        };
      };
      /** @description `validation_error`: One or more fields are missing or invalid. `errors` lists all of them. Correct the request. */
      400: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "Cache-Control": components["headers"]["Cache-Control"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
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
  getCreditBalance: {
    parameters: {
      query?: {
        /**
         * @description ISO 4217 code. If it is left out, the currency is the default currency of your client.
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
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["CreditBalance"];
        };
      };
      /** @description `validation_error`: One or more fields are missing or invalid. `errors` lists all of them. Correct the request. */
      400: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "Cache-Control": components["headers"]["Cache-Control"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
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
