// A sample of each operation.
import { ORDER_SAMPLES } from "./orders.ts";
import { RECIPIENT_SAMPLES } from "./recipients.ts";
import type { Samples } from "./sample.ts";

export const SAMPLES: Samples = { ...ORDER_SAMPLES, ...RECIPIENT_SAMPLES };
