// Records the shipments of gifts: ships or delivers them, corrects the tracking of one, or reopens one.
import { notFound, refusal, validationError } from "../../core/api-error.ts";
import { giftNumber, splitGiftId, toGiftId } from "../../core/values/ids.ts";
import { SHIPMENT_PROBLEMS } from "../../core/values/shipment-states.ts";
import { wordsOf } from "../words.ts";
import { plural } from "../../core/values/plural.ts";
import {
  changeShipments,
  MAX_SHIPMENTS,
  planShipments,
  type RequestedShipment,
  type ShipmentOutcome,
  type ShipmentResult,
} from "../../features/fulfilment/change.ts";
import { type GivenTracking, type Tracking, trackingUrlOf } from "../../core/values/tracking.ts";
import type { TrackingInput } from "../../features/fulfilment/tracking.ts";
import {
  type GiftKey,
  type ShipmentStep,
  type ShippedGift,
  TEST_CODE,
} from "../../features/fulfilment/shipment.ts";
import { type CodedGift, readContent, sealCodes } from "../codes/content.ts";
import { addressText } from "../orders/address-text.ts";
import { nameOf } from "../orders/open-order-queries.ts";
import {
  change,
  type OperatorContext,
  type RunContext,
  type ValueChange,
} from "../declaration/declare.ts";
import * as kinds from "../declaration/kinds.ts";
import { readAddressees, readShipments } from "./queries.ts";
import {
  checkTracking,
  isLinkRemoved,
  NO_TRACKING,
  removedLinksText,
  TRACKING_COLUMNS,
  URL_HINT,
} from "./tracking.ts";

/** Follows "This will". */
export const STEP_TEXTS: Record<ShipmentStep, string> = {
  ship: "record the shipment of",
  deliver: "record the delivery of",
  correct: "correct the tracking of",
  reopen: "reopen the shipment of",
  return: "record the return of",
  fail: "record the failed delivery of",
  reship: "take another piece of the stock, and set back to be shipped",
};

/** Follows the number of the gift, or that of several gifts with "are". */
const RESULT_TEXTS: Record<Exclude<ShipmentResult["result"], "refused">, string> = {
  shipped: "recorded as shipped",
  sent: "recorded as sent",
  delivered: "recorded as delivered",
  corrected: "recorded with the corrected tracking",
  reopened: "open again",
  returned: "recorded as returned",
  failed: "recorded as failed",
  unchanged: "recorded already",
};

/** What `reopen` does with the code of a digital gift. */
export const VOID_CODE =
  "The code of a digital gift becomes void, and does not return to the stock.";

/** What usually follows. */
const NEXT_STEPS: Partial<Record<ShipmentStep, string[]>> = {
  reopen: ["shipment ship"],
  reship: ["shipment ship"],
  return: ["recipient correct", "shipment reship", "order cancel"],
  fail: ["recipient correct", "shipment reship", "order cancel"],
};

const GIFT = { gift: kinds.gift("Gift") };
const GIFTS = { gift: kinds.many(kinds.gift("Gifts")) };
const CARRIER = kinds.text("Carrier", { max: 60 });
const TRACKING_NUMBER = kinds.text("Tracking number", { max: 60, hint: "Only of a single gift." });
export const PROBLEM = kinds.choice("What has happened", SHIPMENT_PROBLEMS, { text: wordsOf });
const TRACKING_URL = kinds.url("Tracking link", { hint: URL_HINT });

/** What the recipient of a digital gift gets. */
const CONTENT = {
  code: kinds.optional(kinds.text("Code", { hint: "Only of a single gift." })),
  pin: kinds.optional(kinds.text("PIN", { hint: "Only of a single gift." })),
  url: kinds.optional(kinds.url("Link of a digital gift", { hint: "An https URL." })),
  valid_until: kinds.optional(kinds.day("Valid until", { hint: "Of the code, PIN or link." })),
};
const OF_SINGLE_GIFTS = ["tracking_number", "code", "pin"] as const;

/** Where the parcels go, and what their recipients are told. */
const PARCELS = {
  lists: {
    parcels: {
      title: "Parcels",
      columns: {
        gift: kinds.gift("Gift"),
        name: kinds.text("Recipient"),
        address: kinds.text("Address"),
        ...TRACKING_COLUMNS,
      },
    },
  },
};

