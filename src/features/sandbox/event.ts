// Causes events with the functions that cause them in production.
import { notFound, refusal } from "../../core/api-error.ts";
import { validate } from "../../core/validation/validate.ts";
import { splitGiftId, toGiftId, toGiftNumber } from "../../core/values/ids.ts";
import { loadAddressRules } from "../../platform/assets.ts";
import { retrying } from "../../platform/db/faults.ts";
import { batch } from "../../platform/db/sql.ts";
import type { Bindings } from "../../platform/env.ts";
import { changeShipments } from "../fulfilment/change.ts";
import type { ShipmentProblem } from "../../core/values/shipment-states.ts";
import { type ShipmentStep, TEST_CODE } from "../fulfilment/shipment.ts";
import { cancel } from "../lifecycle/cancel.ts";
import { unknownGift } from "../lifecycle/change.ts";
import { endGifts } from "../lifecycle/end.ts";
import { extend, extendGift, requireLastDay } from "../lifecycle/extend.ts";
import { type GiftState, stateOf } from "../lifecycle/gift-state.ts";
import { type OrderKey, orderKeyOf } from "../lifecycle/order-key.ts";
import { bindPayment } from "../lifecycle/payment-queries.ts";
import { type OrderState, requireOrderState, SELECT_STATE, toState } from "../lifecycle/queries.ts";
import { OrderSelection } from "../orders/selection.ts";
import { decline, reinstate } from "../redeem/decline.ts";
import { type LinkedGiftKey, writeOpening } from "../redeem/queries.ts";
import type { RedeemContext } from "../redeem/redeem.ts";
import { thank } from "../redeem/thank.ts";
import {
  GiftSelection,
  ProductSelection,
  type SandboxEvent,
  type SandboxEventRequest,
} from "./contract.ts";
import {
  ofClient,
  requireGiftWithLink,
  notAllowed,
  requireOwnGift,
  type SandboxContext,
} from "./control.ts";
import { type SimulatedReport, reportEmail } from "./emails.ts";
import { insertProductEvent } from "./queries.ts";
import { redeemGift } from "./redeem-gift.ts";

interface EventContext extends SandboxContext {
  assets: Bindings["ASSETS"];
}

type CauseOf<Selected> = (
  context: EventContext,
  selected: Selected,
  request: SandboxEventRequest,
) => Promise<unknown>;
type Cause = (context: EventContext, request: SandboxEventRequest) => Promise<unknown>;

const ofOrder =
  (cause: CauseOf<OrderKey>): Cause =>
  (context, request) =>
    cause(
      context,
      orderKeyOf(validate(OrderSelection(), request), ofClient(context.clientId)),
      request,
    );

const ofGift =
  (cause: CauseOf<number>): Cause =>
  (context, request) =>
    cause(context, validate(GiftSelection(), request).suborder_id, request);

/** `change` leaves the gift in the state, unless another state forbids it. `verb` names the change in its refusal. */
const intoState = (
  state: GiftState,
  verb: string,
  change: (context: SandboxContext & RedeemContext, key: LinkedGiftKey) => Promise<unknown>,
): Cause =>
  ofGift(async (context, giftId) => {
    const { nonce, linkGeneration: generation } = await requireGiftWithLink(context, giftId);
    const key = { ...splitGiftId(giftId), nonce, generation };
    await change({ ...context, near: context.d1 }, key);
    const after = stateOf(await requireOwnGift(context, giftId), {
      nowMs: context.nowMs,
      generation,
    });
    if (after !== state) throw notAllowed(verb, after);
  });

/** Parcels are shipped, and digital gifts are sent with a test code. */
const shipment = (
  step: Exclude<ShipmentStep, "correct" | "reship">,
  delivery?: "physical" | "digital",
  problem?: ShipmentProblem,
): Cause =>
  ofGift(async (context, giftId, { carrier, tracking_number, tracking_url }) => {
    const { d1, clientId, nowMs, requestId } = context;
    const key = splitGiftId(giftId);
    const number = toGiftNumber(key.orderId, key.sequence);
    const actual = delivery && (await requireOwnGift(context, giftId)).delivery;
    if (actual !== delivery) throw refusal(`${number} is a ${String(actual)} gift.`);
    const tracking = { carrier, trackingNumber: tracking_number, trackingUrl: tracking_url };
    const gift = { ...key, ...tracking, code: TEST_CODE, problem };
    const [outcome] = await changeShipments(d1, step, [gift], { clientId, nowMs, requestId });
    if (!outcome?.gift) throw unknownGift();
    if (outcome.result === "refused") throw refusal(`${number} ${outcome.reason}.`);
  });

