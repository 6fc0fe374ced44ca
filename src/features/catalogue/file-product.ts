// The products of a catalogue file. Their format is that of the API's responses, so that the product list of one
// deployment can be published on another.
import * as z from "zod/mini";
import { component, field } from "../../core/validation/described.ts";
import { decimalsOf, type Currency } from "../../core/values/iso.ts";
import { languageOf } from "../../core/values/language-tag.ts";
import { amountRule, formatAmount, MAX_UNIT_MINOR, parseAmount } from "../../core/values/money.ts";
import { normalName } from "../../core/values/name.ts";
import { withoutInvisible } from "../../core/values/plain-text.ts";
import { lazy } from "../../core/lazy.ts";
import {
  countryCode,
  currencyCode,
  idField,
  imageUrl,
  requiredText,
  shownImageUrl,
  textField,
} from "../../core/validation/fields.ts";
import type { DigitalDelivery, ProductWithStock, StockLevel, Translation } from "./product.ts";

/** The rule of its currency is checked with the product. */
const price = () => z.string().register(z.globalRegistry, { pattern: "^\\d{1,11}(\\.\\d{2,4})?$" });
const quantity = () =>
  z.string().check(z.regex(/^\d{0,9}$/, "must be a whole number as text, or empty"));
const stockStatus = () => z.enum(["in_stock", "out_of_stock"]);

/** The minor units of the price in messages, which is "110.00" with two decimals. */
const MINOR_EXAMPLE = 11_000;

/** The maximum number of variations of a product. */
export const MAX_VARIATIONS = 500;

/**
 * The maximum size of a product's JSON. It is enough for a long text or 500 variations, and far below D1's limit of 2
 * MB for a row, which the local database does not enforce.
 */
const MAX_PRODUCT_BYTES = 250_000;

/** The maximum size of the JSON of its translations. A page of other gifts reads those of up to 96 products. */
const MAX_TRANSLATIONS_BYTES = 100_000;

const encoder = new TextEncoder();
const bytesOf = (value: unknown) => encoder.encode(JSON.stringify(value)).length;

const VariationOption = component("VariationOption", () => ({
  _: "The option of one attribute.",
  id: field`${idField()} The attribute's \`id\`.`,
  name: field`${requiredText(200)} The attribute's name.`,
  option: field`${requiredText(200)} The option.`,
}));

const FileVariation = component("Variation", () => ({
  _: "One combination of options.",
  id: field`${idField()} Identifies the variation. Use it as \`variation_id\` in orders.`,
  sku: field`${textField(200, withoutInvisible)} SKU of the variation. May be empty.`,
  price: field`${price()} Price of one piece: a decimal number, as a string.`,
  price_currency: field`${currencyCode()} ISO 4217 code of the price's currency. All variations have the same.`,
  variation_qty: field`${quantity()} Pieces in stock, as a string. Empty if the stock is not counted.`,
  variation_stock_status: field`${stockStatus()} Whether this variation can be ordered.`,
  options: field`${z.array(VariationOption()).check(z.minLength(1))} One option for each attribute.`,
}));

const FileTranslation = lazy(() =>
  z.pipe(
    z.strictObject({
      product_name: z.optional(requiredText(500)),
      product_description: z.optional(textField(50_000)),
      product_short_description: z.optional(textField(5_000)),
      redeem_instructions: z.optional(textField(20_000)),
      recipient_info: z.optional(textField(20_000)),
      product_vendor: z.optional(
        z.strictObject({
          bio: z.optional(textField(20_000)),
          shipping_info: z.optional(textField(20_000)),
          returns_info: z.optional(textField(20_000)),
        }),
      ),
      categories: z.optional(z.array(requiredText(500))),
      options: z.optional(z.record(z.string(), requiredText(200))),
    }),
    z.transform(
      ({ product_vendor: vendor, categories, options, ...texts }) =>
        ({
          name: texts.product_name,
          description: texts.product_description,
          shortDescription: texts.product_short_description,
          instructions: texts.redeem_instructions,
          recipientInfo: texts.recipient_info,
          bio: vendor?.bio,
          shippingInfo: vendor?.shipping_info,
          returnsInfo: vendor?.returns_info,
          categories,
          options,
        }) as Translation,
    ),
  ),
);

const Attribute = component("Attribute", () => ({
  _: "An attribute in which variations differ, such as a size.",
  id: field`${idField()} Identifies the attribute.`,
  name: field`${requiredText(200)} Name of the attribute.`,
  option: field`${z.array(requiredText(200))} All options of the attribute.`,
}));