/** The audit log records that the addresses are shown. */
export const shipmentShip = change({
  name: "shipment ship",
  title: "Record as shipped",
  description:
    "A digital gift is recorded as sent, with its code, PIN or link. It has no carrier and no tracking. If one of several gifts cannot be shipped, nothing is changed.",
  permission: "shipments",
  input: {
    ...GIFTS,
    carrier: kinds.optional(CARRIER),
    tracking_number: kinds.optional(TRACKING_NUMBER),
    tracking_url: kinds.optional(TRACKING_URL),
    ...CONTENT,
  },
  examples: [
    "GO-00042-3 --carrier DHL --tracking-number JD0146",
    "GO-00042-1 GO-00042-2 --carrier DHL",
  ],
  preview: PARCELS,
  present: async (context, { gift = [] }) => {
    await refuseEarly(context, "ship", gift);
    return {};
  },
  plan: async (context, { gift, ...input }) => {
    const single = OF_SINGLE_GIFTS.filter((name) => input[name] !== undefined);
    if (gift.length > 1 && single.length > 0) {
      const message = "is only for a single gift";
      throw validationError(single.map((field) => ({ field, message })));
    }
    const coded: CodedGift = { content: readContent(input) };
    await sealCodes(context, [coded], context.nowMs);
    const plan = await planStep(context, "ship", gift, { ...trackingIn(input), code: coded.code });
    if (plan.will === null) return plan;
    await context.record({ type: "gift", keys: plan.changing }, { read: "address" });
    const addressees = await readAddressees(context.DB, plan.changing);
    const parcels = addressees.map((each) => ({
      ...plan.tracking,
      trackingUrl: trackingUrlOf(plan.tracking),
      gift: toGiftId(each.orderId, each.sequence),
      name: nameOf(each),
      address: addressText(each.deliveryAddress) ?? each.email,
    }));
    return { ...plan, preview: { lists: { parcels } } };
  },
  run: runStep,
});

export const shipmentDeliver = change({
  name: "shipment deliver",
  title: "Record as delivered",
  permission: "shipments",
  input: GIFTS,
  examples: ["GO-00042-3"],
  present: async (context, { gift = [] }) => {
    await refuseEarly(context, "deliver", gift);
    return {};
  },
  plan: (context, { gift }) => planStep(context, "deliver", gift),
  run: runStep,
});

const undelivered = (step: "return" | "fail", title: string, description: string) =>
  change({
    name: `shipment ${step}`,
    title,
    description: `${description} The gift then waits until it is shipped again or cancelled, and its recipient can be corrected.`,
    permission: "shipments",
    input: { ...GIFTS, problem: PROBLEM },
    examples: [`GO-00042-3 --problem ${step === "fail" ? "lost" : "refused"}`],
    present: async (context, { gift = [] }) => {
      await refuseEarly(context, step, gift);
      return {};
    },
    plan: (context, { gift, problem }) => planStep(context, step, gift, { problem }),
    run: runStep,
  });

export const shipmentReturn = undelivered(
  "return",
  "Record as returned",
  "For a parcel that came back.",
);
export const shipmentFail = undelivered(
  "fail",
  "Record as failed",
  "For a parcel that does not arrive and does not come back.",
);

export const shipmentReship = change({
  name: "shipment reship",
  title: "Ship again",
  description:
    "Sets a gift whose parcel is returned or failed back to be shipped, with another piece of the stock. The tracking of the earlier parcel is kept.",
  permission: "shipments",
  input: GIFT,
  examples: ["GO-00042-3"],
  plan: (context, { gift }) => planStep(context, "reship", [gift]),
  run: runStep,
});

export const shipmentReopen = change({
  name: "shipment reopen",
  title: "Reopen the shipment",
  description: "Sets a shipment that was recorded by mistake back to open.",
  permission: "shipments",
  input: GIFT,
  examples: ["GO-00042-3"],
  plan: async (context, { gift }) => {
    const plan = await planStep(context, "reopen", [gift]);
    const isSent = plan.changes.some(({ before }) => before === "sent");
    return { ...plan, preview: { warnings: isSent ? [VOID_CODE] : [] } };
  },
  run: runStep,
});

/** The audit log records that the present tracking is shown. */
export const shipmentCorrect = change({
  name: "shipment correct",
  title: "Correct the tracking",
  description:
    "What is not entered stays as it is, and the link follows the number. The earlier tracking is kept.",
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
    await refuseEarly({ DB }, "correct", [gift]);
    const { carrier, trackingNumber, trackingUrl } = await requireShipment(DB, gift);
    await record({ type: "gift", keys: [gift] }, { read: "tracking" });
    return { carrier, tracking_number: trackingNumber, tracking_url: trackingUrl };
  },
  plan: async (context, input) => {
    const { gift } = input;
    const present = await requireShipment(context.DB, gift);
    const plan = await planStep(context, "correct", [gift], trackingIn(input));
    if (plan.will === null) return plan;
    await context.record({ type: "gift", keys: [gift] }, { read: "tracking" });
    const isRemoved = input.tracking_url !== null && isLinkRemoved(present, plan.tracking);
    const warnings = isRemoved ? [removedLinksText(1)] : [];
    return { ...plan, changes: trackingChanges(present, plan.tracking), preview: { warnings } };
  },
  run: runStep,
});

