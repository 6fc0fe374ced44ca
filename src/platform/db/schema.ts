// The columns of every table, for Drizzle and for the types of rows. The migrations define the tables. They also
// contain what a Drizzle schema cannot express: STRICT, WITHOUT ROWID, triggers and named CHECKs. A column that may
// contain personal data is marked: the erasure, the export and docs/personal-data.md follow from it.
// test/platform/db/schema.test.ts compares this file with the migrations.
import { integer, text } from "drizzle-orm/sqlite-core";
import { EMAIL_KINDS, EMAIL_STATUSES } from "../../core/values/email-kinds.ts";
import type { Currency } from "../../core/values/iso.ts";
import { SCOPES } from "../../core/values/scopes.ts";
import { personal, table } from "./personal-data.ts";

const currencyText = (name: string) => text(name).$type<Currency>();

export const catalogues = table("catalogues", {
  id: integer("id").primaryKey(),
  name: text("name").notNull(),
  version: integer("version").notNull().default(0),
  stagedVersion: integer("staged_version").notNull().default(0),
  settings: text("settings", { mode: "json" }).$type<CatalogueSettings>(),
  soldOut: text("sold_out", { mode: "json" }).$type<number[]>().notNull().default([]),
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
    .$type<[change: string, productId: number, variationId?: number | null][]>()
    .notNull(),
  lastClientId: text("last_client_id").notNull().default(""),
  createdAtMs: integer("created_at_ms").notNull(),
});

