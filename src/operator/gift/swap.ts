// Swaps an accepted gift for another product.
import { ApiError, notFound, refusal } from "../../core/api-error.ts";
import { giftNumber, orderNumber, splitGiftId } from "../../core/values/ids.ts";
import { amountText } from "../../core/values/money.ts";
import { readFilteredPage } from "../../features/catalogue/filtered.ts";
import { findClient } from "../../features/clients/queries.ts";
import type { OrderState } from "../../features/lifecycle/queries.ts";
import { operatorKey } from "../../features/lifecycle/order-key.ts";
import { checkOrder } from "../../features/orders/check.ts";
import type { OrderRequest, Placement } from "../../features/orders/contract.ts";
import { newLink } from "../../features/orders/gift-link.ts";
import { newOrder, placementKey } from "../../features/orders/new-order.ts";
import type { Gift, Order } from "../../features/orders/order.ts";
import { findOrder, readOutcome } from "../../features/orders/queries.ts";
import { requestDigestOf } from "../../features/orders/request-digest.ts";
import { retrying } from "../../platform/db/faults.ts";
import { ADDRESS_RULES } from "../address-rules.ts";
import { priceText } from "../catalogue/publication-shape.ts";
import { change, type PlanContext } from "../declaration/declare.ts";
import * as kinds from "../declaration/kinds.ts";
import { requireOrder } from "../order/queries.ts";
import { readProductName, writeSwap } from "./swap-queries.ts";

/** Products that a form suggests. */
const MAX_CHOICES = 500;

/** Cancels the gift, and orders the product for the same recipient and address. One transaction. */
export const giftSwap = change({
  name: "gift swap",
  title: "Swap for another product",
  description:
    "Cancels an accepted gift that is not shipped, and orders another product for the same recipient and address, at its present price. The link of the old gift opens the new one, and an e-mail says so if the recipient gets e-mails.",
  permission: "gifts",
  isFinal: true,
  input: {
    gift: kinds.gift("Gift"),
    product: kinds.option(kinds.product("New product")),
    variation: kinds.optional(kinds.id("Variation")),
  },
  examples: ['GO-00042-3 --product 17 --reason "Ticket 9"'],
  result: { facts: { gift: kinds.gift("Cancelled"), order: kinds.order("New order") } },
  present: async ({ DB }, { gift = 0 }) => {
    await requireSwappable(DB, gift);
    return {};
  },
  choices: async ({ DB }, { gift = 0 }) => {
    const { order } = await requireSwappable(DB, gift);
    const client = await findClient(DB, order.clientId);
    if (!client) return {};
    const query = { q: "", product_type: null, page: 1, limit: MAX_CHOICES };
    const { listed } = await readFilteredPage(DB, client.catalogue, query);
    const affordable = listed.filter(({ product }) => product.currency === order.currency);
    const names = affordable.map(({ product }) => [
      product.id,
      `${product.name}, ${priceText(product)}`,
    ]);
    return { product: Object.fromEntries(names) as Record<string, string> };
  },
  plan: async (context, { gift: giftId, product, variation }) => {
    const { DB, nowMs } = context;
    const { state, order, gift, refundMinor: share } = await requireSwappable(DB, giftId);
    const placement = await placementOf(context, order, gift, { product, variation });
    const { client, request } = placement;
    const key = placementKey(placement);
    const outcome = await readOutcome(DB, key, nowMs);
    const returned = state.owedMinor === null ? share : 0;
    if (outcome.order) throw refusal(`${giftNumber(giftId)} was swapped before.`);
    const { facts } = outcome;
    const { offer, balanceMinor } = facts;
    if (!offer)
      throw notFound(`product ${String(product)} is not in the catalogue of ${client.id}.`);
    const after = { ...facts, balanceMinor: balanceMinor + returned, limits: null };
    const addresses = ADDRESS_RULES;
    const totals = checkOrder(after, placement, { nowMs, addresses });
    if (totals instanceof ApiError) {
      const number = giftNumber(giftId);
      throw totals.fields
        ? refusal(
            `the address of the recipient does not suffice for this product. Correct it first (recipient correct ${number}).`,
          )
        : totals;
    }
    const placed = newOrder(placement, offer, totals, { nowMs, addresses });
    const language = gift.language ?? undefined;
    const money = (minor: number) => amountText(minor, state.currency);
    const [before, name] = await Promise.all([
      readProductName(DB, gift.productId, gift.selectedRevision ?? order.productRevision),
      readProductName(DB, request.product_id, offer.revision),
    ]);
    const back =
      state.owedMinor === null
        ? `return ${money(returned)} of credit`
        : `leave ${money(share)} to be refunded`;
    const paid = client.billing === "credit" ? "from the credit" : "on invoice";
    return {
      giftId,
      orderId: order.id,
      // The recipient sees the same sender, in the same language.
      newOrder: {
        ...placed,
        brandingSelected:
          order.brandingSelected === "company" ? ("company" as const) : ("platform" as const),
        branding: order.branding,
        senderName: order.senderName,
        gifts: placed.gifts.map((each) => ({ ...each, language })),
      },
      requestDigest: await requestDigestOf(placement),
      key,
      will: `cancel ${giftNumber(giftId)} of ${client.id}, ${back}, and order ${name} for the same recipient for ${money(totals.orderTotalMinor)} ${paid}`,
      changes: [
        { label: "Product", before, after: name },
        {
          label: "Total",
          before: money(share),
          after: money(totals.orderTotalMinor),
        },
      ],
      subjects: [
        { type: "order", keys: [order.id] },
        { type: "gift", keys: [giftId] },
      ],
    };
  },
  run: async ({ DB, nowMs, attempt: id }, plan) => {
    const { giftId, orderId, key, requestDigest } = plan;
    await retrying((attempt) => {
      // An earlier attempt may have been committed. Then this one changes nothing.
      const endingId = `${id}.${String(attempt)}`;
      const placed = { requestDigest, createdAtMs: nowMs, placementId: endingId };
      const ends = { kind: "cancel" as const, giftIds: [giftId], withRedeemed: true };
      const ending = { ...operatorKey(orderId), ...ends, endingId, nowMs };
      return writeSwap(DB, orderId, ending, { ...plan.newOrder, ...placed });
    });
    const { order } = await readOutcome(DB, key, nowMs);
    if (!order?.placementId.startsWith(id)) {
      throw refusal(
        `${giftNumber(giftId)} or the stock has changed meanwhile. Nothing was changed.`,
      );
    }
    return {
      text: `${giftNumber(giftId)} is cancelled, and ${orderNumber(order.id)} is placed for the same recipient.`,
      facts: { gift: giftId, order: order.id },
    };
  },
});

