// Corrects the tracking of a gift.
import { change } from "../declaration/declare.ts";
import * as kinds from "../declaration/kinds.ts";
import { isLinkRemoved, mistypedText, removedLinksText, takenBackText } from "./tracking.ts";
import {
  GIFT,
  CARRIER,
  TRACKING_NUMBER,
  TRACKING_URL,
  trackingIn,
  planStep,
  trackingChanges,
  runStep,
} from "./steps.ts";

/** The audit log records that the present tracking is shown. */
export const shipmentCorrect = change({
  name: "shipment correct",
  title: "Correct the tracking",
  description:
    "What is not entered stays as it is, and the link follows the number. The earlier tracking is kept.",
  permission: "shipments",
  forVendors: {},
  input: {
    ...GIFT,
    carrier: kinds.nullable(CARRIER),
    tracking_number: kinds.nullable(TRACKING_NUMBER),
    tracking_url: kinds.nullable(TRACKING_URL),
  },
  examples: ["GO-00042-3 --carrier UPS --tracking-number 1Z999"],
  present: async (context, { gift }) => {
    if (gift === undefined) return {};
    const { present } = await planStep(context, "correct", [gift]);
    const { carrier, trackingNumber, trackingUrl } = present;
    await context.record({ type: "gift", keys: [gift] }, { read: "tracking" });
    return { carrier, tracking_number: trackingNumber, tracking_url: trackingUrl };
  },
  plan: async (context, input) => {
    const { gift } = input;
    const plan = await planStep(context, "correct", [gift], trackingIn(input));
    if (plan.will === null) return plan;
    const { present } = plan;
    await context.record({ type: "gift", keys: [gift] }, { read: "tracking" });
    const isRemoved = input.tracking_url !== null && isLinkRemoved(present, plan.tracking);
    const removed = isRemoved ? [removedLinksText(1)] : [];
    const takenBack = plan.changes.length > 0 ? [takenBackText(1)] : [];
    const warnings = [...removed, ...takenBack, ...mistypedText(plan.tracking)];
    const changes = [...trackingChanges(present, plan.tracking), ...plan.changes];
    return { ...plan, changes, preview: { warnings } };
  },
  run: runStep,
});
