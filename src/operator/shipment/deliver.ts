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
  present: (context, { gift }) => refuseEarly(context, "deliver", gift),
  plan: (context, { gift }) => planStep(context, "deliver", gift),
  run: runStep,
});
