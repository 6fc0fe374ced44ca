// A sample of each operation.
import { CATALOGUE_SAMPLES } from "./catalogue.ts";
import { CLIENTS_SAMPLES } from "./clients.ts";
import { CODE_SAMPLES } from "./codes.ts";
import { CREDIT_SAMPLES } from "./credit.ts";
import { ORDER_SAMPLES } from "./orders.ts";
import { RECIPIENT_SAMPLES } from "./recipients.ts";
import type { Samples } from "./sample.ts";
import { SHIPMENT_SAMPLES } from "./shipments.ts";

export const SAMPLES: Samples = {
  home: () => Promise.resolve({}),
  ...CATALOGUE_SAMPLES,
  ...CLIENTS_SAMPLES,
  ...CODE_SAMPLES,
  ...CREDIT_SAMPLES,
  ...ORDER_SAMPLES,
  ...RECIPIENT_SAMPLES,
  ...SHIPMENT_SAMPLES,
};
