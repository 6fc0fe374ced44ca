// The columns of every table, for Drizzle and for the types of rows. The migrations define the tables. They also
// contain what a Drizzle schema cannot express: STRICT, WITHOUT ROWID, triggers and named CHECKs. A column that may
// contain personal data is marked: the erasure, the export and docs/personal-data.md follow from it. Whether a column is
// audited is marked too: the states in the audit log follow from it.
// test/platform/db/schema.test.ts compares this file with the migrations.
import {
  FULFILMENTS,
  SHIPMENT_PROBLEMS,
  SHIPMENT_STATUSES,
  type ShipmentProblem,
  type ShipmentStatus,
} from "../../core/values/shipment-states.ts";
import type { CarrierAnswers } from "../../core/values/carrier-answer.ts";
import type { Address } from "../../core/address/address.ts";
import { integer, text } from "drizzle-orm/sqlite-core";
import { EMAIL_KINDS, EMAIL_STATUSES, EMAILS_STOPPED } from "../../core/values/email-kinds.ts";
import type { Currency } from "../../core/values/iso.ts";
import type { SpendingPeriod } from "../../core/values/spending.ts";
import type { Tracking } from "../../core/values/tracking.ts";
import { SCOPES } from "../../core/values/scopes.ts";
import { audited, auditedTable, unaudited } from "./audited-columns.ts";
import { personal, table } from "./personal-data.ts";

const currencyText = (name: string) => text(name).$type<Currency>();

export const catalogues = auditedTable("catalogues", {
  id: unaudited("names", integer("id").primaryKey()),
  name: unaudited("names", text("name").notNull()),
  version: audited(integer("version").notNull().default(0)),
  stagedVersion: unaudited("internal", integer("staged_version").notNull().default(0)),
  settings: audited(text("settings", { mode: "json" }).$type<CatalogueSettings>()),
  soldOut: unaudited(
    "internal",
    text("sold_out", { mode: "json" }).$type<number[]>().notNull().default([]),
  ),
});

/**
 * Default values for products of shop exports, which do not contain them. Undefined and "" mean that no default is set.
 */
export interface CatalogueSettings {
  currency?: Currency | undefined;
  /** ISO 3166-1 alpha-2. Empty means everywhere. */
  locations?: string[] | undefined;
  /** The cost of shipping one piece of a physical product, in `currency`. */
  shippingMinor?: number | undefined;
  vendor?: string | undefined;
  /** Images for vendors and products without one. */
  vendorLogo?: string | undefined;
  placeholder?: string | undefined;
  /** The SKUs and names of the shop's digital products that are delivered as codes. */
  codes?: string[] | undefined;
  /** The language of the texts, a BCP 47 tag. */
  language?: string | undefined;
}

export const catalogueVersions = table(
  "catalogue_versions",
  {
    catalogueId: integer("catalogue_id").notNull(),
    version: integer("version").notNull(),
    totalProducts: integer("total_products").notNull(),
    totalPhysical: integer("total_physical").notNull(),
    totalDigital: integer("total_digital").notNull(),
    publishedAtMs: integer("published_at_ms").notNull(),
    publishedBy: text("published_by"),
    fileName: text("file_name"),
    raisedPrices: integer("raised_prices").notNull().default(0),
    loweredPrices: integer("lowered_prices").notNull().default(0),
  },
  ["catalogueId", "version"],
);

export const products = table("products", {
  id: integer("id").primaryKey(),
  catalogueId: integer("catalogue_id"),
});

export const variations = table("variations", {
  id: integer("id").primaryKey(),
  productId: integer("product_id").notNull(),
});

export const productRevisions = table(
  "product_revisions",
  {
    productId: integer("product_id").notNull(),
    revision: text("revision").notNull(),
    productType: text("product_type", { enum: ["simple", "variable"] }).notNull(),
    delivery: text("delivery", { enum: ["physical", "digital"] }).notNull(),
    currency: currencyText("currency").notNull(),
    priceMinor: integer("price_minor"),
    shippingMinor: integer("shipping_minor").notNull(),
    locations: text("locations").notNull(),
    variations: text("variations").notNull(),
    vendorKey: text("vendor_key"),
    content: text("content").notNull(),
    translations: text("translations"),
  },
  ["productId", "revision"],
);

