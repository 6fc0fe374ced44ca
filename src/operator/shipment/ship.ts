// Records that gifts were shipped.
import { validationError } from "../../core/api-error.ts";
import { toGiftId } from "../../core/values/ids.ts";
import { trackingUrlOf } from "../../core/values/tracking.ts";
import { type CodedGift, readContent, sealCodes } from "../code/content.ts";
import { addressText, recipientName } from "../order/address-text.ts";
import { change } from "../declaration/declare.ts";
import * as kinds from "../declaration/kinds.ts";
import { isClientHidden, readAddressees } from "./queries.ts";
import { mistypedText } from "./tracking.ts";
import {
  GIFTS,
  CARRIER,
  TRACKING_NUMBER,
  TRACKING_URL,
  UNTRACKED,
  CONTENT,
  OF_SINGLE_GIFTS,
  PARCELS,
  trackingIn,
  planStep,
  runStep,
  refuseEarly,
} from "./steps.ts";

/** The audit log records that the addresses are shown. */
export const shipmentShip = change({
  name: "shipment ship",
  title: "Record as shipped",
  description:
    "A digital gift is recorded as sent, with its code, PIN or link. It has no carrier and no tracking. If one of several gifts cannot be shipped, nothing is changed.",
  permission: "shipments",
  forVendors: {},
  input: {
    ...GIFTS,
    carrier: kinds.optional(CARRIER),
    tracking_number: kinds.optional(TRACKING_NUMBER),
    tracking_url: kinds.optional(TRACKING_URL),
    untracked: UNTRACKED,
    ...CONTENT,
  },
  examples: [
    "GO-00042-3 --carrier DHL --tracking-number JD0146",
    "GO-00042-1 GO-00042-2 --carrier DHL --untracked",
  ],
  preview: PARCELS,
  present: (context, { gift }) => refuseEarly(context, "ship", gift),
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
    if (plan.hasParcels && plan.tracking.trackingNumber === null && input.untracked !== true) {
      const message = "is required for parcels without a tracking number";
      throw validationError([{ field: "untracked", message }]);
    }
    await context.record({ type: "gift", keys: plan.changing }, { read: "address" });
    const [addressees, hidesClient] = await Promise.all([
      readAddressees(context.DB, plan.changing),
      isClientHidden(context),
    ]);
    const parcels = addressees.map((each) => ({
      ...plan.tracking,
      trackingUrl: trackingUrlOf(plan.tracking),
      gift: toGiftId(each.orderId, each.sequence),
      name: recipientName(each),
      address: addressText(each.deliveryAddress) ?? (hidesClient ? null : each.email),
    }));
    return { ...plan, preview: { lists: { parcels }, warnings: mistypedText(plan.tracking) } };
  },
  run: runStep,
});
