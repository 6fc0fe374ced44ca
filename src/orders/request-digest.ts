// The digest that tells a replay from another order with the same reference (DECISIONS.md: An order reference is used
// once).
import { sha256Hex } from "../values/digest.ts";
import type { Placement } from "./order.ts";

/**
 * SHA-256 in hex of the endpoint's method name and the validated request. Digests are kept for ever. So a field that is
 * added to a request schema must be absent from the validated request when the caller leaves it out, or old orders could
 * not be replayed.
 */
export function requestDigestOf({ method, request }: Placement): Promise<string> {
  // Validation puts the fields in the order of the schema, whatever their order in the body.
  return sha256Hex(JSON.stringify([method, request]));
}
