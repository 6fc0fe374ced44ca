// Opens the shipment of a gift whose parcel came back or did not arrive.
import { change } from "../declaration/declare.ts";
import { GIFT, planStep, runStep } from "./steps.ts";

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
