// Records that a parcel came back.
import { undeliveredStep } from "./steps.ts";

export const shipmentReturn = undeliveredStep(
  "return",
  "Record as returned",
  "For a parcel that came back.",
);
