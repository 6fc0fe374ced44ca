// The pages that ship, deliver, correct and reopen the shipment of a single gift.
import { splitSuborderId } from "../../../core/values/ids.ts";
import type { ShipmentStep } from "../../../features/fulfilment/shipment.ts";
import {
  shipmentsChange,
  type ShipmentsChange,
} from "../../../operator/fulfilment/change-shipments.ts";
import { recordReading } from "../../../operator/audit/reading.ts";
import { readShipments } from "../../../operator/fulfilment/queries.ts";
import { isTracked, singleShipment } from "../../../operator/fulfilment/requested-shipments.ts";
import type { ActionOf } from "../../actions/action.ts";
import type { ConsoleContext } from "../../environment.ts";
import { NotFound } from "../../page-errors.ts";
import { SHIPMENTS } from "../../texts/shipments.ts";
import type { Field } from "../../ui/form.tsx";
import { giftIdOf, giftTarget } from "../orders/gift-target.ts";
import { readerOf } from "../orders/reader.ts";

const { tracking, steps, done } = SHIPMENTS;

/** The last part of the path of each step. A gift's page has another correction. */
export const SHIPMENT_PATHS: Record<ShipmentStep, string> = {
  ship: "ship",
  deliver: "deliver",
  correct: "correct-shipment",
  reopen: "reopen",
};

export const shipGift = (step: ShipmentStep): ActionOf<ShipmentsChange> => ({
  permission: "shipments",
  change: shipmentsChange(step),
  title: steps[step].title,
  target: giftTarget,
  fields: (c) => (isTracked(step) ? trackingFields(c, step) : []),
  input: ({ values }, c) =>
    singleShipment(splitSuborderId(giftIdOf(c)), {
      carrier: values["carrier"] || null,
      trackingNumber: values["tracking_number"] || null,
      trackingUrl: values["tracking_url"] || null,
    }),
  done: ([row]) => row && done(row.suborder, row.result),
});

/** A digital gift has no parcel. A correction begins with the present values. */
async function trackingFields(c: ConsoleContext, step: ShipmentStep): Promise<Field[]> {
  const { orderId, sequence } = splitSuborderId(giftIdOf(c));
  const [gift] = await readShipments(c.env.DB, orderId, sequence);
  if (!gift) throw new NotFound();
  if (gift.delivery === "digital") return [];
  const present = step === "correct" ? gift : null;
  if (present) {
    await recordReading(c.env.DB, {
      ...readerOf(c),
      action: "shipment show",
      reason: null,
      state: { read: "tracking" },
      subjects: { type: "gift", keys: [giftIdOf(c)] },
    });
  }
  return [
    {
      name: "carrier",
      type: "text",
      label: tracking.carrier,
      value: present?.carrier ?? null,
    },
    {
      name: "tracking_number",
      type: "text",
      label: tracking.trackingNumber,
      value: present?.trackingNumber ?? null,
    },
    {
      name: "tracking_url",
      type: "text",
      label: tracking.trackingUrl,
      hint: tracking.trackingUrlHint,
      value: present?.trackingUrl ?? null,
    },
  ];
}