const Vendor = component("Vendor", () => ({
  _: "A vendor.",
  name: field`${textField(200, normalName)} Name.`,
  bio: field`${textField(20_000)} Full text about the vendor. May contain HTML.`,
  logo: field`${shownImageUrl()} Full URL of the logo.`,
  shipping_info: field`${z.nullable(textField(20_000))} How the vendor ships its products. May be blank or null.`,
  returns_info: field`${z.nullable(textField(20_000))} The vendor's returns policy. May be blank or null.`,
}));

const ShippingDetails = component("ShippingDetails", () => ({
  _: "Weight and size of a parcel, as strings. Unknown values are empty.",
  weight: field`${textField(50)} Weight in kg.`,
  length: field`${textField(50)} Length in cm.`,
  width: field`${textField(50)} Width in cm.`,
  height: field`${textField(50)} Height in cm.`,
}));

const FileProductFields = lazy(() =>
  z.object({
    product_id: field`${idField()} Identifies the product. Use it as \`product_id\` in orders.`,
    product_sku: field`${textField(200, withoutInvisible)} SKU. May be empty.`,
    product_name: field`${requiredText(500)} Full name.`,
    product_description: field`${textField(50_000)} Full description. May contain HTML and line breaks. Sanitise it before you show it.`,
    product_short_description: field`${textField(5_000)} Short description. May be empty.`,
    product_type: z.enum(["simple", "variable"]),
    digital_physical: field`${z.enum(["physical", "digital"])} \`physical\` products are sent to an address. \`digital\` products need no address.`,
    // For digital products. Responses do not contain these four.
    digital_delivery: z.optional(z.enum(["code", "manual"])),
    code_valid_days: z.optional(z.int().check(z.minimum(0), z.maximum(3_650))),
    redeem_instructions: z.optional(textField(20_000)),
    barcode: z.optional(z.enum(["qr", "code128"])),
    price: z.optional(price()),
    price_currency: z.optional(currencyCode()),
    attributes: z.optional(z.array(Attribute())),
    variations: z.optional(z.array(FileVariation()).check(z.maxLength(MAX_VARIATIONS))),
    track_inventory: field`${z.enum(["Y", "N"])} \`Y\` if the stock is counted, \`N\` if it is not.`,
    stock_status: field`${stockStatus()} Whether the product can be ordered. It may change between this response and your order.`,
    stock_qty: field`${quantity()} Pieces in stock, summed over all variations, as a string. Empty if the stock of the product, or of a variation in stock, is not counted.`,
    featured_image: field`${imageUrl("is empty: the placeholder of the catalogue is the image of products that have none")} Full URL of the main image.`,
    additional_images: field`${z.array(imageUrl()).check(z.maxLength(50))} Full URLs of more images. May be empty.`,
    product_vendor: field`${Vendor()} The company that makes or sells the product.`,
    shipping_cost: field`${z.number().check(z.minimum(0), z.maximum(MAX_UNIT_MINOR))} Cost of shipping one piece, in the product's currency.`,
    shipping_details: field`${ShippingDetails()} Weight and size of one parcel.`,
    // For customs declarations. Responses do not contain these three.
    hs_code: z.optional(
      z
        .string()
        .check(z.regex(/^\d{4}(?:[. ]?\d\d){1,4}$/, "must be an HS code with 6 to 12 digits")),
    ),
    origin_country: z.optional(countryCode()),
    customs_value: z.optional(price()),
    // For statements. Responses do not contain it.
    tax_code: z.optional(requiredText(50)),
    available_location: field`${z.array(countryCode())} ISO 3166-1 alpha-2 codes of the countries where the product is available. Empty means everywhere.`,
    // For filters. Responses do not contain them.
    categories: z.optional(z.array(requiredText(500)).check(z.maxLength(50))),
    // For the recipient's page. Responses do not contain these two.
    delivery_days: z.optional(z.int().check(z.minimum(1), z.maximum(90))),
    recipient_info: z.optional(textField(20_000)),
    translations: z.optional(z.record(z.string(), FileTranslation())),
  }),
);
export type FileProduct = z.infer<ReturnType<typeof FileProductFields>>;

export const FileProduct = lazy(() =>
  FileProductFields().check(
    z.superRefine((product, context) => {
      const report: ReportFault = (field, message) => {
        context.addIssue({ code: "custom", path: [field].flat(), message, input: product });
      };
      checkSize({ ...product, translations: undefined }, report);
      checkTranslations(product, report);
      checkAmounts(product, report);
      checkDigital(product, report);
      if (product.product_type === "simple") checkSimpleProduct(product, report);
      else checkVariableProduct(product, report);
    }),
  ),
);

