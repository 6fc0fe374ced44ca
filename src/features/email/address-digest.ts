// The digest of an address, with which a complaint is stored.
import { sha256Hex } from "../../core/values/digest.ts";

/** Case does not matter. */
export const addressDigest = (address: string) => sha256Hex(address.trim().toLowerCase());