/** Errors: `not_found`; `not_allowed_in_state` if the gift is not to be shipped. */
async function requireSwappable(
  db: D1Database,
  giftId: number,
): Promise<{ state: OrderState; order: Order; gift: Gift; refundMinor: number }> {
  const { orderId, sequence } = splitGiftId(giftId);
  const state = await requireOrder(db, orderId);
  const key = { clientId: state.clientId, ownId: null, orderId, orderRefId: null };
  const found = await findOrder(db, key);
  const gift = found?.gifts.find((each) => each.sequence === sequence);
  if (!found || !gift) throw notFound(`there is no gift ${giftNumber(giftId)}.`);
  const { isToDeliver = 0, refundMinor = 0 } =
    state.gifts.find((each) => each.sequence === sequence) ?? {};
  if (isToDeliver === 0) {
    throw refusal(
      `${giftNumber(giftId)} cannot be swapped: only a gift that is to be shipped can.`,
    );
  }
  return { state, order: found.order, gift, refundMinor };
}

/** The order of the same recipient, whose reference names the gift, so that it is placed once. */
async function placementOf(
  env: PlanContext,
  order: Order,
  gift: Gift,
  { product, variation }: { product: number; variation: number | undefined },
): Promise<Placement> {
  const { GIFT_LINK_SECRET, PUBLIC_URL } = env;
  const client = await findClient(env.DB, order.clientId);
  if (!client || GIFT_LINK_SECRET === undefined) throw refusal("GIFT_LINK_SECRET is not set.");
  if (client.status !== "active")
    throw refusal(`${client.id} is suspended (client resume ${client.id}).`);
  return {
    method: "api-purchase",
    client,
    // Limits are those of partners' credentials.
    credentialId: null,
    ownId: null,
    link: await newLink({ GIFT_LINK_SECRET, PUBLIC_URL }),
    request: {
      order_ref_id: `swap of ${giftNumber(gift.orderId * 1000 + gift.sequence)}`,
      product_id: product,
      variation_id: variation,
      currency: order.currency,
      base_location: order.baseLocation,
      recipient_details: [
        {
          first_name: gift.firstName,
          last_name: gift.lastName,
          email: gift.deliveryEmail ?? gift.email,
          phone_number: gift.phoneNumber ?? undefined,
          delivery_address: gift.deliveryAddress ?? undefined,
          delivery_notes: gift.deliveryNotes ?? undefined,
          external_id: gift.externalId ?? undefined,
          metadata: gift.metadata ?? undefined,
        } satisfies Record<keyof OrderRequest["recipient_details"][number], unknown>,
      ],
      metadata: order.metadata ?? undefined,
      send_codes: order.sendCodes === 1,
      campaign: order.campaign ?? undefined,
    } satisfies Record<keyof OrderRequest, unknown>,
  };
}