export const stock = table(
  "stock",
  {
    productId: integer("product_id").notNull(),
    variationId: integer("variation_id").notNull().default(0),
    quantity: integer("quantity"),
    sellable: integer("sellable", { mode: "boolean" }).notNull().default(true),
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

export const clients = table("clients", {
  id: text("id").primaryKey(),
  name: text("name").notNull(),
  status: text("status", { enum: ["active", "suspended"] })
    .notNull()
    .default("active"),
  billing: text("billing", { enum: ["credit", "invoice"] }).notNull(),
  feeBasisPoints: integer("fee_basis_points").notNull(),
  defaultCurrency: currencyText("default_currency").notNull(),
  catalogueId: integer("catalogue_id").notNull(),
  branding: text("branding", { mode: "json" }).$type<Branding>(),
  supportEmail: personal("supportAddress", text("support_email")),
  mayCancel: integer("may_cancel", { mode: "boolean" }).notNull().default(true),
  redeemWithinDays: integer("redeem_within_days"),
  refundDeclined: integer("refund_declined", { mode: "boolean" }).notNull().default(true),
  retainDays: integer("retain_days"),
  reminderDays: integer("reminder_days").default(7),
  notifyShipped: integer("notify_shipped", { mode: "boolean" }).notNull().default(false),
  wrapEmails: integer("wrap_emails", { mode: "boolean" }).notNull().default(false),
  replyTo: personal("supportAddress", text("reply_to")),
  register: text("register", { enum: ["formal", "informal"] }),
  parentId: text("parent_id"),
  clockMs: integer("clock_ms").notNull().default(0),
  createdAtMs: integer("created_at_ms").notNull(),
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

export const credentials = table("credentials", {
  id: integer("id").primaryKey(),
  clientId: text("client_id").notNull(),
  secretDigest: text("secret_digest").notNull(),
  scope: text("scope", { enum: SCOPES }).notNull(),
  name: text("name"),
  createdAtMs: integer("created_at_ms").notNull(),
  revokedAtMs: integer("revoked_at_ms"),
  lastUsedOn: text("last_used_on"),
});

export const orders = table("orders", {
  id: integer("id").primaryKey(),
  clientId: text("client_id").notNull(),
  orderRefId: personal("reference", text("order_ref_id")),
  placementId: text("placement_id"),
  requestDigest: personal("digest", text("request_digest")),
  giftOrderMethod: text("gift_order_method", {
    enum: ["email", "direct", "link", "api-purchase", "api-giftlink"],
  }).notNull(),
  // `cancieled` is the interface's spelling.
  status: text("status", { enum: ["failed", "created", "paid", "cancieled"] }).notNull(),
  giftOfChoice: text("gift_of_choice", { enum: ["Y", "N"] }).notNull(),
  brandingSelected: text("branding_selected", {
    enum: ["platform", "company", "custom"],
  }).notNull(),
  branding: text("branding", { mode: "json" }).$type<Branding>(),
  senderName: personal("freeText", text("sender_name")),
  emailTemplate: text("email_template", {
    enum: ["celebration", "generic", "sympathy", "christmas"],
  }).notNull(),
  productId: integer("product_id").notNull(),
  variationId: integer("variation_id"),
  productRevision: text("product_revision").notNull(),
  baseLocation: text("base_location").notNull(),
  currency: currencyText("currency").notNull(),
  productPriceMinor: integer("product_price_minor").notNull(),
  qty: integer("qty").notNull(),
  subtotalMinor: integer("subtotal_minor").notNull(),
  shippingCostMinor: integer("shipping_cost_minor").notNull(),
  orderFeeMinor: integer("order_fee_minor").notNull(),
  orderTotalMinor: integer("order_total_minor").notNull(),
  linkHowManyTimes: integer("link_how_many_times"),
  linkUrl: text("link_url"),
  linkMessage: personal("freeText", text("link_message")),
  linkNonce: text("link_nonce"),
  linkKeyId: text("link_key_id"),
  sendAtMs: integer("send_at_ms"),
  metadata: personal("freeText", text("metadata", { mode: "json" }).$type<Metadata>()),
  tookStock: integer("took_stock", { mode: "boolean" }).notNull().default(false),
  redeemedGifts: integer("redeemed_gifts").notNull().default(0),
  cancelledGifts: integer("cancelled_gifts").notNull().default(0),
  expiredGifts: integer("expired_gifts").notNull().default(0),
  shippedGifts: integer("shipped_gifts").notNull().default(0),
  finished: integer("finished", { mode: "boolean" }).notNull().default(false),
  debitSequence: integer("debit_sequence"),
  refundedMinor: integer("refunded_minor").notNull().default(0),
  owedMinor: integer("owed_minor"),
  placedSequence: integer("placed_sequence"),
  expiresAtMs: integer("expires_at_ms"),
  nextExpiryCheckMs: integer("next_expiry_check_ms"),
  expiryCheckedMs: integer("expiry_checked_ms"),
  erasedAtMs: integer("erased_at_ms"),
  createdAtMs: integer("created_at_ms").notNull(),
  updatedAtMs: integer("updated_at_ms"),
});

/** A partner's own keys and values. */
export type Metadata = Record<string, string>;

export const subOrders = table(
  "sub_orders",
  {
    orderId: integer("order_id").notNull(),
    sequence: integer("sequence").notNull(),
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
    productId: integer("product_id").notNull(),
    variationId: integer("variation_id"),
    selectedRevision: text("selected_revision"),
    tookStock: integer("took_stock", { mode: "boolean" }),
    redemptionStatus: text("redemption_status", { enum: ["redeemed", "cancelled", "expired"] }),
    redeemedAtMs: integer("redeemed_at_ms"),
    redemptionId: text("redemption_id"),
    endingId: text("ending_id"),
    declinedAtMs: integer("declined_at_ms"),
    thankYou: personal("note", text("thank_you")),
    thankedAtMs: personal("note", integer("thanked_at_ms")),
    linkGeneration: integer("link_generation").notNull().default(0),
    sendAtMs: integer("send_at_ms"),
    emailsStopped: text("emails_stopped", {
      enum: ["unsubscribed", "bounced", "complained", "stopped"],
    }),
    expiresAtMs: integer("expires_at_ms"),
    hasShipment: integer("has_shipment", { mode: "boolean" }).notNull().default(false),
    corrections: integer("corrections").notNull().default(0),
    erasedAtMs: integer("erased_at_ms"),
    searchTerms: personal(
      "searchTerms",
      text("search_terms", { mode: "json" }).$type<SearchTerms>(),
    ),
    nextEmail: text("next_email", { enum: EMAIL_KINDS }),
    nextEmailMs: integer("next_email_ms"),
    clientId: text("client_id"),
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

export const shipments = table(
  "shipments",
  {
    orderId: integer("order_id").notNull(),
    sequence: integer("sequence").notNull(),
    clientId: text("client_id").notNull(),
    status: text("status", { enum: ["open", "shipped", "delivered", "sent"] }).notNull(),
    carrier: text("carrier"),
    trackingNumber: personal("tracking", text("tracking_number")),
    trackingUrl: personal("tracking", text("tracking_url")),
    shippedAtMs: integer("shipped_at_ms"),
    deliveredAtMs: integer("delivered_at_ms"),
    updatedAtMs: integer("updated_at_ms").notNull(),
    changeId: text("change_id").notNull(),
    earlierTracking: personal(
      "tracking",
      text("earlier_tracking", { mode: "json" }).$type<EarlierTracking[]>(),
    ),
  },
  ["orderId", "sequence"],
);

/** The state of a shipment that was corrected or reopened at `replacedAtMs`. */
export interface EarlierTracking {
  carrier: string | null;
  trackingNumber: string | null;
  trackingUrl: string | null;
  shippedAtMs: number;
  deliveredAtMs: number | null;
  replacedAtMs: number;
}

/** A delivery address with the field names of the API. It is stored as JSON. */
export interface Address {
  address_line_1?: string | undefined;
  address_line_2?: string | undefined;
  suburb?: string | undefined;
  state?: string | undefined;
  postcode_zipcode?: string | undefined;
  country?: string | undefined;
}

export const creditAccounts = table(
  "credit_accounts",
  {
    clientId: text("client_id").notNull(),
    currency: currencyText("currency").notNull(),
    balanceMinor: integer("balance_minor").notNull(),
    entries: integer("entries").notNull(),
    alertBelowMinor: integer("alert_below_minor"),
    alerted: integer("alerted", { mode: "boolean" }).notNull().default(false),
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
  },
  ["clientId", "currency", "sequence"],
);

export const events = table(
  "events",
  {
    clientId: text("client_id").notNull(),
    sequence: integer("sequence").notNull(),
    type: text("type").notNull(),
    orderId: integer("order_id"),
    suborderSequence: integer("suborder_sequence"),
    data: text("data", { mode: "json" }),
    namedElsewhere: integer("named_elsewhere"),
    createdAtMs: integer("created_at_ms").notNull(),
  },
  ["clientId", "sequence"],
);

export const webhooks = table("webhooks", {
  id: integer("id").primaryKey(),
  clientId: text("client_id").notNull(),
  url: personal("endpoint", text("url").notNull()),
  description: personal("endpoint", text("description")),
  eventTypes: text("event_types", { mode: "json" }).$type<string[]>(),
  status: text("status", { enum: ["enabled", "disabled", "deleted"] })
    .notNull()
    .default("enabled"),
  disabledReason: text("disabled_reason"),
  secretNonce: text("secret_nonce").notNull(),
  previousSecretNonce: text("previous_secret_nonce"),
  previousSecretUntilMs: integer("previous_secret_until_ms"),
  position: integer("position").notNull(),
  failingSinceMs: integer("failing_since_ms"),
  failures: integer("failures").notNull().default(0),
  pausedUntilMs: integer("paused_until_ms"),
  leaseId: text("lease_id"),
  leaseUntilMs: integer("lease_until_ms"),
  redeliveryFrom: integer("redelivery_from"),
  redeliveryUntil: integer("redelivery_until"),
  createdAtMs: integer("created_at_ms").notNull(),
});

export const webhookDeliveries = table(
  "webhook_deliveries",
  {
    webhookId: integer("webhook_id").notNull(),
    sequence: integer("sequence").notNull(),
    status: text("status", { enum: ["pending", "delivered", "failed"] }).notNull(),
    attempts: integer("attempts").notNull(),
    attemptedAtMs: integer("attempted_at_ms"),
    nextAttemptAtMs: integer("next_attempt_at_ms"),
    responseStatus: integer("response_status"),
    durationMs: integer("duration_ms"),
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
  subjectType: text("subject_type").notNull(),
  subject: text("subject").notNull(),
  clientId: text("client_id"),
  orderId: integer("order_id"),
  reason: personal("operator", text("reason")),
  before: text("before", { mode: "json" }).$type<AuditedState>(),
  after: text("after", { mode: "json" }).$type<AuditedState>(),
});

/** The state of an object in the audit log (src/operator/audit/subjects.ts). */
export type AuditedState = Record<string, unknown>;

export const auditSnapshots = table("audit_snapshots", {
  subjectType: text("subject_type").primaryKey(),
  subjects: text("subjects").notNull(),
});

// Types of tables, for columnsOf().
export type Orders = typeof orders;
export type SubOrders = typeof subOrders;
export type Shipments = typeof shipments;
export type Clients = typeof clients;
export type Credentials = typeof credentials;
export type CatalogueEntries = typeof catalogueEntries;
export type ProductRevisions = typeof productRevisions;
export type Events = typeof events;
export type Stock = typeof stock;
export type AuditEntries = typeof auditEntries;
export type CreditEntries = typeof creditEntries;
export type InvoiceEntries = typeof invoiceEntries;
export type Webhooks = typeof webhooks;
export type WebhookDeliveries = typeof webhookDeliveries;
export type Emails = typeof emails;
export type EmailOutbox = typeof emailOutbox;
