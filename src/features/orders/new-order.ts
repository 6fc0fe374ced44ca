// Maps a placement to the order that the statements insert.
import { normalAddress } from "../../core/address/check.ts";
import type { AddressRules } from "../../core/address/rules.ts";
import { languageOf } from "../../core/values/language-tag.ts";
import { dayIn, expiryOf, nextExpiryCheck } from "../../core/values/redeem-by.ts";
import { parseDayOrTimestamp } from "../../core/values/time.ts";
import type { Offer } from "./offers.ts";
import type { Placement } from "./contract.ts";
import type { Totals } from "./order.ts";
import type { NewOrder, PlacementKey } from "./queries.ts";
import { searchTermsOf } from "./search-terms.ts";
import { costOf } from "./totals.ts";

/** A new order without the columns that are set when it is inserted. */
export type UnwrittenOrder = Omit<NewOrder, "requestDigest" | "placementId" | "createdAtMs">;

export function placementKey({ client, credentialId, request }: Placement): PlacementKey {
  return {
    credentialId,
    clientId: client.id,
    orderRefId: request.order_ref_id,
    catalogueId: client.catalogue.id,
    productId: request.product_id,
    variationId: request.variation_id ?? null,
    currency: request.currency,
  };
}

export function newOrder(
  placement: Placement,
  offer: Offer,
  totals: Totals,
  { nowMs, addresses }: { nowMs: number; addresses: AddressRules },
): UnwrittenOrder {
  const { client, request, method } = placement;
  const gift = giftColumns(placement);
  const sendAtMs = sendAtOf(placement, nowMs);
  // A client that is billed by credit has paid as soon as the order is placed.
  const status = client.billing === "credit" ? "paid" : "created";
  return {
    ...placementKey(placement),
    ...gift,
    ...totals,
    giftOrderMethod: method,
    status,
    branding: gift.brandingSelected === "company" ? client.branding : null,
    baseLocation: request.base_location,
    productRevision: offer.revision,
    ...expiryColumns(placement, nowMs),
    sendAtMs,
    sendCodes: (request.send_codes ?? client.sendCodes) ? 1 : 0,
    isDigital: offer.delivery === "digital",
    metadata: request.metadata ?? null,
    campaign: request.campaign ?? null,
    // The payment plans the e-mails of an unpaid order.
    gifts: newGifts(placement, status === "paid" ? sendAtMs : null, addresses, (index) =>
      costOf(totals, { ...offer, ...client }, index),
    ),
  };
}

/** When the gifts expire: after the request's last day, or else after the client's number of days. */
export function expiryColumns(
  { client, method, request }: Placement,
  nowMs: number,
): Pick<NewOrder, "expiresAtMs" | "nextExpiryCheckMs"> {
  const { redeemWithinDays: days } = client;
  const redeemBy =
    method === "api-purchase"
      ? undefined
      : (request.redeem_by ?? (days === null ? undefined : dayIn(days, nowMs)));
  const expiresAtMs = redeemBy === undefined ? undefined : expiryOf(redeemBy);
  if (expiresAtMs === undefined) return { expiresAtMs: null, nextExpiryCheckMs: null };
  return { expiresAtMs, nextExpiryCheckMs: nextExpiryCheck(expiresAtMs, nowMs) };
}

/** From when the recipients are invited by e-mail. A time in the past means now. */
function sendAtOf({ method, request }: Placement, nowMs: number): number | null {
  if (method === "api-purchase" || request.send_method !== "email") return null;
  return Math.max(parseDayOrTimestamp(request.send_at ?? "") ?? nowMs, nowMs);
}

/** The columns that only gift-link orders choose. Other orders have fixed values. */
function giftColumns(
  placement: Placement,
): Pick<
  NewOrder,
  "giftOfChoice" | "collectionId" | "brandingSelected" | "senderName" | "linkNonce" | "linkKeyId"
> {
  if (placement.method === "api-purchase") {
    const none = { collectionId: null, senderName: null };
    // E-mails about the shipment or with the code have a link to the gift page.
    return { giftOfChoice: "N", brandingSelected: "platform", ...none, ...placement.link };
  }
  const { request, link } = placement;
  return {
    giftOfChoice: request.gift_of_choice,
    collectionId: request.collection ?? null,
    brandingSelected: request.order_branding,
    senderName: request.sender_name ?? null,
    ...link,
  };
}

function newGifts(
  { method, request }: Placement,
  inviteAtMs: number | null,
  addresses: AddressRules,
  costAt: (index: number) => ReturnType<typeof costOf>,
): NewOrder["gifts"] {
  const giftRecipients = method === "api-giftlink" ? request.recipient_details : [];
  return request.recipient_details.map((recipient, index) => {
    const { redemption_message: emailMessage, language } = giftRecipients[index] ?? {};
    const { delivery_address: address } = recipient;
    return {
      firstName: recipient.first_name,
      lastName: recipient.last_name,
      email: recipient.email,
      phoneNumber: recipient.phone_number,
      emailMessage,
      deliveryAddress: address && normalAddress(address, addresses),
      deliveryNotes: recipient.delivery_notes,
      externalId: recipient.external_id,
      metadata: recipient.metadata,
      // The request keeps the tag as it was sent, because the canonical form of a tag may change with the runtime, and
      // the digest of the request must not.
      language: language && languageOf(language),
      searchTerms: searchTermsOf(recipient),
      ...costAt(index),
      nextEmailMs: inviteAtMs ?? undefined,
    };
  });
}
