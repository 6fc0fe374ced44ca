// A gift, and the products that its recipient may choose.
import {
  inStock,
  isAvailableIn,
  type Product,
  type StockLevel,
  type Translation,
  type Variation,
} from "../catalogue/product.ts";
import type { Collection } from "../catalogue/collection-queries.ts";
import { ADDRESS_REFUSED } from "../../core/values/email-kinds.ts";
import type { CarrierAnswer } from "../../core/values/carrier-answer.ts";
import { type Json, orNull, type Parsed } from "../../platform/db/columns.ts";
import type { Branding } from "../../platform/db/schema.ts";
import { expression, rawSql, type RowOf } from "../../platform/db/sql.ts";
import { client, gift, order, shipment } from "../../platform/db/tables.ts";
import { GIFT_CODE } from "../schedule/queries.ts";
import type { LinkOrigin } from "../orders/order.ts";
import { TRACKING } from "../fulfilment/shipment.ts";
import { STATE_COLUMNS } from "../codes/delivery-queries.ts";
import type { GiftState } from "../lifecycle/gift-state.ts";

/** The columns of client `c` for its recipients' pages and e-mails. */
export const SENDER_COLUMNS = {
  company: client("name").name,
  ...client("supportEmail", "privacyUrl", "register"),
};

export type GiftCollection = Pick<Collection, "name" | "description" | "translations"> & {
  /** The language of its texts, if they are translated. */
  language?: string;
};

/** The columns of gift `s`, its order `o`, its client `c` and its LEFT JOINed shipment `h`. */
export const PAGE_GIFT_COLUMNS = {
  ...STATE_COLUMNS,
  ...gift("firstName", "lastName", "email", "deliveryEmail", "language", "thankYou"),
  ...gift("redemptionId", "orderId", "sequence", "redeemedAtMs", "corrections", "nextEmailMs"),
  ...gift("phoneNumber", "deliveryAddress", "deliveryNotes"),
  ...order("senderName", "branding", "giftOfChoice", "currency", "baseLocation"),
  ...SENDER_COLUMNS,
  ...client("chooseVariation"),
  /** Whether the opening of the gift is to be stored. */
  isUnopened: expression<0 | 1>()`c.track_opened = 1 AND s.opened_at_ms IS NULL`,
  /** The language of the catalogue's texts: a BCP 47 tag, or null if it is unknown. */
  catalogueLanguage: expression<string | null>()`
    (SELECT settings ->> '$.language' FROM catalogues WHERE id = c.catalogue_id)`,
  /** The collection from which the recipient chooses. Null for none, or if it was removed. */
  collection: expression<Json<GiftCollection> | null>()`
    (SELECT json_object('name', l.name, 'description', l.description, 'translations',
        json(l.translations))
      FROM collections l WHERE l.catalogue_id = c.catalogue_id AND l.id = o.collection_id)`,
  message: gift("emailMessage").emailMessage,
  /** The price and shipping cost that were paid for this recipient, without the fee. */
  budgetMinor: expression<number>()`(o.subtotal_minor + o.shipping_cost_minor) / o.qty`,
  offeredProductId: order("productId").productId,
  offeredVariationId: order("variationId").variationId,
  selectedVariationId: gift("variationId").variationId,
  /** The order of the gift by which an operator has replaced this one. */
  successor: expression<Json<LinkOrigin & { id: number }> | null>()`
    (SELECT json_object('id', n.id, 'linkKeyId', n.link_key_id, 'linkNonce', n.link_nonce)
      FROM orders n WHERE n.id = s.swapped_to / 1000)`,
  shipmentStatus: orNull(shipment("status")).status,
  ...TRACKING,
  ...orNull(shipment("carrierAnswers")),
  /** Sealed. Null if no code was sent. */
  code: GIFT_CODE,
  /** Whether the code is sent by e-mail, too. */
  isMailed: expression<0 | 1>()`
    o.send_codes = 1 AND coalesce(s.emails_stopped, '') NOT IN (${rawSql(ADDRESS_REFUSED)})`,
};

/** The branding of a page. Without a company, it is the platform's. */
export type PageBranding = Branding & { company?: string };

/** A gift for its recipient's page. */
export type PageGift = Omit<
  Parsed<RowOf<typeof PAGE_GIFT_COLUMNS>>,
  "branding" | "carrierAnswers"
> & {
  branding: PageBranding;
  state: GiftState;
  carrierAnswer: CarrierAnswer;
};

export type TextField = keyof Translation;