export const catalogueEntries = table(
  "catalogue_entries",
  {
    catalogueId: integer("catalogue_id").notNull(),
    version: integer("version").notNull(),
    position: integer("position").notNull(),
    productId: integer("product_id").notNull(),
    revision: text("revision").notNull(),
    delivery: text("delivery", { enum: ["physical", "digital"] }).notNull(),
    deliveryPosition: integer("delivery_position").notNull(),
    changedAtMs: integer("changed_at_ms").notNull(),
    currency: currencyText("currency").notNull(),
    lowestUnitMinor: integer("lowest_unit_minor").notNull(),
  },
  ["catalogueId", "version", "productId"],
);

export const catalogueIndex = table(
  "catalogue_index",
  {
    catalogueId: integer("catalogue_id").notNull(),
    version: integer("version").notNull(),
    firstTerm: text("first_term").notNull(),
    content: text("content").notNull(),
  },
  ["catalogueId", "version", "firstTerm"],
);

export const availabilityChanges = table("availability_changes", {
  productId: integer("product_id").primaryKey(),
});

export const soldOutProducts = table(
  "sold_out_products",
  {
    catalogueId: integer("catalogue_id").notNull(),
    productId: integer("product_id").notNull(),
    variationId: integer("variation_id").notNull(),
  },
  ["catalogueId", "productId", "variationId"],
);

export const productChanges = table("product_changes", {
  id: integer("id").primaryKey(),
  catalogueId: integer("catalogue_id").notNull(),
  changes: text("changes", { mode: "json" })
    .$type<
      [change: string, productId: number | null, variationId?: number | null, collection?: string][]
    >()
    .notNull(),
  lastClientId: text("last_client_id").notNull().default(""),
  createdAtMs: integer("created_at_ms").notNull(),
});

/** Texts in another language. */
export type CollectionTexts = Partial<Record<"name" | "description", string>>;

export const collections = auditedTable(
  "collections",
  {
    catalogueId: unaudited("names", integer("catalogue_id").notNull()),
    id: unaudited("names", text("id").notNull()),
    name: audited(text("name").notNull()),
    description: audited(text("description").notNull()),
    translations: audited(
      text("translations", { mode: "json" }).$type<Record<string, CollectionTexts>>().notNull(),
    ),
    products: audited(text("products", { mode: "json" }).$type<number[]>().notNull()),
  },
  ["catalogueId", "id"],
);

export const vendors = auditedTable("vendors", {
  id: unaudited("names", integer("id").primaryKey()),
  name: unaudited("names", text("name").notNull()),
  nameKey: unaudited("derived", text("name_key").notNull()),
  email: audited(text("email")),
  webhookUrl: unaudited("private", text("webhook_url")),
  timeZone: audited(text("time_zone").notNull().default("UTC")),
  showsClient: audited(integer("shows_client", { mode: "boolean" }).notNull().default(false)),
  webhookNonce: unaudited("private", text("webhook_nonce")),
  toldAtMs: unaudited("internal", integer("told_at_ms")),
  toldAnswer: unaudited("internal", text("told_answer")),
  fetchedAtMs: unaudited("internal", integer("fetched_at_ms")),
});

export const stock = auditedTable(
  "stock",
  {
    productId: unaudited("names", integer("product_id").notNull()),
    variationId: unaudited("names", integer("variation_id").notNull().default(0)),
    quantity: audited(integer("quantity")),
    sellable: audited(integer("sellable", { mode: "boolean" }).notNull().default(true)),
    codeDays: audited(integer("code_days")),
  },
  ["productId", "variationId"],
);

export const productSources = table(
  "product_sources",
  {
    catalogueId: integer("catalogue_id").notNull(),
    sourceKey: text("source_key").notNull(),
    productId: integer("product_id").notNull(),
    variationId: integer("variation_id").notNull().default(0),
  },
  ["catalogueId", "sourceKey"],
);

export const stagedStock = table(
  "staged_stock",
  {
    catalogueId: integer("catalogue_id").notNull(),
    version: integer("version").notNull(),
    productId: integer("product_id").notNull(),
    variationId: integer("variation_id").notNull(),
    quantity: integer("quantity"),
    sellable: integer("sellable", { mode: "boolean" }).notNull(),
    codeDays: integer("code_days"),
  },
  ["catalogueId", "version", "productId", "variationId"],
);

