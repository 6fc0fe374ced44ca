// What the steps of shipments share: their plans, and how they are carried out.
import { notFound, refusal, validationError } from "../../core/api-error.ts";
import { giftNumber, splitGiftId, toGiftId } from "../../core/values/ids.ts";
import { SHIPMENT_PROBLEMS } from "../../core/values/shipment-states.ts";
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
import type { RequestedGift } from "../../features/fulfilment/queries.ts";
import {
  type ShipmentKey,
  type ShipmentStep,
  TEST_CODE,
} from "../../features/fulfilment/shipment.ts";
import {
  change,
  type OperatorContext,
  type RunContext,
  type ValueChange,
} from "../declaration/declare.ts";
import * as kinds from "../declaration/kinds.ts";
import { giftScopeOf } from "./queries.ts";
import type { User } from "../roles.ts";
import { checkTracking, NO_TRACKING, TRACKING_COLUMNS, URL_HINT } from "./tracking.ts";

/** Follows "This will". */
export const STEP_TEXTS: Record<ShipmentStep, string> = {
  ship: "record the shipment of",
  deliver: "record the delivery of",
  correct: "correct the tracking of",
  reopen: "reopen the shipment of",
  return: "record the return of",
  fail: "record the failed delivery of",
  reship: "take another piece of the stock for",
};

/** Follows the number of the gift, or that of several gifts with "are". */
const RESULT_TEXTS: Partial<Record<ShipmentResult["result"], string>> = {
  corrected: "recorded with the corrected tracking",
  reopened: "open again",
  unchanged: "recorded already",
  refused: "not recorded, because they have changed",
};

/** What `reopen` does with the code of a digital gift. */
export const VOID_CODE =
  "The code of a digital gift becomes void, and does not return to the stock.";

const DECISIONS = ["recipient correct", "shipment reship", "order cancel"];

/** What usually follows. */
const NEXT_STEPS: Partial<Record<ShipmentStep, string[]>> = {
  reopen: ["shipment ship"],
  reship: ["shipment ship"],
  return: DECISIONS,
  fail: DECISIONS,
};

export const GIFT = { gift: kinds.gift("Gift") };
export const GIFTS = { gift: kinds.many(kinds.gift("Gifts")) };
export const CARRIER = kinds.text("Carrier", { max: 60 });
export const TRACKING_NUMBER = kinds.text("Tracking number", {
  max: 60,
  hint: "Only of a single gift.",
});
export const PROBLEM = kinds.choice("What has happened", SHIPMENT_PROBLEMS);
export const TRACKING_URL = kinds.url("Tracking link", { hint: URL_HINT });

export const UNTRACKED = kinds.optional(
  kinds.flag("Parcels without a tracking number", { hint: "Such as letters." }),
);

/** What the recipient of a digital gift gets. */
export const CONTENT = {
  code: kinds.optional(kinds.text("Code", { hint: "Only of a single gift." })),
  pin: kinds.optional(kinds.text("PIN", { hint: "Only of a single gift." })),
  url: kinds.optional(kinds.url("Link of a digital gift", { hint: "An https URL." })),
  valid_until: kinds.optional(kinds.day("Valid until", { hint: "Of the code, PIN or link." })),
};
export const OF_SINGLE_GIFTS = ["tracking_number", "code", "pin"] as const;

