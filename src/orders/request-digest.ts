// What makes two requests the same (decision 7).
import { sha256Hex } from "../values/digest.ts";
import type { Placement } from "./wire.ts";

/**
 * SHA-256 in hex of the validated request and its endpoint. Digests are compared for ever: a field that a
 * schema gains later must stay absent where a request does not give it, or old orders could not be replayed.
 */
export function digestRequest({ method, request }: Placement): Promise<string> {
  // Validation puts the fields in the order of the schema, whatever their order in the body was.
  return sha256Hex(JSON.stringify([method, request]));
}