function checkTranslations(product: FileProduct, report: ReportFault): void {
  const { translations = {}, categories = [], variations = [] } = product;
  if (bytesOf(translations) > MAX_TRANSLATIONS_BYTES) {
    report("translations", `must have at most ${String(MAX_TRANSLATIONS_BYTES)} bytes as JSON`);
  }
  for (const [tag, { categories: translated = categories, options }] of Object.entries(
    translations,
  )) {
    const path = ["translations", tag];
    if (!isLanguage(tag))
      report(path, "is not the tag of a language, such as de, pt-BR or zh-Hant");
    if (translated.length !== categories.length) {
      report([...path, "categories"], `must translate all ${String(categories.length)} categories`);
    }
    const missing =
      options && optionTexts(variations).find((text) => !Object.hasOwn(options, text));
    if (missing !== undefined) report([...path, "options"], `must also translate ${missing}`);
  }
}

/** The names and options of the attributes of variations. */
const optionTexts = (variations: readonly VariationOptions[]): string[] => [
  ...new Set(variations.flatMap(({ options }) => options.flatMap((o) => [o.name, o.option]))),
];

export interface VariationOptions {
  options: readonly { name: string; option: string }[];
}

/** Whether the text is the canonical tag of a known language. `jp` and `zh_TW` are not. */
const isLanguage = (tag: string) => languageOf(tag) === tag;

type ReportFault = (field: string | (string | number)[], message: string) => void;

function checkSize(product: FileProduct, report: ReportFault): void {
  const total = bytesOf(product);
  if (total <= MAX_PRODUCT_BYTES) return;
  const [field, bytes] = Object.entries(product)
    .map(([name, value]) => [name, bytesOf(value)] as const)
    .reduce((largest, other) => (other[1] > largest[1] ? other : largest));
  const format = (count: number) => count.toLocaleString("en");
  report(
    field,
    `has ${format(bytes)} of the product's ${format(total)} bytes: ` +
      `a product can have at most ${format(MAX_PRODUCT_BYTES)}`,
  );
}

/** The currency of all amounts of the product. Undefined if it is missing or invalid, which is reported elsewhere. */
const currencyOf = ({ price_currency, variations }: FileProduct) =>
  currencyCode().safeParse(price_currency ?? variations?.[0]?.price_currency).data;

/** A price has exactly the decimals of its currency, as in responses. A shipping cost, which is a number, has no more. */
function checkAmounts(product: FileProduct, report: ReportFault): void {
  const currency = currencyOf(product);
  if (currency === undefined) return;
  const rule = (text: string) => amountRule(text, currency, MAX_UNIT_MINOR);
  const checkPrice = (price: string | undefined, path: (string | number)[]) => {
    if (price === undefined) return;
    const minor = parseAmount(price, currency);
    const decimals = price.split(".")[1]?.length ?? 0;
    if (minor !== undefined && minor <= MAX_UNIT_MINOR && decimals === decimalsOf(currency)) return;
    if (minor !== undefined && minor > MAX_UNIT_MINOR) report(path, rule(price));
    else report(path, `${rule("")}, such as "${formatAmount(MINOR_EXAMPLE, currency)}"`);
  };
  checkPrice(product.price, ["price"]);
  checkPrice(product.customs_value, ["customs_value"]);
  for (const [index, { price }] of product.variations?.entries() ?? []) {
    checkPrice(price, ["variations", index, "price"]);
  }
  const shipping = String(product.shipping_cost);
  const shippingMinor = parseAmount(shipping, currency);
  if (shippingMinor === undefined || shippingMinor > MAX_UNIT_MINOR) {
    report("shipping_cost", rule(shipping));
  }
}

const DIGITAL_FIELDS = [
  "digital_delivery",
  "code_valid_days",
  "redeem_instructions",
  "barcode",
] as const;

function checkDigital(product: FileProduct, report: ReportFault): void {
  if (product.digital_physical === "digital") {
    if (product.digital_delivery !== undefined) return;
    const rule =
      "must be code, if its stock is uploaded as codes, or manual, if an operator sends it";
    report("digital_delivery", rule);
  } else {
    for (const field of DIGITAL_FIELDS) {
      if (product[field] !== undefined) report(field, "is for digital products only");
    }
  }
}

/** The default of `code_valid_days`. */
const CODE_VALID_DAYS = 30;

function digitalOf(file: FileProduct): DigitalDelivery | null {
  if (file.digital_delivery === undefined) return null;
  return {
    delivery: file.digital_delivery,
    codeDays: file.code_valid_days ?? CODE_VALID_DAYS,
    instructions: file.redeem_instructions ?? "",
    barcode: file.barcode ?? null,
  };
}

