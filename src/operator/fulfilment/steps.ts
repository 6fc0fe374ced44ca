// Records the shipment of one gift: ships or delivers it, corrects its tracking, or reopens it.
import { giftNumber, splitSuborderId } from "../../core/values/ids.ts";
import {
  changeShipments,
  planShipments,
  type ShipmentOutcome,
  type ShipmentResult,
} from "../../features/fulfilment/change.ts";
import type { ShipmentStep, ShippedGift, Tracking } from "../../features/fulfilment/shipment.ts";
import {
  change,
  type OperatorContext,
  type RunContext,
  type ValueChange,
} from "../declaration/declare.ts";
import * as kinds from "../declaration/kinds.ts";
import { NotFound, Refusal } from "../refusal.ts";
import { readShipments } from "./queries.ts";
import { checkTracking, NO_TRACKING, URL_HINT, withDefaults } from "./tracking.ts";

/** Follows "This will". */
export const STEP_TEXTS: Record<ShipmentStep, string> = {
  ship: "record the shipment of",
  deliver: "record the delivery of",
  correct: "correct the tracking of",
  reopen: "reopen the shipment of",
};

/** Follows the number of the gift. */
const RESULT_TEXTS: Record<Exclude<ShipmentResult["result"], "refused">, string> = {
  shipped: "is recorded as shipped",
  sent: "is recorded as sent",
  delivered: "is recorded as delivered",
  corrected: "has the corrected tracking",
  reopened: "is open again",
  unchanged: "was recorded already",
};

const GIFT = { gift: kinds.gift("Gift") };
const CARRIER = kinds.text("Carrier", { max: 60 });
const TRACKING_NUMBER = kinds.text("Tracking number", { max: 60 });
const TRACKING_URL = kinds.url("Tracking link", { hint: URL_HINT });

export const shipmentShip = change({
  name: "shipment ship",
  title: "Record as shipped",
  description: "A digital gift is recorded as sent. It has no carrier and no tracking.",
  permission: "shipments",
  input: {
    ...GIFT,
    carrier: kinds.optional(CARRIER),
    tracking_number: kinds.optional(TRACKING_NUMBER),
    tracking_url: kinds.optional(TRACKING_URL),
  },
  examples: ["GO-00042-3 --carrier DHL --tracking-number JD0146"],
  plan: (context, input) => planStep(context, "ship", input.gift, merged(input, NO_TRACKING)),
  run: runStep,
});

export const shipmentDeliver = change({
  name: "shipment deliver",
  title: "Record as delivered",
  permission: "shipments",
  input: GIFT,
  examples: ["GO-00042-3"],
  plan: (context, { gift }) => planStep(context, "deliver", gift),
  run: runStep,
});

export const shipmentReopen = change({
  name: "shipment reopen",
  title: "Reopen the shipment",
  description: "Sets a shipment that was recorded by mistake back to open.",
  permission: "shipments",
  input: GIFT,
  examples: ["GO-00042-3"],
  plan: (context, { gift }) => planStep(context, "reopen", gift),
  run: runStep,
});

/** The audit log records that a form has shown the present tracking. A plan does not show it. */
export const shipmentCorrect = change({
  name: "shipment correct",
  title: "Correct the tracking",
  description: "What is not entered stays as it is, and the earlier tracking is kept.",
  permission: "shipments",
  input: {
    ...GIFT,
    carrier: kinds.nullable(CARRIER),
    tracking_number: kinds.nullable(TRACKING_NUMBER),
    tracking_url: kinds.nullable(TRACKING_URL),
  },
  examples: ["GO-00042-3 --carrier UPS --tracking-number 1Z999"],
  present: async ({ DB, record }, { gift }) => {
    if (gift === undefined) return {};
    const { carrier, trackingNumber, trackingUrl } = await requireShipment(DB, gift);
    await record({ type: "gift", keys: [gift] }, { read: "tracking" });
    return { carrier, tracking_number: trackingNumber, tracking_url: trackingUrl };
  },
  plan: async (context, input) => {
    const present = await requireShipment(context.DB, input.gift);
    return planStep(context, "correct", input.gift, merged(input, present));
  },
  run: runStep,
});

type TrackingInputs = Partial<
  Record<"carrier" | "tracking_number" | "tracking_url", string | null | undefined>
>;

/** The values that are not given are the present ones. */
const merged = (
  { carrier, tracking_number, tracking_url }: TrackingInputs,
  present: Tracking,
): Tracking => ({
  carrier: carrier === undefined ? present.carrier : carrier,
  trackingNumber: tracking_number === undefined ? present.trackingNumber : tracking_number,
  trackingUrl: tracking_url === undefined ? present.trackingUrl : tracking_url,
});

/** The tracking's URL may contain the placeholder. Errors: `validation_error`, `Refusal`. */
async function planStep(
  { DB }: OperatorContext,
  step: ShipmentStep,
  giftId: number,
  entered: Tracking = NO_TRACKING,
) {
  const tracking = withDefaults({ ...entered, trackingUrl: null }, entered);
  checkTracking(tracking);
  const requested = { ...splitSuborderId(giftId), ...tracking };
  const { gift, result } = required(giftId, await planShipments(DB, step, [requested], null));
  const changes =
    step === "correct" ? trackingChanges(gift, tracking) : statusChanges(gift, result);
  return {
    step,
    giftId,
    requested,
    will:
      result === "unchanged"
        ? null
        : `${STEP_TEXTS[step]} ${giftNumber(giftId)} of ${gift.clientId}`,
    changes: result === "unchanged" ? [] : changes,
    subjects: [{ type: "gift" as const, keys: [giftId] }],
  };
}

const statusChanges = ({ shipmentStatus }: ShippedGift, result: string): ValueChange[] => [
  { label: "Shipment", before: shipmentStatus, after: result === "reopened" ? "open" : result },
];

/** The tracking leads to the recipient, so the present one is not shown. */
function trackingChanges(gift: Tracking, tracking: Tracking): ValueChange[] {
  const hidden = (value: string | null) => value && "(recorded)";
  const changed = (name: keyof Tracking, { label }: kinds.Kind, before = hidden(gift[name])) =>
    gift[name] === tracking[name] ? [] : [{ label, before, after: tracking[name] }];
  return [
    ...changed("carrier", CARRIER, gift.carrier),
    ...changed("trackingNumber", TRACKING_NUMBER),
    ...changed("trackingUrl", TRACKING_URL),
  ];
}

async function runStep(
  { DB, nowMs }: RunContext,
  { step, giftId, requested }: Awaited<ReturnType<typeof planStep>>,
) {
  const request = { clientId: null, requestId: crypto.randomUUID(), nowMs };
  const outcomes = await changeShipments(DB, step, [requested], request);
  const { result } = required(giftId, outcomes);
  return { text: `${giftNumber(giftId)} ${RESULT_TEXTS[result]}.` };
}

/** The outcome of a gift that is not refused. Errors: `Refusal`. */
function required(giftId: number, [outcome]: readonly ShipmentOutcome[]) {
  if (!outcome?.gift) throw notFound(giftId);
  const { gift } = outcome;
  if (outcome.result !== "refused") return { gift, result: outcome.result };
  throw new Refusal(`${giftNumber(giftId)} ${outcome.reason}.`);
}

async function requireShipment(db: D1Database, giftId: number) {
  const { orderId, sequence } = splitSuborderId(giftId);
  const [shipment] = await readShipments(db, orderId, sequence);
  if (!shipment) throw notFound(giftId);
  return shipment;
}

const notFound = (giftId: number) => new NotFound(`there is no gift ${giftNumber(giftId)}.`);
