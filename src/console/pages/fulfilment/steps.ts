// The steps of a shipment, in the order of the pages.
import type { ShipmentStep } from "../../../features/fulfilment/shipment.ts";

export const STEPS: readonly ShipmentStep[] = ["ship", "deliver", "correct", "reopen"];