export const idSequences = table("id_sequences", {
  name: text("name").primaryKey(),
  lastId: integer("last_id").notNull(),
});

export const stagedChunks = table(
  "staged_chunks",
  {
    catalogueId: integer("catalogue_id").notNull(),
    version: integer("version").notNull(),
    kind: text("kind", { enum: ["products", "names", "changes"] }).notNull(),
    sequence: integer("sequence").notNull(),
    content: text("content").notNull(),
  },
  ["catalogueId", "version", "kind", "sequence"],
);

export const clients = auditedTable("clients", {
  id: unaudited("names", text("id").primaryKey()),
  name: audited(text("name").notNull()),
  status: audited(
    text("status", { enum: ["active", "suspended"] })
      .notNull()
      .default("active"),
  ),
  billing: audited(text("billing", { enum: ["credit", "invoice"] }).notNull()),
  feeBasisPoints: audited(integer("fee_basis_points").notNull()),
  defaultCurrency: audited(currencyText("default_currency").notNull()),
  catalogueId: unaudited("derived", integer("catalogue_id").notNull()),
  branding: audited(text("branding", { mode: "json" }).$type<Branding>()),
  supportEmail: audited(personal("supportAddress", text("support_email"))),
  privacyUrl: audited(text("privacy_url")),
  mayCancel: audited(integer("may_cancel", { mode: "boolean" }).notNull().default(true)),
  redeemWithinDays: audited(integer("redeem_within_days")),
  refundDeclined: audited(integer("refund_declined", { mode: "boolean" }).notNull().default(true)),
  finalAfterDays: audited(integer("final_after_days").notNull().default(7)),
  retainDays: audited(integer("retain_days")),
  reminderDays: audited(integer("reminder_days").default(7)),
  notifyAccepted: audited(integer("notify_accepted", { mode: "boolean" }).notNull().default(true)),
  notifyShipped: audited(integer("notify_shipped", { mode: "boolean" }).notNull().default(true)),
  sendCodes: audited(integer("send_codes", { mode: "boolean" }).notNull().default(true)),
  wrapEmails: audited(integer("wrap_emails", { mode: "boolean" }).notNull().default(true)),
  chooseVariation: audited(
    integer("choose_variation", { mode: "boolean" }).notNull().default(true),
  ),
  trackOpened: audited(integer("track_opened", { mode: "boolean" }).notNull().default(true)),
  replyTo: audited(personal("supportAddress", text("reply_to"))),
  register: audited(text("register", { enum: ["formal", "informal"] })),
  legalName: audited(personal("billing", text("legal_name"))),
  billingAddress: audited(personal("billing", text("billing_address"))),
  taxNumber: audited(personal("billing", text("tax_number"))),
  purchaseOrder: audited(text("purchase_order")),
  parentId: unaudited("constant", text("parent_id")),
  clockMs: unaudited("internal", integer("clock_ms").notNull().default(0)),
  registeredUntil: unaudited("internal", text("registered_until").notNull().default("[0,0,0]")),
  createdAtMs: unaudited("constant", integer("created_at_ms").notNull()),
});

/** The branding of gift pages. Pictures are paths or full URLs, colours are `#rrggbb`. */
export interface Branding {
  logo: string;
  claimLogo: string;
  primaryColor: string;
  secondaryColor: string;
  /** Replaces `logo` in dark mode. */
  logoDark?: string | undefined;
  /** At the top of the first page. */
  cover?: string | undefined;
  /** The picture of link previews. */
  preview?: string | undefined;
  /** Links and small headings. Without it, they have the primary colour. */
  accentColor?: string | undefined;
  backgroundColor?: string | undefined;
  /** The pattern of wrapping paper. Without it, it is on. */
  pattern?: "on" | "off" | undefined;
  /** Of all texts. Without it, only headings and letters are serif. */
  typeface?: "serif" | "sans" | undefined;
}

