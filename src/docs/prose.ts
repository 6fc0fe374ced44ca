// What the document says of every field: meaning, unit and rule, as far as the schema does not tell it.
import { REQUIRED_ADDRESS_FIELDS } from "../orders/pricing.ts";
import type { Prose } from "./schemas.ts";

const required = REQUIRED_ADDRESS_FIELDS.map((field) => `\`${field}\``).join(", ");

const addressInput = {
  address_line_1: "Street and number.",
  address_line_2: "Unit, floor or company.",
  suburb: "Suburb, town or city.",
  state: "State or region.",
  postcode_zipcode: "Postal code; not needed where the country has none.",
  country: "Country, as it should stand on the parcel.",
};

const recipientInput = {
  first_name: "First name.",
  last_name: "Last name.",
  email: "E-mail address.",
  phone_number: "Telephone number, in any notation.",
  delivery_address: "Where to deliver.",
};

const orderRequest = {
  order_ref_id:
    "Your own reference for this order. It makes placing safe to repeat: one reference is one order, for ever.",
  product_id: "The product to order: `product_id` of the catalogue.",
  variation_id:
    "The variation to order: `id` of one of the product's `variations`. Needed for a `variable` product, refused for a `simple` one.",
  currency: "ISO 4217 code of the order's currency. It must be the product's `price_currency`.",
  base_location:
    "Country of the order, as an ISO 3166-1 alpha-2 code. It must be among the product's `available_location`, unless that list is empty.",
  recipient_details: "One entry for each recipient; each gets one piece.",
};

const totals = {
  currency: "ISO 4217 code of all amounts here.",
  product_price: "Price of one piece.",
  qty: "Number of recipients.",
  subtotal: "`product_price` × `qty`.",
  shipping_cost: "The product's shipping cost × `qty`.",
  order_fee:
    "Your fee, a share of `subtotal` + `shipping_cost` (4 % unless agreed otherwise), rounded half up.",
  order_total: "The exact sum of `subtotal`, `shipping_cost` and `order_fee`.",
};

const product = {
  product_id: "Identifies the product; used as `product_id` when ordering.",
  product_sku: "SKU; may be empty.",
  product_name: "Full name.",
  product_description:
    "Full description; may contain HTML and line breaks. Sanitise it before showing it.",
  product_short_description: "Short description; may be empty.",
  digital_physical: "Whether the product is sent by post or by e-mail.",
  track_inventory: "Whether stock is counted.",
  stock_status:
    "Whether the product can be ordered. Stock may change between this answer and your order.",
  stock_qty:
    "Pieces in stock over all variations, as text; empty where the product, or a variation in stock, is not counted.",
  featured_image: "Full URL of the main image.",
  additional_images: "Full URLs of further images; may be empty.",
  product_vendor: "Who makes or sells the product.",
  shipping_cost: "Cost of shipping one piece, in the product's currency.",
  shipping_details: "Weight and size of one parcel.",
  available_location:
    "ISO 3166-1 alpha-2 codes of the countries where the product is available; empty means everywhere.",
};

const placedOrder = {
  status: "Always `success`.",
  order_data: "What the order is called.",
  order_totals: "What the order costs.",
};

const chosenProduct = {
  product_id: "Id of the product, as text.",
  variation_id: "Id of the variation, as text; null for a `simple` product.",
};

