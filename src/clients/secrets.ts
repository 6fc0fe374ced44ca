// Credentials never leave their holder: what is stored and compared is one digest of both.
import { sha256Hex } from "../digest.ts";

const encoder = new TextEncoder();

/** SHA-256 of a credential set in hex. Headers hold no line break, so no two sets run into one text. */
export function secretDigest(apiKey: string, apiPassword: string): Promise<string> {
  return sha256Hex(`${apiKey}\n${apiPassword}`);
}

/** Compares digests of one length in constant time. */
export function digestsEqual(a: string, b: string): boolean {
  return crypto.subtle.timingSafeEqual(encoder.encode(a), encoder.encode(b));
}