export const credentials = auditedTable("credentials", {
  id: unaudited("names", integer("id").primaryKey()),
  clientId: unaudited("names", text("client_id").notNull()),
  secretDigest: unaudited("private", text("secret_digest").notNull()),
  scope: audited(text("scope", { enum: SCOPES }).notNull()),
  name: unaudited("private", text("name")),
  createdAtMs: audited(integer("created_at_ms").notNull()),
  revokedAtMs: audited(integer("revoked_at_ms")),
  lastUsedOn: unaudited("internal", text("last_used_on")),
  own: audited(integer("own", { mode: "boolean" }).notNull().default(false)),
  keyEnd: unaudited("private", text("key_end").notNull()),
  budget: audited(text("budget")),
  limits: audited(text("limits", { mode: "json" }).$type<SpendingLimit[]>()),
});

/** The maximum cost of an order, or of all orders since the beginning of the day or month (UTC). */
export interface SpendingLimit {
  period: SpendingPeriod;
  currency: Currency;
  limitMinor: number;
}

export const credentialSpending = table(
  "credential_spending",
  {
    clientId: text("client_id").notNull(),
    budget: text("budget").notNull(),
    currency: currencyText("currency").notNull(),
    day: text("day").notNull(),
    dayMinor: integer("day_minor").notNull(),
    monthMinor: integer("month_minor").notNull(),
    dayLimitMinor: integer("day_limit_minor"),
    monthLimitMinor: integer("month_limit_minor"),
  },
  ["clientId", "budget", "currency"],
);

export const orders = auditedTable("orders", {
  id: unaudited("names", integer("id").primaryKey()),
  clientId: unaudited("names", text("client_id").notNull()),
  orderRefId: personal("reference", text("order_ref_id")),
  placementId: unaudited("constant", text("placement_id")),
  requestDigest: personal("digest", text("request_digest")),
  campaign: audited(text("campaign")),
  credentialId: unaudited("constant", integer("credential_id")),
  giftOrderMethod: unaudited(
    "constant",
    text("gift_order_method", {
      enum: ["email", "direct", "link", "api-purchase", "api-giftlink"],
    }).notNull(),
  ),
  // `cancieled` is the interface's spelling.
  status: audited(text("status", { enum: ["failed", "created", "paid", "cancieled"] }).notNull()),
  giftOfChoice: unaudited("constant", text("gift_of_choice", { enum: ["Y", "N"] }).notNull()),
  collectionId: unaudited("constant", text("collection_id")),
  brandingSelected: unaudited(
    "constant",
    text("branding_selected", { enum: ["platform", "company", "custom"] }).notNull(),
  ),
  branding: unaudited("constant", text("branding", { mode: "json" }).$type<Branding>()),
  senderName: personal("freeText", text("sender_name")),
  emailTemplate: unaudited(
    "constant",
    text("email_template", { enum: ["celebration", "generic", "sympathy", "christmas"] }).notNull(),
  ),
  productId: unaudited("constant", integer("product_id").notNull()),
  variationId: unaudited("constant", integer("variation_id")),
  productRevision: unaudited("constant", text("product_revision").notNull()),
  baseLocation: unaudited("constant", text("base_location").notNull()),
  currency: audited(currencyText("currency").notNull()),
  productPriceMinor: unaudited("constant", integer("product_price_minor").notNull()),
  qty: unaudited("constant", integer("qty").notNull()),
  subtotalMinor: unaudited("constant", integer("subtotal_minor").notNull()),
  shippingCostMinor: unaudited("constant", integer("shipping_cost_minor").notNull()),
  orderFeeMinor: unaudited("constant", integer("order_fee_minor").notNull()),
  orderTotalMinor: unaudited("constant", integer("order_total_minor").notNull()),
  linkHowManyTimes: unaudited("constant", integer("link_how_many_times")),
  linkUrl: unaudited("constant", text("link_url")),
  linkMessage: personal("freeText", text("link_message")),
  linkNonce: unaudited("constant", text("link_nonce")),
  linkKeyId: unaudited("constant", text("link_key_id")),
  sendAtMs: unaudited("constant", integer("send_at_ms")),
  metadata: personal("freeText", text("metadata", { mode: "json" }).$type<Metadata>()),
  sendCodes: unaudited(
    "constant",
    integer("send_codes", { mode: "boolean" }).notNull().default(true),
  ),
  tookStock: unaudited("derived", integer("took_stock").notNull().default(0)),
  redeemedGifts: audited(integer("redeemed_gifts").notNull().default(0)),
  cancelledGifts: audited(integer("cancelled_gifts").notNull().default(0)),
  expiredGifts: audited(integer("expired_gifts").notNull().default(0)),
  shippedGifts: audited(integer("shipped_gifts").notNull().default(0)),
  attemptId: unaudited("derived", text("attempt_id")),
  debitSequence: unaudited("constant", integer("debit_sequence")),
  refundedMinor: audited(integer("refunded_minor").notNull().default(0)),
  owedMinor: audited(integer("owed_minor")),
  placedSequence: unaudited("constant", integer("placed_sequence")),
  expiresAtMs: audited(integer("expires_at_ms")),
  nextExpiryCheckMs: unaudited("derived", integer("next_expiry_check_ms")),
  expiryCheckedMs: unaudited("derived", integer("expiry_checked_ms")),
  erasedAtMs: unaudited("derived", integer("erased_at_ms")),
  staffNotes: personal(
    "staffNotes",
    text("staff_notes", { mode: "json" }).$type<readonly StaffNote[]>(),
  ),
  createdAtMs: unaudited("constant", integer("created_at_ms").notNull()),
  updatedAtMs: unaudited("derived", integer("updated_at_ms")),
});

