// The digest of a placement. A request with a used reference is a replay if its digest is the order's (DECISIONS.md: An
// order reference is used once).
import { sha256Hex } from "../../core/values/digest.ts";
import type { Placement } from "./contract.ts";

/**
 * SHA-256 in hex of the placement's method and the validated request. Digests are stored without a time limit. If a
 * caller leaves out a field that was added to the schema, the validated request must not contain it. Otherwise the
 * digests of old orders would no longer match, and repeated requests would be refused.
 */
export function requestDigestOf({ method, request }: Placement): Promise<string> {
  // The validated request has the fields in the order of the schema, so their order in the body does not matter.
  return sha256Hex(JSON.stringify([method, request]));
}