const trackingIn = (
  input: Partial<Record<keyof TrackingInput, string | null | undefined>>,
): GivenTracking => ({
  carrier: input.carrier,
  trackingNumber: input.tracking_number,
  trackingUrl: input.tracking_url,
});

/** Errors: `validation_error`, `not_allowed_in_state`. */
async function planStep(
  { DB }: Pick<OperatorContext, "DB">,
  step: ShipmentStep,
  giftIds: readonly number[],
  given: Omit<RequestedShipment, keyof GiftKey> = {},
) {
  const ids = [...new Set(giftIds)];
  if (ids.length > MAX_SHIPMENTS) {
    const message = `must be at most ${String(MAX_SHIPMENTS)} gifts`;
    throw validationError([{ field: "gift", message }]);
  }
  const requested = ids.map((id) => ({ ...splitGiftId(id), ...given }));
  const planned = await planShipments(DB, step, requested, null);
  const { tracking = NO_TRACKING } = planned[0] ?? {};
  checkTracking(tracking);
  const outcomes = planned.map((outcome, n) => required(ids[n] ?? 0, outcome));
  const changed = outcomes.filter(({ result }) => result !== "unchanged");
  const changing = changed.map(({ gift }) => toGiftId(gift.orderId, gift.sequence));
  const clients = [...new Set(changed.map(({ gift }) => gift.clientId))];
  return {
    step,
    tracking,
    changing,
    will:
      changing.length === 0
        ? null
        : `${STEP_TEXTS[step]} ${giftsText(changing)} of ${clients.length === 1 ? clients.join() : plural(clients.length, "client")}`,
    changes: changed.length === 1 ? changed.map(statusChange) : [],
    subjects: [{ type: "gift" as const, keys: changing }],
  };
}

/** Such as `GO-00042-3` or `40 gifts`. */
const giftsText = (ids: readonly number[]) =>
  ids.length === 1 ? giftNumber(ids[0] ?? 0) : plural(ids.length, "gift");

const statusChange = ({ gift, result }: { gift: ShippedGift; result: string }): ValueChange => ({
  label: "Shipment",
  before: gift.shipmentStatus === "open" ? "to ship" : gift.shipmentStatus,
  after: result === "reopened" ? "to ship" : result,
});

function trackingChanges(before: Tracking, after: Tracking): ValueChange[] {
  const changed = ({ label }: kinds.Kind, old: string | null, present: string | null) =>
    old === present ? [] : [{ label, before: old, after: present }];
  return [
    ...changed(CARRIER, before.carrier, after.carrier),
    ...changed(TRACKING_NUMBER, before.trackingNumber, after.trackingNumber),
    ...changed(TRACKING_URL, trackingUrlOf(before), trackingUrlOf(after)),
  ];
}

/** A gift may have changed since the plan was made. It is then refused, and the others are recorded. */
async function runStep(
  { DB, attempt, nowMs }: RunContext,
  { step, changing, tracking }: Awaited<ReturnType<typeof planStep>>,
) {
  const request = { clientId: null, requestId: attempt, nowMs };
  const requested = changing.map((id) => ({ ...splitGiftId(id), ...tracking }));
  const outcomes = await changeShipments(DB, step, requested, request);
  const [first] = outcomes;
  if (first && outcomes.length === 1) required(changing[0] ?? 0, first);
  const byResult = Map.groupBy(outcomes, ({ result }) => result);
  const texts = [...byResult].map(([result, same]) => {
    const ids = same.map((each) => changing[outcomes.indexOf(each)] ?? 0);
    const state =
      result === "refused" ? "not recorded, because they have changed" : RESULT_TEXTS[result];
    return `${giftsText(ids)} ${ids.length === 1 ? "is" : "are"} ${state}.`;
  });
  const next = NEXT_STEPS[step];
  return { text: texts.join(" "), actions: next ?? [] };
}

/** The outcome of a gift that is not refused. Errors: `not_allowed_in_state`. */
function required(giftId: number, outcome: ShipmentOutcome) {
  if (!outcome.gift) throw unknownGift(giftId);
  const { gift } = outcome;
  if (outcome.result !== "refused") return { gift, result: outcome.result };
  throw refusal(`${giftNumber(giftId)} ${outcome.reason}.`);
}

/** Errors: `not_allowed_in_state` if the step is impossible for one of the gifts, whatever its tracking and its code are. */
async function refuseEarly(
  context: Pick<OperatorContext, "DB">,
  step: ShipmentStep,
  gifts: readonly number[],
): Promise<void> {
  if (gifts.length > 0) await planStep(context, step, gifts, { code: TEST_CODE });
}

async function requireShipment(db: D1Database, giftId: number) {
  const { orderId, sequence } = splitGiftId(giftId);
  const [shipment] = await readShipments(db, orderId, sequence);
  if (!shipment) throw unknownGift(giftId);
  return shipment;
}

const unknownGift = (giftId: number) => notFound(`there is no gift ${giftNumber(giftId)}.`);