/** A note of the staff on an order or a gift. */
export interface StaffNote {
  atMs: number;
  actor: string;
  text: string;
}

/** A partner's own keys and values. */
export type Metadata = Record<string, string>;

export const gifts = auditedTable(
  "gifts",
  {
    orderId: unaudited("names", integer("order_id").notNull()),
    sequence: unaudited("names", integer("sequence").notNull()),
    firstName: personal("addressee", text("first_name").notNull()),
    lastName: personal("addressee", text("last_name").notNull()),
    email: personal("addressee", text("email").notNull()),
    phoneNumber: personal("addressee", text("phone_number")),
    language: personal("giftPage", text("language")),
    emailMessage: personal("giftPage", text("email_message")),
    deliveryAddress: personal(
      "delivery",
      text("delivery_address", { mode: "json" }).$type<Address>(),
    ),
    deliveryNotes: personal("delivery", text("delivery_notes")),
    deliveryEmail: personal("delivery", text("delivery_email")),
    externalId: personal("partnersValues", text("external_id")),
    metadata: personal("partnersValues", text("metadata", { mode: "json" }).$type<Metadata>()),
    productId: unaudited("internal", integer("product_id").notNull()),
    variationId: unaudited("internal", integer("variation_id")),
    selectedRevision: unaudited("internal", text("selected_revision")),
    tookStock: unaudited("derived", integer("took_stock")),
    productMinor: unaudited("constant", integer("product_minor").notNull()),
    shippingMinor: unaudited("constant", integer("shipping_minor").notNull()),
    feeMinor: unaudited("constant", integer("fee_minor").notNull()),
    refundedMinor: audited(integer("refunded_minor").notNull().default(0)),
    openedAtMs: unaudited("internal", integer("opened_at_ms")),
    redemptionStatus: audited(
      text("redemption_status", { enum: ["redeemed", "cancelled", "expired"] }),
    ),
    redeemedAtMs: unaudited("internal", integer("redeemed_at_ms")),
    redemptionId: unaudited("internal", text("redemption_id")),
    endingId: unaudited("derived", text("ending_id")),
    declinedAtMs: unaudited("internal", integer("declined_at_ms")),
    swappedTo: audited(integer("swapped_to")),
    swappedFrom: audited(integer("swapped_from")),
    thankYou: personal("note", text("thank_you")),
    thankedAtMs: personal("note", integer("thanked_at_ms")),
    linkGeneration: audited(integer("link_generation").notNull().default(0)),
    sendAtMs: audited(integer("send_at_ms")),
    emailsStopped: audited(text("emails_stopped", { enum: EMAILS_STOPPED })),
    expiresAtMs: audited(integer("expires_at_ms")),
    fulfilment: unaudited("derived", text("fulfilment", { enum: FULFILMENTS })),
    vendorTold: unaudited("internal", integer("vendor_told").notNull().default(0)),
    credentialId: unaudited("derived", integer("credential_id")),
    corrections: audited(integer("corrections").notNull().default(0)),
    erasedAtMs: audited(integer("erased_at_ms")),
    searchTerms: personal(
      "searchTerms",
      text("search_terms", { mode: "json" }).$type<SearchTerms>(),
    ),
    nextEmailMs: unaudited("internal", integer("next_email_ms")),
    clientId: unaudited("names", text("client_id")),
    staffNotes: personal(
      "staffNotes",
      text("staff_notes", { mode: "json" }).$type<readonly StaffNote[]>(),
    ),
  },
  ["orderId", "sequence"],
);