export const PROSE: Prose = {
  OrderRequest: { _: "An order to deliver. Unknown fields are ignored.", ...orderRequest },
  RecipientInput: {
    _: "Who receives the product.",
    ...recipientInput,
    delivery_address: `Where to deliver. Needed with ${required} for a \`physical\` product.`,
  },
  AddressInput: {
    _: "A delivery address.",
    ...addressInput,
    country:
      "Country, as it should stand on the parcel. An ISO 3166-1 alpha-2 code in any case, or a country's name in English (`Germany`, `United States`, `USA`, `U.K.`), must be among the product's `available_location`, unless that list is empty. Other text is not checked.",
  },
  GiftLinkRequest: {
    _: "A gifting order: every recipient gets a link. Unknown fields are ignored.",
    ...orderRequest,
    gift_of_choice: "Whether the recipient may pick a different gift.",
    order_branding:
      "How the gift page looks. `company` needs a company branding in your company profile.",
  },
  GiftLinkRecipientInput: {
    _: "Who gets a gift link.",
    ...recipientInput,
    delivery_address: "Where to deliver, if you know it; recipients can give it themselves.",
    redemption_message: "Message to this recipient.",
  },

  ProductList: {
    _: "A page of products, in ascending order of `product_id`.",
    total_products: "Products in your whole catalogue, whatever the filter.",
    total_products_in_query: "Products in this answer.",
    current_page: "Number of this page.",
    total_pages: "Pages of the filtered list, at least 1. A page past the end is empty.",
    products: "The products of this page.",
  },
  Product: { _: "A product: `simple` with a price, or `variable` with variations." },
  SimpleProduct: {
    _: "A product with one price.",
    ...product,
    product_type: "Always `simple`.",
    price: "Price of one piece: a decimal number as text.",
    price_currency: "ISO 4217 code of the price's currency; orders must name it.",
  },
  VariableProduct: {
    _: "A product that comes in variations, each with a price and stock of its own.",
    ...product,
    product_type: "Always `variable`.",
    attributes: "In what the variations differ.",
    variations: "What can be ordered.",
  },
  Attribute: {
    _: "Something in which variations differ, such as a size.",
    id: "Identifies the attribute.",
    name: "Name of the attribute.",
    option: "The options there are.",
  },
  Variation: {
    _: "One combination of options.",
    id: "Identifies the variation; used as `variation_id` when ordering.",
    sku: "SKU of the variation; may be empty.",
    price: "Price of one piece: a decimal number as text.",
    price_currency: "ISO 4217 code of the price's currency, the same for all variations.",
    variation_qty: "Pieces in stock, as text; empty where stock is not counted.",
    variation_stock_status: "Whether this variation can be ordered.",
    options: "One option for each attribute.",
  },
  VariationOption: {
    _: "The option of one attribute.",
    id: "The attribute's `id`.",
    name: "The attribute's name.",
    option: "The option.",
  },
  Vendor: {
    _: "A vendor.",
    name: "Name.",
    bio: "Full text about the vendor; may contain HTML.",
    logo: "Full URL of the logo.",
    shipping_info: "How the vendor ships; may be blank or null.",
    returns_info: "The vendor's returns policy; may be blank or null.",
  },
  ShippingDetails: {
    _: "A parcel. Numbers as text; empty where unknown.",
    weight: "Weight in kg.",
    length: "Length in cm.",
    width: "Width in cm.",
    height: "Height in cm.",
  },

  PlacedOrder: { _: "A placed order. Ids and amounts are numbers here.", ...placedOrder },
  PlacedOrderData: {
    _: "What a placed order is called.",
    order_id: "Identifies the order; GET /api/order takes it.",
    order_number:
      "Reference number for people: `GO-` and at least five digits. Numbers go on growing: `GO-99999` is followed by `GO-100000`.",
  },
  PlacedTotals: { _: "Totals as numbers with at most two decimals.", ...totals },
  PlacedGiftLinks: {
    _: "A placed gifting order with one link for each recipient.",
    ...placedOrder,
    recipient_return: "One entry for each recipient, in the order of the request.",
  },
  GiftLink: {
    _: "A recipient's gift link.",
    suborder_id: "Identifies the recipient's part of the order.",
    suborder_number: "The order's number, a hyphen and the recipient's position.",
    first_name: "First name as given.",
    last_name: "Last name as given.",
    email: "E-mail address as given.",
    gift_url:
      "Where the recipient redeems the gift. Whoever has it can redeem it: treat it as a secret.",
  },

  Order: {
    _: "An order. Ids and amounts are text here, unlike in the answers of placements.",
    order_id: "Identifies the order, as text.",
    order_number:
      "Reference number for people: `GO-` and at least five digits. Numbers go on growing: `GO-99999` is followed by `GO-100000`.",
    order_date: "When it was placed: `YYYY-MM-DD HH:MM`, 24 hours, UTC.",
    order_status:
      "`created` waits for payment, `paid` is paid, `failed` was not paid; `cancieled` (spelled so) was cancelled.",
    gift_order_method:
      "How it was placed: `api-purchase` by POST /api/order, `api-giftlink` by POST /api/gift-link, all others on the store.",
    link_how_many_times:
      "How often the link can be redeemed; only when `gift_order_method` is `link`.",
    link_url: "The redemption URL; only when `gift_order_method` is `link`.",
    link_message: "The message on the redemption page; only when `gift_order_method` is `link`.",
    gift_of_choice: "Whether recipients may pick a different gift.",
    branding_selected: "Whose branding it carries; `custom` is set on the store only.",
    branding_options: "The branding as it was when the order was placed.",
    product_offered: "What was ordered.",
    order_totals: "What it cost.",
    email_template: "The e-mail's template; set on the store only.",
    recipients: "One sub-order for each recipient.",
  },
  OrderTotals: { _: "Totals as text, amounts with two decimals.", ...totals },
  BrandingOptions: {
    _: "How the order's pages look.",
    branding_logo: "Path or URL of the logo.",
    branding_claim_logo: "Path or URL of the logo on the gift page.",
    primary_color: "Hex colour.",
    secondary_color: "Hex colour.",
  },
  ChosenProduct: { _: "A product, and a variation of it.", ...chosenProduct },
  SubOrder: {
    _: "One recipient's part of an order.",
    suborder_id: "Identifies the sub-order.",
    suborder_number: "The order's number, a hyphen and the recipient's position.",
    recipient_details: "Who receives it.",
    redemption_status:
      "Null until the recipient redeems, then `redeemed`. `cancelled` when the order was cancelled or failed before that.",
    product_selected: "What this recipient gets; differs from `product_offered` after a choice.",
  },
  RecipientDetails: {
    _: "A recipient.",
    name: "First and last name.",
    email: "E-mail address.",
    email_message: "Message to this recipient; may be empty.",
    delivery_address: "Where it goes.",
    phone_number: "Telephone number; `NA` where there is none.",
    delivery_notes: "Notes for the delivery.",
    gift_url: "The recipient's gift link; only when `gift_order_method` is `api-giftlink`.",
  },
  DeliveryAddress: { _: "A delivery address; what is not known is null.", ...addressInput },

  CreditBalance: {
    _: "A credit balance.",
    credit_balance: "The balance; 0 where there is no account.",
    currency: "ISO 4217 code of the balance's currency.",
    credit_balance_formatted: "The balance for people, with the currency's symbol.",
  },
  Error: {
    _: "Every error has this body.",
    status: "Always `error`.",
    message: "The reason, a sentence for people: it may change. Decide by `code`.",
    code: "The reason, for programs: it stays.",
    errors: "Every field at fault; only with `validation_error`.",
  },
  FieldError: {
    _: "A field at fault.",
    field: "Path of the field, such as `recipient_details[0].email`.",
    message: "The rule it breaks; reads on after the field's name.",
  },
};
