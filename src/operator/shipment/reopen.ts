// Reopens the shipment of a gift.
import { change } from "../declaration/declare.ts";
import { VOID_CODE, GIFT, planStep, runStep } from "./steps.ts";

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