/** Terms, by the names of the columns that contain them. */
export type SearchTerms = Record<string, string[] | null>;

export const searchTerms = table(
  "search_terms",
  {
    term: personal("searchTerms", text("term").notNull()),
    clientId: text("client_id").notNull(),
    orderId: integer("order_id").notNull(),
    sequence: integer("sequence").notNull(),
    kind: text("kind").notNull(),
  },
  ["term", "clientId", "orderId", "sequence", "kind"],
);

export const shipments = auditedTable(
  "shipments",
  {
    orderId: unaudited("names", integer("order_id").notNull()),
    sequence: unaudited("names", integer("sequence").notNull()),
    clientId: unaudited("names", text("client_id").notNull()),
    status: unaudited("derived", text("status", { enum: SHIPMENT_STATUSES }).notNull()),
    carrier: audited(text("carrier")),
    trackingNumber: personal("tracking", text("tracking_number")),
    trackingUrl: personal("tracking", text("tracking_url")),
    shippedAtMs: unaudited("derived", integer("shipped_at_ms")),
    deliveredAtMs: unaudited("derived", integer("delivered_at_ms")),
    problem: audited(text("problem", { enum: SHIPMENT_PROBLEMS })),
    updatedAtMs: unaudited("derived", integer("updated_at_ms").notNull()),
    changeId: unaudited("derived", text("change_id").notNull()),
    earlierTracking: personal(
      "tracking",
      text("earlier_tracking", { mode: "json" }).$type<EarlierTracking[]>(),
    ),
    carrierAnswers: personal(
      "tracking",
      text("carrier_answers", { mode: "json" }).$type<CarrierAnswers>(),
    ),
  },
  ["orderId", "sequence"],
);

/** The state of a shipment that was corrected or reopened at `replacedAtMs`. */
export interface EarlierTracking extends Tracking {
  status: Exclude<ShipmentStatus, "open">;
  problem: ShipmentProblem | null;
  shippedAtMs: number;
  deliveredAtMs: number | null;
  replacedAtMs: number;
  /** The attempt that has replaced it. */
  changeId: string;
}

export const codes = auditedTable("codes", {
  id: unaudited("names", integer("id").primaryKey()),
  productId: unaudited("constant", integer("product_id").notNull()),
  variationId: unaudited("constant", integer("variation_id").notNull().default(0)),
  batch: unaudited("constant", text("batch")),
  sealed: personal("code", text("sealed").notNull()),
  keyId: unaudited("internal", text("key_id").notNull()),
  fingerprint: unaudited("private", text("fingerprint")),
  expiresAtMs: unaudited("constant", integer("expires_at_ms")),
  orderId: unaudited("derived", integer("order_id")),
  sequence: unaudited("derived", integer("sequence")),
  boundAtMs: audited(integer("bound_at_ms")),
  openedAtMs: unaudited("internal", integer("opened_at_ms")),
  voidedAtMs: unaudited("derived", integer("voided_at_ms")),
  voidReason: unaudited("derived", text("void_reason")),
  createdAtMs: unaudited("constant", integer("created_at_ms").notNull()),
});

export const creditAccounts = auditedTable(
  "credit_accounts",
  {
    clientId: unaudited("names", text("client_id").notNull()),
    currency: unaudited("names", currencyText("currency").notNull()),
    balanceMinor: audited(integer("balance_minor").notNull()),
    entries: unaudited("derived", integer("entries").notNull()),
    alertBelowMinor: audited(integer("alert_below_minor")),
    alerted: unaudited("derived", integer("alerted", { mode: "boolean" }).notNull().default(false)),
  },
  ["clientId", "currency"],
);

