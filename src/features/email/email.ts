// The data of a message to a recipient.
import { type Json, orNull, type Parsed } from "../../platform/db/columns.ts";
import type { EmailMessage } from "../../platform/db/schema.ts";
import type { Bindings } from "../../platform/env.ts";
import { expression, type RowOf } from "../../platform/db/sql.ts";
import { client, gift, order, shipment } from "../../platform/db/tables.ts";
import type { CodeContent } from "../codes/seal.ts";
import { GIFT_EXPIRY } from "../codes/delivery-queries.ts";
import { GIFT_CODE } from "../schedule/queries.ts";
import { SENDER_COLUMNS } from "../pages/gift.ts";

/**
 * The columns of a message: of gift `s`, its order `o`, its client `c`, its catalogue `k`, the revision `r` of the
 * product that the recipient gets, and its LEFT JOINed shipment `h`.
 */
export const MESSAGE_COLUMNS = {
  ...gift("orderId", "sequence", "firstName", "lastName", "language", "linkGeneration"),
  /** A digital gift is sent to the address that its recipient has entered, if any. */
  email: expression<string>()`coalesce(s.delivery_email, s.email)`,
  ...order("clientId", "senderName", "branding", "linkNonce", "linkKeyId", "sendCodes"),
  expiresAtMs: GIFT_EXPIRY,
  letter: gift("emailMessage").emailMessage,
  ...gift("swappedFrom"),
  ...SENDER_COLUMNS,
  ...client("replyTo", "wrapEmails"),
  /** The language of the product's name: a BCP 47 tag, or null if it is unknown. */
  catalogueLanguage: expression<string | null>()`k.settings ->> '$.language'`,
  productName: expression<string>()`r.content ->> '$.name'`,
  /** JSON: Translations. */
  translations: expression<string | null>()`r.translations`,
  productImage: expression<string>()`r.content ->> '$.featuredImage'`,
  moreImages: expression<Json<string[]>>()`r.content -> '$.additionalImages'`,
  delivery: expression<"physical" | "digital">()`r.delivery`,
  /** How the recipient uses a code: untrusted HTML. Null for a physical product. */
  instructions: expression<string | null>()`r.content ->> '$.digital.instructions'`,
  code: GIFT_CODE,
  city: expression<string | null>()`s.delivery_address ->> '$.suburb'`,
  deliveryDays: expression<number | null>()`r.content ->> '$.deliveryDays'`,
  ...orNull(shipment("carrier", "trackingNumber", "trackingUrl")),
};

/** A gift for the message to its recipient. `branding` is null for the platform's. */
export type MessageGift = Parsed<RowOf<typeof MESSAGE_COLUMNS>>;

/** The settings of the deployment that a message uses. */
export type MessageEnv = Pick<
  Bindings,
  | "ASSETS"
  | "ENVIRONMENT"
  | "PUBLIC_URL"
  | "SUPPORT_EMAIL"
  | "IMAGE_TRANSFORMATIONS"
  | "EMAIL_FROM"
  | "EMAIL_IMPRINT"
>;

/** The secrets of a message: its links, and the code of the gift. */
export interface MessageSecrets {
  giftUrl: string;
  /** Where the recipient, or a mail program with one click, stops the e-mails. */
  stopUrl: string;
  /** Null for e-mails of other kinds. */
  code: CodeContent | null;
}

export type { EmailKind } from "../../core/values/email-kinds.ts";
export type { EmailMessage };