const report = (status: SimulatedReport): Cause =>
  ofGift((context, giftId) => reportEmail(context, giftId, status));

/** Inserts the event only, for one client. In production, the events of a publication are for all clients of the catalogue. */
const inserted: Cause = async ({ d1, clientId, nowMs }, request) => {
  const { product_id: productId } = validate(ProductSelection(), request);
  const event = { clientId, productId, type: request.event, nowMs };
  if (!(await insertProductEvent(d1, event)))
    throw notFound(`There is no product ${String(productId)} in your catalogue.`);
};

const CAUSES: Record<SandboxEvent, Cause> = {
  "order.paid": ofOrder(async ({ d1, nowMs }, key) => {
    const payment = { ...key, reference: null, owedMinor: null, nowMs };
    const { state } = await retrying(() =>
      batch(d1, { ...bindPayment(d1, payment), state: SELECT_STATE.bind(d1, key) }),
    );
    requireStatus(toState(state, key), "paid");
  }),
  "order.failed": ofOrder(async ({ d1, nowMs, requestId }, key) => {
    const ending = { ...key, kind: "fail", giftIds: null, nowMs, requestId } as const;
    requireStatus((await endGifts(d1, ending)).order, "failed");
  }),
  "order.cancelled": ofOrder(({ d1, nowMs, requestId }, key) =>
    cancel(d1, { ...key, giftIds: null, nowMs, requestId }),
  ),
  "order.extended": ofOrder(async ({ d1, clientId, nowMs }, key, { redeem_by }) => {
    const { id: orderId } = await requireOrderState(d1, key);
    await extend(d1, { ...ofClient(clientId), orderId }, requireLastDay(redeem_by, nowMs), nowMs);
  }),
  "gift.opened": intoState("open", "be opened", ({ d1, nowMs }, key) =>
    writeOpening(d1, key, nowMs),
  ),
  "gift.redeemed": ofGift(async (context, suborder_id, { delivery_address, delivery_notes }) =>
    redeemGift(
      context,
      { suborder_id, delivery_address, delivery_notes },
      await loadAddressRules(context.assets),
    ),
  ),
  "gift.thanked": intoState("redeemed", "be thanked for", (context, key) =>
    thank(context, key, "Thank you!"),
  ),
  "gift.declined": intoState("declined", "be declined", decline),
  "gift.reinstated": intoState("open", "be reinstated", reinstate),
  "gift.extended": ofGift((context, giftId, { redeem_by }) => {
    const key = { ...splitGiftId(giftId), ...ofClient(context.clientId) };
    return extendGift(context.d1, key, requireLastDay(redeem_by, context.nowMs), context.nowMs);
  }),
  "gift.expired": intoState(
    "expired",
    "expire",
    ({ d1, clientId, nowMs, requestId }, { orderId, sequence }) => {
      const giftIds = [toGiftId(orderId, sequence)];
      const ending = { kind: "expire", giftIds, nowMs, requestId } as const;
      return endGifts(d1, { ...orderKeyOf({ order_id: orderId }, ofClient(clientId)), ...ending });
    },
  ),
  "gift.shipped": shipment("ship", "physical"),
  "gift.delivered": shipment("deliver"),
  "gift.sent": shipment("ship", "digital"),
  "gift.returned": shipment("return", "physical", "refused"),
  "gift.failed": shipment("fail", "physical", "lost"),
  "gift.reopened": shipment("reopen"),
  "email.delivered": report("delivered"),
  "email.deferred": report("deferred"),
  "email.bounced": report("bounced"),
  "email.rejected": report("rejected"),
  "email.complained": report("complained"),
  "product.added": inserted,
  "product.changed": inserted,
  "product.removed": inserted,
  "product.sold_out": inserted,
  "product.available": inserted,
};

/**
 * Causes the event. Except for e-mails and products, a repeated request changes nothing. Errors: `not_found`,
 * `not_allowed_in_state`, `not_cancellable`, `validation_error`.
 */
export async function causeEvent(
  context: EventContext,
  request: SandboxEventRequest,
): Promise<void> {
  await CAUSES[request.event](context, request);
}

function requireStatus({ status }: OrderState, required: "paid" | "failed"): void {
  if (status === required) return;
  throw refusal(`The order is ${status}. Only a created order can become ${required}.`);
}