/** Where the parcels go, and what their recipients are told. */
export const PARCELS = {
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

/** The operation that records that a parcel came back or did not arrive. */
export const undeliveredStep = (step: "return" | "fail", title: string, description: string) =>
  change({
    name: `shipment ${step}`,
    title,
    description: `${description} The gift then waits until it is shipped again or cancelled, and its recipient can be corrected.`,
    permission: "shipments",
    forVendors: {},
    input: { ...GIFTS, problem: PROBLEM },
    examples: [`GO-00042-3 --problem ${step === "fail" ? "lost" : "refused"}`],
    present: (context, { gift }) => refuseEarly(context, step, gift),
    plan: (context, { gift, problem }) => planStep(context, step, gift, { problem }),
    run: runStep,
  });

export const trackingIn = (
  input: Partial<Record<keyof TrackingInput, string | null | undefined>>,
): GivenTracking => ({
  carrier: input.carrier,
  trackingNumber: input.tracking_number,
  trackingUrl: input.tracking_url,
});

/** Errors: `validation_error`, `not_allowed_in_state`. */
export async function planStep(
  { DB, user }: Pick<OperatorContext, "DB" | "user">,
  step: ShipmentStep,
  giftIds: readonly number[],
  given: Omit<RequestedShipment, keyof ShipmentKey> = {},
) {
  const ids = [...new Set(giftIds)];
  if (ids.length > MAX_SHIPMENTS) {
    const message = `must be at most ${String(MAX_SHIPMENTS)} gifts`;
    throw validationError([{ field: "gift", message }]);
  }
  const requested = ids.map((id) => ({ ...splitGiftId(id), ...given }));
  const planned = await planShipments(DB, step, requested, giftScopeOf(user));
  const { tracking = NO_TRACKING } = planned[0] ?? {};
  checkTracking(tracking);
  const outcomes = planned.map((outcome, n) => required(ids[n] ?? 0, outcome));
  const changed = outcomes.filter(({ result }) => result !== "unchanged");
  const changing = changed.map(({ gift }) => toGiftId(gift.orderId, gift.sequence));
  const clients = new Set(changed.map(({ gift }) => gift.clientId));
  return {
    step,
    /** The tracking of the first gift before and after the step. */
    present: outcomes[0]?.gift ?? NO_TRACKING,
    tracking,
    changing,
    will:
      changing.length === 0
        ? null
        : `${STEP_TEXTS[step]} ${giftsText(changing)}${ofClients(user, clients)}`,
    changes: changed.length === 1 ? changed.flatMap(statusChanges) : [],
    hasParcels: changed.some(({ gift }) => gift.delivery === "physical"),
    subjects: [{ type: "gift" as const, keys: changing }],
  };
}

/** Such as ` of acme` or ` of 2 clients`. Empty for a vendor, who may not see them. */
export const ofClients = ({ vendor }: User, clients: ReadonlySet<string>) =>
  vendor === undefined
    ? ` of ${clients.size === 1 ? [...clients].join() : plural(clients.size, "client")}`
    : "";

/** Such as `GO-00042-3` or `40 gifts`. */
const giftsText = (ids: readonly number[]) =>
  ids.length === 1 ? giftNumber(ids[0] ?? 0) : plural(ids.length, "gift");

function statusChanges({ gift, result }: { gift: RequestedGift; result: string }): ValueChange[] {
  if (result === "corrected" && gift.isTakenBack === 0) return [];
  const before = gift.shipmentStatus === "open" ? "to ship" : gift.shipmentStatus;
  const after = result === "reopened" ? "to ship" : result === "corrected" ? "shipped" : result;
  return [{ label: "Shipment", before, after }];
}

export const trackingChanges = (before: Tracking, after: Tracking): ValueChange[] =>
  [
    { label: CARRIER.label, before: before.carrier, after: after.carrier },
    { label: TRACKING_NUMBER.label, before: before.trackingNumber, after: after.trackingNumber },
    { label: TRACKING_URL.label, before: trackingUrlOf(before), after: trackingUrlOf(after) },
  ].filter((value) => value.before !== value.after);

/** A gift may have changed since the plan was made. It is then refused, and the others are recorded. */
export async function runStep(
  { DB, user, attempt, nowMs }: RunContext,
  { step, changing, tracking }: Awaited<ReturnType<typeof planStep>>,
) {
  const request = { ...giftScopeOf(user), requestId: attempt, nowMs };
  const requested = changing.map((id) => ({ ...splitGiftId(id), ...tracking }));
  const outcomes = await changeShipments(DB, step, requested, request);
  const [first] = outcomes;
  if (first && outcomes.length === 1) required(changing[0] ?? 0, first);
  const byResult = Map.groupBy(outcomes, ({ result }) => result);
  const texts = [...byResult].map(([result, same]) => {
    const ids = same.map((each) => changing[outcomes.indexOf(each)] ?? 0);
    const state = RESULT_TEXTS[result] ?? `recorded as ${result}`;
    return `${giftsText(ids)} ${ids.length === 1 ? "is" : "are"} ${state}.`;
  });
  return { text: texts.join(" "), actions: NEXT_STEPS[step] ?? [] };
}

/** The outcome of a gift that is not refused. Errors: `not_allowed_in_state`. */
function required(giftId: number, outcome: ShipmentOutcome) {
  if (!outcome.gift) throw notFound(`there is no gift ${giftNumber(giftId)}.`);
  const { gift } = outcome;
  if (outcome.result !== "refused") return { gift, result: outcome.result };
  throw refusal(`${giftNumber(giftId)} ${outcome.reason}.`);
}

/** Errors: `not_allowed_in_state` if the step is impossible for one of the gifts, whatever its tracking and its code are. */
export async function refuseEarly(
  context: Pick<OperatorContext, "DB" | "user">,
  step: ShipmentStep,
  gifts: readonly number[] = [],
): Promise<object> {
  if (gifts.length > 0) await planStep(context, step, gifts, { code: TEST_CODE });
  return {};
}
