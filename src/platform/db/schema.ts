// The columns of every table, for Drizzle and for the types of rows. The migrations define the tables. They also
// contain what a Drizzle schema cannot express: STRICT, WITHOUT ROWID, triggers and named CHECKs.
// test/platform/db/schema.test.ts compares the two.
import { integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";

export const catalogues = sqliteTable("catalogues", {
  id: integer("id").primaryKey(),
  name: text("name").notNull(),
  version: integer("version").notNull().default(0),
  stagedVersion: integer("staged_version").notNull().default(0),
  settings: text("settings", { mode: "json" }).$type<CatalogueSettings>(),
});

/**
 * Default values for products of shop exports, which do not contain them. Undefined and "" mean that no default is set.
 */
export interface CatalogueSettings {
  currency?: string | undefined;
  /** ISO 3166-1 alpha-2. Empty means everywhere. */
  locations?: string[] | undefined;
  /** The cost of shipping one piece of a physical product. */
  shippingMinor?: number | undefined;
  vendor?: string | undefined;
  /** Images for vendors and products without one. */
  vendorLogo?: string | undefined;
  placeholder?: string | undefined;
  /** The language of the texts, a BCP 47 tag. */
  language?: string | undefined;
}

export const catalogueVersions = sqliteTable(
  "catalogue_versions",
  {
    catalogueId: integer("catalogue_id").notNull(),
    version: integer("version").notNull(),
    totalProducts: integer("total_products").notNull(),
    totalPhysical: integer("total_physical").notNull(),
    totalDigital: integer("total_digital").notNull(),
    publishedAtMs: integer("published_at_ms").notNull(),
  },
  (table) => [primaryKey({ columns: [table.catalogueId, table.version] })],
);

export const products = sqliteTable("products", {
  id: integer("id").primaryKey(),
  catalogueId: integer("catalogue_id"),
});

export const variations = sqliteTable("variations", {
  id: integer("id").primaryKey(),
  productId: integer("product_id").notNull(),
});

export const productRevisions = sqliteTable(
  "product_revisions",
  {
    productId: integer("product_id").notNull(),
    revision: text("revision").notNull(),
    productType: text("product_type", { enum: ["simple", "variable"] }).notNull(),
    delivery: text("delivery", { enum: ["physical", "digital"] }).notNull(),
    currency: text("currency").notNull(),
    priceMinor: integer("price_minor"),
    shippingMinor: integer("shipping_minor").notNull(),
    locations: text("locations").notNull(),
    variations: text("variations").notNull(),
    content: text("content").notNull(),
  },
  (table) => [primaryKey({ columns: [table.productId, table.revision] })],
);

export const catalogueEntries = sqliteTable(
  "catalogue_entries",
  {
    catalogueId: integer("catalogue_id").notNull(),
    version: integer("version").notNull(),
    position: integer("position").notNull(),
    productId: integer("product_id").notNull(),
    revision: text("revision").notNull(),
    delivery: text("delivery", { enum: ["physical", "digital"] }).notNull(),
    deliveryPosition: integer("delivery_position").notNull(),
    // A trigger sets it.
    currency: text("currency"),
    lowestUnitMinor: integer("lowest_unit_minor"),
  },
  (table) => [primaryKey({ columns: [table.catalogueId, table.version, table.productId] })],
);

export const stock = sqliteTable(
  "stock",
  {
    productId: integer("product_id").notNull(),
    variationId: integer("variation_id").notNull().default(0),
    quantity: integer("quantity"),
    sellable: integer("sellable", { mode: "boolean" }).notNull().default(true),
  },
  (table) => [primaryKey({ columns: [table.productId, table.variationId] })],
);

export const productSources = sqliteTable(
  "product_sources",
  {
    catalogueId: integer("catalogue_id").notNull(),
    sourceKey: text("source_key").notNull(),
    productId: integer("product_id").notNull(),
    variationId: integer("variation_id").notNull().default(0),
  },
  (table) => [primaryKey({ columns: [table.catalogueId, table.sourceKey] })],
);

export const stagedStock = sqliteTable(
  "staged_stock",
  {
    catalogueId: integer("catalogue_id").notNull(),
    version: integer("version").notNull(),
    productId: integer("product_id").notNull(),
    variationId: integer("variation_id").notNull(),
    quantity: integer("quantity"),
    sellable: integer("sellable", { mode: "boolean" }).notNull(),
  },
  (table) => [
    primaryKey({
      columns: [table.catalogueId, table.version, table.productId, table.variationId],
    }),
  ],
);

export const idSequences = sqliteTable("id_sequences", {
  name: text("name").primaryKey(),
  lastId: integer("last_id").notNull(),
});

export const stagedChunks = sqliteTable(
  "staged_chunks",
  {
    catalogueId: integer("catalogue_id").notNull(),
    version: integer("version").notNull(),
    kind: text("kind", { enum: ["products", "names"] }).notNull(),
    sequence: integer("sequence").notNull(),
    content: text("content").notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.catalogueId, table.version, table.kind, table.sequence] }),
  ],
);