export const creditEntries = table(
  "credit_entries",
  {
    clientId: text("client_id").notNull(),
    currency: currencyText("currency").notNull(),
    sequence: integer("sequence").notNull(),
    kind: text("kind", { enum: ["adjustment", "order", "cancellation", "expiry"] }).notNull(),
    amountMinor: integer("amount_minor").notNull(),
    balanceMinor: integer("balance_minor").notNull(),
    orderId: integer("order_id"),
    reference: personal("booking", text("reference")),
    note: personal("booking", text("note")),
    createdAtMs: integer("created_at_ms").notNull(),
    valueAtMs: integer("value_at_ms"),
  },
  ["clientId", "currency", "sequence"],
);

export const invoiceEntries = table(
  "invoice_entries",
  {
    clientId: text("client_id").notNull(),
    currency: currencyText("currency").notNull(),
    sequence: integer("sequence").notNull(),
    kind: text("kind", {
      enum: ["order", "cancellation", "expiry", "payment", "refund"],
    }).notNull(),
    orderId: integer("order_id").notNull(),
    amountMinor: integer("amount_minor").notNull(),
    unpaidMinor: integer("unpaid_minor").notNull(),
    toRefundMinor: integer("to_refund_minor").notNull(),
    reference: personal("bankReference", text("reference")),
    createdAtMs: integer("created_at_ms").notNull(),
    valueAtMs: integer("value_at_ms"),
    bankLine: text("bank_line"),
  },
  ["clientId", "currency", "sequence"],
);

export const statements = auditedTable(
  "statements",
  {
    series: unaudited("names", text("series").notNull()),
    number: unaudited("names", integer("number").notNull()),
    clientId: unaudited("names", text("client_id").notNull()),
    currency: audited(currencyText("currency").notNull()),
    month: audited(text("month").notNull()),
    toMs: unaudited("derived", integer("to_ms").notNull()),
    sender: audited(text("sender").notNull()),
    addressee: personal("addresseeOfStatement", text("addressee").notNull()),
    createdAtMs: unaudited("constant", integer("created_at_ms").notNull()),
  },
  ["clientId", "currency", "toMs"],
);

export const events = table(
  "events",
  {
    clientId: text("client_id").notNull(),
    sequence: integer("sequence").notNull(),
    type: text("type").notNull(),
    orderId: integer("order_id"),
    giftSequence: integer("gift_sequence"),
    data: text("data", { mode: "json" }),
    namedElsewhere: integer("named_elsewhere"),
    createdAtMs: integer("created_at_ms").notNull(),
  },
  ["clientId", "sequence"],
);

export const webhooks = auditedTable("webhooks", {
  id: unaudited("names", integer("id").primaryKey()),
  clientId: unaudited("names", text("client_id").notNull()),
  url: personal("endpoint", text("url").notNull()),
  description: audited(personal("endpoint", text("description"))),
  eventTypes: audited(text("event_types", { mode: "json" }).$type<string[]>()),
  status: audited(
    text("status", { enum: ["enabled", "disabled", "deleted"] })
      .notNull()
      .default("enabled"),
  ),
  disabledReason: audited(text("disabled_reason")),
  secretNonce: unaudited("private", text("secret_nonce").notNull()),
  previousSecretNonce: unaudited("private", text("previous_secret_nonce")),
  previousSecretUntilMs: unaudited("private", integer("previous_secret_until_ms")),
  position: audited(integer("position").notNull()),
  failingSinceMs: audited(integer("failing_since_ms")),
  failures: unaudited("derived", integer("failures").notNull().default(0)),
  pausedUntilMs: audited(integer("paused_until_ms")),
  leaseId: unaudited("internal", text("lease_id")),
  leaseUntilMs: unaudited("internal", integer("lease_until_ms")),
  redeliveryFrom: unaudited("derived", integer("redelivery_from")),
  redeliveryUntil: unaudited("derived", integer("redelivery_until")),
  createdAtMs: unaudited("constant", integer("created_at_ms").notNull()),
});

export const webhookDeliveries = auditedTable(
  "webhook_deliveries",
  {
    webhookId: unaudited("names", integer("webhook_id").notNull()),
    sequence: unaudited("names", integer("sequence").notNull()),
    status: audited(text("status", { enum: ["pending", "delivered", "failed"] }).notNull()),
    attempts: audited(integer("attempts").notNull()),
    attemptedAtMs: unaudited("internal", integer("attempted_at_ms")),
    nextAttemptAtMs: audited(integer("next_attempt_at_ms")),
    responseStatus: unaudited("internal", integer("response_status")),
    durationMs: unaudited("internal", integer("duration_ms")),
    responseText: personal("receiversResponse", text("response_text")),
  },
  ["webhookId", "sequence"],
);