function checkSimpleProduct(product: FileProduct, report: ReportFault): void {
  if (product.price === undefined) report("price", "is required for a simple product");
  if (!product.price_currency) report("price_currency", "is required for a simple product");
  if (product.variations?.length) report("variations", "is for variable products only");
  if (
    product.digital_delivery !== "code" &&
    product.track_inventory === "Y" &&
    product.stock_status === "in_stock" &&
    product.stock_qty === ""
  ) {
    report("stock_qty", "is required for a tracked product that is in stock");
  }
}

function checkVariableProduct(product: FileProduct, report: ReportFault): void {
  const { price, price_currency, variations = [] } = product;
  if (variations.length === 0) report("variations", "must not be empty for a variable product");
  if (price !== undefined) report("price", "is for simple products only");
  if (price_currency !== undefined) report("price_currency", "is for simple products only");
  if (new Set(variations.map(({ id }) => id)).size < variations.length) {
    report("variations", "must not repeat an id");
  }
  if (new Set(variations.map((variation) => variation.price_currency)).size > 1) {
    report("variations", "must all have the same price_currency");
  }
  checkOptions(variations, report);
}

/** Two variations with the same options look the same to the recipient. */
function checkOptions(variations: NonNullable<FileProduct["variations"]>, report: ReportFault) {
  const combinations = new Set<string>();
  for (const [index, { options }] of variations.entries()) {
    const path = ["variations", index, "options"];
    if (new Set(options.map(({ id }) => id)).size < options.length) {
      report(path, "must not repeat an id");
    }
    const combination = JSON.stringify(options.map(({ id, option }) => [id, option]).sort());
    if (combinations.has(combination)) report(path, "must not be those of another variation");
    combinations.add(combination);
  }
}

/** The product to publish and its initial stock. */
export function fromFileProduct(file: FileProduct): ProductWithStock {
  const variations = file.variations ?? [];
  const currency = currencyOf(file) as Currency;
  const minorOf = (amount: string) => parseAmount(amount, currency) as number;
  const { hs_code, origin_country, customs_value } = file;
  const { shipping_info: shippingInfo, returns_info: returnsInfo, ...vendor } = file.product_vendor;
  return {
    product: {
      id: file.product_id,
      sku: file.product_sku,
      name: file.product_name,
      description: file.product_description,
      shortDescription: file.product_short_description,
      type: file.product_type,
      delivery: file.digital_physical,
      digital: digitalOf(file),
      currency,
      priceMinor: file.price === undefined ? null : minorOf(file.price),
      shippingMinor: minorOf(String(file.shipping_cost)),
      locations: file.available_location,
      categories: file.categories ?? [],
      featuredImage: file.featured_image,
      additionalImages: file.additional_images,
      vendor: { ...vendor, shippingInfo, returnsInfo },
      parcel: file.shipping_details,
      attributes: (file.attributes ?? []).map(({ option, ...each }) => ({
        ...each,
        options: option,
      })),
      variations: variations.map(({ id, sku, price, options }) => ({
        id,
        sku,
        priceMinor: minorOf(price),
        options,
      })),
      ...((hs_code ?? origin_country ?? customs_value) !== undefined && {
        customs: { hs_code, origin_country, customs_value },
      }),
      ...(file.tax_code !== undefined && { taxCode: file.tax_code }),
      ...(file.delivery_days !== undefined && { deliveryDays: file.delivery_days }),
      ...(file.recipient_info !== undefined && { recipientInfo: file.recipient_info }),
      ...(file.translations && { translations: file.translations }),
    },
    stock: initialStock(file),
  };
}

/** The stock of a product that is delivered as codes is the number of its codes: none at first. */
function initialStock(file: FileProduct): StockLevel[] {
  const digital = digitalOf(file);
  if (digital?.delivery === "code") {
    const ids = file.variations?.map(({ id }) => id) ?? [0];
    return ids.map((variationId) => ({
      variationId,
      quantity: 0,
      sellable: true,
      codeDays: digital.codeDays,
    }));
  }
  const tracked = file.track_inventory === "Y";
  const level = (variationId: number, status: string, qty: string): StockLevel => {
    const inStock = status === "in_stock";
    // An empty quantity is 0 if the product is tracked and out of stock. A variation that is in stock without a
    // quantity is not tracked, even if other variations are.
    const quantity = !tracked || (qty === "" && inStock) ? null : Number(qty);
    return { variationId, quantity, sellable: inStock || quantity === 0 };
  };
  if (!file.variations?.length) return [level(0, file.stock_status, file.stock_qty)];
  return file.variations.map(({ id, variation_stock_status: status, variation_qty: qty }) =>
    level(id, status, qty),
  );
}