export const clients = sqliteTable("clients", {
  id: text("id").primaryKey(),
  name: text("name").notNull(),
  status: text("status", { enum: ["active", "suspended"] })
    .notNull()
    .default("active"),
  billing: text("billing", { enum: ["credit", "invoice"] }).notNull(),
  feeBasisPoints: integer("fee_basis_points").notNull(),
  defaultCurrency: text("default_currency").notNull(),
  catalogueId: integer("catalogue_id").notNull(),
  branding: text("branding", { mode: "json" }).$type<Branding>(),
  supportEmail: text("support_email"),
  mayCancel: integer("may_cancel", { mode: "boolean" }).notNull().default(true),
  redeemWithinDays: integer("redeem_within_days"),
  refundDeclined: integer("refund_declined", { mode: "boolean" }).notNull().default(true),
  retainDays: integer("retain_days"),
  createdAtMs: integer("created_at_ms").notNull(),
});

/** The branding of gift pages. Logos are paths or full URLs, colours are `#rrggbb`. */
export interface Branding {
  logo: string;
  claimLogo: string;
  primaryColor: string;
  secondaryColor: string;
}

export const credentials = sqliteTable("credentials", {
  id: integer("id").primaryKey(),
  clientId: text("client_id").notNull(),
  secretDigest: text("secret_digest").notNull(),
  createdAtMs: integer("created_at_ms").notNull(),
  revokedAtMs: integer("revoked_at_ms"),
});

