// Reads JSON from the bytes of a body.
import { ApiError } from "../../core/api-error.ts";

/** Throws on bytes that are not UTF-8. Replacing them could change a recipient's name unnoticed. */
const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: false });

/** The JSON value. Errors: `invalid_json`. */
export function parseJsonBody(body: ArrayBuffer): unknown {
  try {
    return JSON.parse(utf8.decode(body));
  } catch (error) {
    throw new ApiError("invalid_json", problemOf(new Uint8Array(body), error));
  }
}

/** Why the body cannot be read. The rules of other encodings are those of their first bytes. */
function problemOf(body: Uint8Array, error: unknown): string {
  const [first = 0, second = 0] = body;
  if (body.length === 0) return "The body is empty: it must be JSON.";
  if (first === 0x1f && second === 0x8b) {
    return "The body is compressed: send JSON without Content-Encoding.";
  }
  const hasByteOrderMark = first >= 0xfe && second >= 0xfe;
  if (body.length > 1 && (hasByteOrderMark || first === 0 || second === 0))
    return "The body is in UTF-16: send JSON in UTF-8.";
  return error instanceof SyntaxError
    ? "The body is not valid JSON."
    : "The body is not in UTF-8, but perhaps in Latin-1: send JSON in UTF-8.";
}