export const health = table("health", {
  id: integer("id").primaryKey(),
  cronSucceededAtMs: integer("cron_succeeded_at_ms"),
  lastCheck: text("last_check", { mode: "json" }),
});

export const emails = table(
  "emails",
  {
    orderId: integer("order_id").notNull(),
    sequence: integer("sequence").notNull(),
    number: integer("number").notNull(),
    kind: text("kind", { enum: EMAIL_KINDS }).notNull(),
    status: text("status", { enum: EMAIL_STATUSES }).notNull(),
    dueMs: integer("due_ms").notNull(),
    linkGeneration: integer("link_generation").notNull(),
    attempts: integer("attempts").notNull(),
    attemptedAtMs: integer("attempted_at_ms").notNull(),
    nextAttemptAtMs: integer("next_attempt_at_ms"),
    addressDigest: personal("emailLimit", text("address_digest")),
    messageId: text("message_id"),
    reason: text("reason"),
    message: personal("message", text("message", { mode: "json" }).$type<EmailMessage>()),
    repeats: integer("repeats").notNull().default(0),
    addressChanged: integer("address_changed", { mode: "boolean" }).notNull().default(false),
  },
  ["orderId", "sequence", "number"],
);

/** A message as it is given to the e-mail service. */
export interface EmailMessage {
  to: string;
  from: { name: string; email: string };
  replyTo: string;
  subject: string;
  html: string;
  text: string;
  headers: Record<string, string>;
}

export const emailOutbox = table("email_outbox", {
  id: integer("id").primaryKey(),
  leaseId: text("lease_id"),
  leaseUntilMs: integer("lease_until_ms"),
  pausedUntilMs: integer("paused_until_ms"),
  fault: text("fault"),
  faults: integer("faults").notNull().default(0),
});

export const emailComplaints = table("email_complaints", {
  addressDigest: personal("complaint", text("address_digest").primaryKey()),
  createdAtMs: integer("created_at_ms").notNull(),
});

export const auditEntries = table("audit_entries", {
  id: integer("id").primaryKey(),
  createdAtMs: integer("created_at_ms").notNull(),
  actor: personal("operator", text("actor").notNull()),
  action: text("action").notNull(),
  requestId: text("request_id"),
  requestFingerprint: text("request_fingerprint"),
  subjectType: text("subject_type").notNull(),
  subject: text("subject").notNull(),
  clientId: text("client_id"),
  orderId: integer("order_id"),
  reason: personal("operator", text("reason")),
  before: text("before", { mode: "json" }).$type<AuditedState>(),
  after: text("after", { mode: "json" }).$type<AuditedState>(),
  firstEvent: integer("first_event"),
  lastEvent: integer("last_event"),
});

/** The state of an object in the audit log (src/operator/audit/subjects.ts). */
export type AuditedState = Record<string, unknown>;

export const auditRequests = table("audit_requests", {
  requestId: text("request_id").primaryKey(),
  attemptId: text("attempt_id").notNull(),
});

export const auditSnapshots = table(
  "audit_snapshots",
  {
    subjectType: text("subject_type").notNull(),
    part: integer("part").notNull(),
    subjects: text("subjects").notNull(),
  },
  ["subjectType", "part"],
);

// Types of tables, for columnsOf().
export type Orders = typeof orders;
export type Gifts = typeof gifts;
export type Shipments = typeof shipments;
export type Codes = typeof codes;
export type Clients = typeof clients;
export type Credentials = typeof credentials;
export type CatalogueEntries = typeof catalogueEntries;
export type ProductRevisions = typeof productRevisions;
export type Events = typeof events;
export type Collections = typeof collections;
export type Stock = typeof stock;
export type Vendors = typeof vendors;
export type AuditEntries = typeof auditEntries;
export type CreditEntries = typeof creditEntries;
export type Statements = typeof statements;
export type InvoiceEntries = typeof invoiceEntries;
export type Webhooks = typeof webhooks;
export type WebhookDeliveries = typeof webhookDeliveries;
export type Emails = typeof emails;
export type EmailOutbox = typeof emailOutbox;