export const orders = sqliteTable("orders", {
  id: integer("id").primaryKey(),
  clientId: text("client_id").notNull(),
  orderRefId: text("order_ref_id"),
  placementId: text("placement_id"),
  requestDigest: text("request_digest"),
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
  senderName: text("sender_name"),
  emailTemplate: text("email_template", {
    enum: ["celebration", "generic", "sympathy", "christmas"],
  }).notNull(),
  productId: integer("product_id").notNull(),
  variationId: integer("variation_id"),
  productRevision: text("product_revision").notNull(),
  baseLocation: text("base_location").notNull(),
  currency: text("currency").notNull(),
  productPriceMinor: integer("product_price_minor").notNull(),
  qty: integer("qty").notNull(),
  subtotalMinor: integer("subtotal_minor").notNull(),
  shippingCostMinor: integer("shipping_cost_minor").notNull(),
  orderFeeMinor: integer("order_fee_minor").notNull(),
  orderTotalMinor: integer("order_total_minor").notNull(),
  linkHowManyTimes: integer("link_how_many_times"),
  linkUrl: text("link_url"),
  linkMessage: text("link_message"),
  linkNonce: text("link_nonce"),
  linkKeyId: text("link_key_id"),
  metadata: text("metadata", { mode: "json" }).$type<Metadata>(),
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

export const subOrders = sqliteTable(
  "sub_orders",
  {
    orderId: integer("order_id").notNull(),
    sequence: integer("sequence").notNull(),
    firstName: text("first_name").notNull(),
    lastName: text("last_name").notNull(),
    email: text("email").notNull(),
    phoneNumber: text("phone_number"),
    language: text("language"),
    emailMessage: text("email_message"),
    deliveryAddress: text("delivery_address", { mode: "json" }).$type<Address>(),
    deliveryNotes: text("delivery_notes"),
    deliveryEmail: text("delivery_email"),
    externalId: text("external_id"),
    metadata: text("metadata", { mode: "json" }).$type<Metadata>(),
    productId: integer("product_id").notNull(),
    variationId: integer("variation_id"),
    selectedRevision: text("selected_revision"),
    tookStock: integer("took_stock", { mode: "boolean" }),
    redemptionStatus: text("redemption_status", { enum: ["redeemed", "cancelled", "expired"] }),
    redeemedAtMs: integer("redeemed_at_ms"),
    redemptionId: text("redemption_id"),
    endingId: text("ending_id"),
    declinedAtMs: integer("declined_at_ms"),
    thankYou: text("thank_you"),
    thankedAtMs: integer("thanked_at_ms"),
    linkGeneration: integer("link_generation").notNull().default(0),
    expiresAtMs: integer("expires_at_ms"),
    hasShipment: integer("has_shipment", { mode: "boolean" }).notNull().default(false),
    corrections: integer("corrections").notNull().default(0),
    erasedAtMs: integer("erased_at_ms"),
  },
  (table) => [primaryKey({ columns: [table.orderId, table.sequence] })],
);

export const shipments = sqliteTable(
  "shipments",
  {
    orderId: integer("order_id").notNull(),
    sequence: integer("sequence").notNull(),
    clientId: text("client_id").notNull(),
    status: text("status", { enum: ["open", "shipped", "delivered", "sent"] }).notNull(),
    carrier: text("carrier"),
    trackingNumber: text("tracking_number"),
    trackingUrl: text("tracking_url"),
    shippedAtMs: integer("shipped_at_ms"),
    deliveredAtMs: integer("delivered_at_ms"),
    updatedAtMs: integer("updated_at_ms").notNull(),
    changeId: text("change_id").notNull(),
    earlierTracking: text("earlier_tracking", { mode: "json" }).$type<EarlierTracking[]>(),
  },
  (table) => [primaryKey({ columns: [table.orderId, table.sequence] })],
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

export const creditAccounts = sqliteTable(
  "credit_accounts",
  {
    clientId: text("client_id").notNull(),
    currency: text("currency").notNull(),
    balanceMinor: integer("balance_minor").notNull(),
    entries: integer("entries").notNull(),
    alertBelowMinor: integer("alert_below_minor"),
    alerted: integer("alerted", { mode: "boolean" }).notNull().default(false),
  },
  (table) => [primaryKey({ columns: [table.clientId, table.currency] })],
);

export const creditEntries = sqliteTable(
  "credit_entries",
  {
    clientId: text("client_id").notNull(),
    currency: text("currency").notNull(),
    sequence: integer("sequence").notNull(),
    kind: text("kind", { enum: ["adjustment", "order", "cancellation", "expiry"] }).notNull(),
    amountMinor: integer("amount_minor").notNull(),
    balanceMinor: integer("balance_minor").notNull(),
    orderId: integer("order_id"),
    reference: text("reference"),
    note: text("note"),
    createdAtMs: integer("created_at_ms").notNull(),
  },
  (table) => [primaryKey({ columns: [table.clientId, table.currency, table.sequence] })],
);

export const invoiceEntries = sqliteTable(
  "invoice_entries",
  {
    clientId: text("client_id").notNull(),
    currency: text("currency").notNull(),
    sequence: integer("sequence").notNull(),
    kind: text("kind", {
      enum: ["order", "cancellation", "expiry", "payment", "refund"],
    }).notNull(),
    orderId: integer("order_id").notNull(),
    amountMinor: integer("amount_minor").notNull(),
    unpaidMinor: integer("unpaid_minor").notNull(),
    toRefundMinor: integer("to_refund_minor").notNull(),
    reference: text("reference"),
    createdAtMs: integer("created_at_ms").notNull(),
  },
  (table) => [primaryKey({ columns: [table.clientId, table.currency, table.sequence] })],
);

export const events = sqliteTable(
  "events",
  {
    clientId: text("client_id").notNull(),
    sequence: integer("sequence").notNull(),
    type: text("type").notNull(),
    orderId: integer("order_id"),
    suborderSequence: integer("suborder_sequence"),
    data: text("data", { mode: "json" }),
    isPlacement: integer("is_placement"),
    createdAtMs: integer("created_at_ms").notNull(),
  },
  (table) => [primaryKey({ columns: [table.clientId, table.sequence] })],
);

export const webhooks = sqliteTable("webhooks", {
  id: integer("id").primaryKey(),
  clientId: text("client_id").notNull(),
  url: text("url").notNull(),
  description: text("description"),
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

export const webhookDeliveries = sqliteTable(
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
    responseText: text("response_text"),
  },
  (table) => [primaryKey({ columns: [table.webhookId, table.sequence] })],
);

export const health = sqliteTable("health", {
  id: integer("id").primaryKey(),
  cronSucceededAtMs: integer("cron_succeeded_at_ms"),
  round: text("round", { mode: "json" }),
  lastRound: text("last_round", { mode: "json" }),
});

export const auditEntries = sqliteTable("audit_entries", {
  id: integer("id").primaryKey(),
  createdAtMs: integer("created_at_ms").notNull(),
  actor: text("actor").notNull(),
  action: text("action").notNull(),
  subjectType: text("subject_type").notNull(),
  subject: text("subject").notNull(),
  clientId: text("client_id"),
  orderId: integer("order_id"),
  reason: text("reason"),
  before: text("before", { mode: "json" }).$type<AuditedState>(),
  after: text("after", { mode: "json" }).$type<AuditedState>(),
});

/** The state of an object in the audit log (src/operator/audit/subjects.ts). */
export type AuditedState = Record<string, unknown>;

export const auditSnapshots = sqliteTable("audit_snapshots", {
  subjectType: text("subject_type").primaryKey(),
  subjects: text("subjects").notNull(),
});
