// Records that gifts were delivered.
import { change } from "../declaration/declare.ts";
import { GIFTS, planStep, runStep, refuseEarly } from "./steps.ts";

export const shipmentDeliver = change({
  name: "shipment deliver",
  title: "Record as delivered",
  permission: "shipments",
  forVendors: {},
  input: GIFTS,
  examples: ["GO-00042-3"],
  present: async (context, { gift = [] }) => {
    await refuseEarly(context, "deliver", gift);
    return {};
  },
  plan: (context, { gift }) => planStep(context, "deliver", gift),
  run: runStep,
});