/** A product with texts in several languages. */
export interface LocalProduct extends Product {
  variations: LocalVariation[];
  /** The languages of the translated texts. The other texts are in the language of the catalogue. */
  languages?: Partial<Record<TextField, string>>;
}

export interface LocalVariation extends Variation {
  /** `original`: the name in the catalogue's language. Two options may have the same translation. */
  options: (Variation["options"][number] & { original?: string })[];
}

/** A revision of a product, with its current stock. */
export interface GiftProduct {
  product: LocalProduct;
  stock: StockLevel[];
  revision: string;
  /** Whether the sender's catalogue contains this revision at present. */
  current: boolean;
}

/**
 * The variations of a product that the recipient may choose, or [null] for a simple product. Empty if the product is
 * not available to this recipient. The offered product is always available, because it is paid and its stock is
 * reserved. Other products require a gift of choice, stock, and a price within the budget, and must ship to the
 * recipient's country. Null for all countries. Another variation of the offered product at the same price requires
 * stock, and a client that permits it.
 */
export function optionsOf(
  gift: PageGift,
  choice: GiftProduct,
  country: string | null,
): (number | null)[] {
  const { product, stock } = choice;
  const isOffered = product.id === gift.offeredProductId;
  const offered = product.variations.find(({ id }) => isOffered && id === gift.offeredVariationId);
  const mayChoose =
    gift.giftOfChoice === "Y" &&
    product.currency === gift.currency &&
    (country === null || isAvailableIn(product, country));
  const isAvailable = (variationId: number | null, priceMinor: number) =>
    choice.current &&
    ((mayChoose && priceMinor + product.shippingMinor <= gift.budgetMinor) ||
      (gift.chooseVariation === 1 && priceMinor === offered?.priceMinor)) &&
    stock.some((level) => level.variationId === (variationId ?? 0) && inStock(level));

  const all: { id: number | null; priceMinor: number }[] =
    product.priceMinor === null
      ? product.variations
      : [{ id: null, priceMinor: product.priceMinor }];
  return all
    .filter(
      ({ id, priceMinor }) =>
        (isOffered && id === gift.offeredVariationId) || isAvailable(id, priceMinor),
    )
    .map(({ id }) => id);
}

/**
 * The chosen options of a product with several attributes, by the names of their fields. An option is the id of a
 * variation that has it, because its name depends on the language.
 */
export type Choices = Readonly<Record<string, string>>;

export const OPTION_FIELD = "option_";
export const optionField = (attributeId: number) => OPTION_FIELD + String(attributeId);

/** The option that a variation has of an attribute. */
export const optionOf = (variation: LocalVariation | undefined, attributeId: number) =>
  variation?.options.find(({ id }) => id === attributeId);

/** The same for the same option, in every language. */
export function originalOf(variation: LocalVariation | undefined, attributeId: number) {
  const option = optionOf(variation, attributeId);
  return option?.original ?? option?.option;
}

export const withId = ({ variations }: Pick<LocalProduct, "variations">, id: string | undefined) =>
  variations.find((each) => String(each.id) === id);

/** The variation among `options` that has the chosen option of each attribute, or null. */
export function variationWith(
  product: Pick<LocalProduct, "variations">,
  options: (number | null)[],
  choices: Choices,
): number | null {
  const found = product.variations.find(
    (each) =>
      options.includes(each.id) &&
      each.options.every(
        ({ id }) =>
          originalOf(withId(product, choices[optionField(id)]), id) === originalOf(each, id),
      ),
  );
  return found?.id ?? null;
}

export interface GiftView {
  gift: PageGift;
  /** Whether the recipient can take back that the gift was declined. */
  canReinstate: boolean;
  /** The offered product. After a redemption, the chosen product. */
  selected: GiftProduct;
  /** Null if no other product was requested, or if it is not in the sender's catalogue. */
  viewed: GiftProduct | null;
  /**
   * Products within the budget, most expensive first, which pages sort by name, or those of the collection in its order.
   * Some may not be available to the recipient. With a list, those that it names.
   */
  others: GiftProduct[];
  list?: GiftList;
}

/** A page of the gifts that the recipient may choose. */
export interface GiftList {
  /** The products of this page. */
  ids: number[];
  page: number;
  pages: number;
  /** The number of gifts on all pages. */
  total: number;
  categories: ListedCategory[];
}

export interface ListedCategory {
  /** A name, or a path such as `Home > Candles`. */
  name: string;
  /** Its last part, in the recipient's language. */
  label: string;
  /** The language of the label, if it is translated. */
  language?: string | undefined;
  /** One of its products, which has its translation. */
  exampleId: number;
}
