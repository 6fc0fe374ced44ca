// Records that a parcel did not arrive.
import { undeliveredStep } from "./steps.ts";

export const shipmentFail = undeliveredStep(
  "fail",
  "Record as failed",
  "For a parcel that does not arrive and does not come back.",
);
