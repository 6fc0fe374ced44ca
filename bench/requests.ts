// Requests of the benchmarks, to Regalo and to the floors for the same work.
import { NEW_RECIPIENT, type NewRecipient } from "../src/features/orders/order.ts";
import type { NewOrder } from "../src/features/orders/queries.ts";
import type { BenchClient } from "./fill.ts";

export interface BenchProduct {
  id: number;
  revision: string;
  priceMinor: number;
  shippingMinor: number;
}

/** The product at the position of the filled catalogue. */
export async function productAt(d1: D1Database, position: number): Promise<BenchProduct> {
  const product = await d1
    .prepare(
      `SELECT r.product_id AS id, r.revision, r.price_minor AS priceMinor,
         r.shipping_minor AS shippingMinor
       FROM catalogues c
       JOIN catalogue_entries e ON e.catalogue_id = c.id AND e.version = c.version
       JOIN product_revisions r ON r.product_id = e.product_id AND r.revision = e.revision
       WHERE c.name = 'bench' AND e.position = ?1`,
    )
    .bind(position)
    .first<BenchProduct>();
  if (!product) throw new Error(`the catalogue has no product ${String(position)}`);
  return product;
}

let references = 0;
/** A new order_ref_id. */
export const newReference = () => `ref-${String(++references)}`;

const ADDRESS = {
  address_line_1: "14 Plane Tree Lane",
  suburb: "Brunswick",
  state: "VIC",
  postcode_zipcode: "3056",
  country: "AU",
};
const email = (index: number) => `recipient-${String(index)}@example.com`;
const PHONE_NUMBER = "+61 2 5550 0100";

/** The body of POST /api/order and of POST /api/gift-link. */
export function placementBody(
  product: BenchProduct,
  recipients: number,
  reference: string,
): string {
  return JSON.stringify({
    order_ref_id: reference,
    product_id: product.id,
    currency: "AUD",
    base_location: "AU",
    recipient_details: Array.from({ length: recipients }, (_, index) => ({
      first_name: "Robin",
      last_name: "Okonkwo-Bell",
      email: email(index),
      phone_number: PHONE_NUMBER,
      delivery_address: ADDRESS,
    })),
  });
}

const NO_VALUES = Object.fromEntries(NEW_RECIPIENT.map((name) => [name, undefined])) as Record<
  keyof NewRecipient,
  undefined
>;

/** The same order as Regalo writes it, for the floor. */
export function readyOrder(
  client: BenchClient,
  product: BenchProduct,
  recipients: number,
  method: NewOrder["giftOrderMethod"],
): NewOrder {
  const subtotalMinor = recipients * product.priceMinor;
  const shippingCostMinor = recipients * product.shippingMinor;
  return {
    clientId: client.clientId,
    orderRefId: newReference(),
    placementId: crypto.randomUUID(),
    requestDigest: "0".repeat(64),
    giftOrderMethod: method,
    status: "paid",
    giftOfChoice: "N",
    brandingSelected: "platform",
    senderName: null,
    branding: null,
    catalogueId: client.catalogueId,
    productId: product.id,
    variationId: null,
    productRevision: product.revision,
    baseLocation: "AU",
    currency: "AUD",
    productPriceMinor: product.priceMinor,
    qty: recipients,
    subtotalMinor,
    shippingCostMinor,
    orderFeeMinor: 0,
    orderTotalMinor: subtotalMinor + shippingCostMinor,
    recipients: Array.from({ length: recipients }, (_, index) => ({
      ...NO_VALUES,
      firstName: "Robin",
      lastName: "Okonkwo-Bell",
      email: email(index),
      phoneNumber: PHONE_NUMBER,
      deliveryAddress: ADDRESS,
    })),
    linkNonce: method === "api-giftlink" ? "0".repeat(8) : null,
    linkKeyId: null,
    expiresAtMs: null,
    sendAtMs: null,
    nextExpiryCheckMs: null,
    metadata: null,
    createdAtMs: Date.now(),
  };
}
