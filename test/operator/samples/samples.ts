// A sample of each operation.
import { CLIENTS_SAMPLES } from "./clients.ts";
import { ORDER_SAMPLES } from "./orders.ts";
import { RECIPIENT_SAMPLES } from "./recipients.ts";
import type { Samples } from "./sample.ts";

export const SAMPLES: Samples = { ...CLIENTS_SAMPLES, ...ORDER_SAMPLES, ...RECIPIENT_SAMPLES };
