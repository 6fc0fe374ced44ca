// Reads JSON from the bytes of a body.
import { ApiError } from "../../core/api-error.ts";

/** Throws on bytes that are not UTF-8. Replacing them could change a recipient's name unnoticed. */
const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: false });

/** The JSON value. Errors: `invalid_json`. */
export function parseJsonBody(body: ArrayBuffer): unknown {
  let text: string | undefined;
  try {
    text = utf8.decode(body);
    return JSON.parse(text);
  } catch (error) {
    throw new ApiError("invalid_json", problemOf(new Uint8Array(body), text, error as Error));
  }
}

/** Why the body cannot be read. `text` is undefined if it is not in UTF-8. The first bytes show the other encodings. */
function problemOf(body: Uint8Array, text: string | undefined, { message }: Error): string {
  const [first = 0, second = 0] = body;
  if (body.length === 0) return "The body is empty: it must be JSON.";
  if (first === 0x1f && second === 0x8b) {
    return "The body is compressed: send JSON without Content-Encoding.";
  }
  const hasByteOrderMark = first >= 0xfe && second >= 0xfe;
  if (body.length > 1 && (hasByteOrderMark || first === 0 || second === 0))
    return "The body is in UTF-16: send JSON in UTF-8.";
  if (text === undefined) {
    return "The body is not in UTF-8, but perhaps in Latin-1: send JSON in UTF-8.";
  }
  const before = text.slice(0, positionOf(text, message)).split("\n");
  const at = `line ${String(before.length)}, column ${String((before.at(-1) ?? "").length + 1)}`;
  const reason = message.replace(/(?: in JSON)? at position .*| JSON input$|, (?:\.{3})?".*/s, "");
  return `The body is not valid JSON at ${at}: ${reason.charAt(0).toLowerCase()}${reason.slice(1)}.`;
}

/** Where V8 found the error. For a token, its message has only the characters around it. */
function positionOf(text: string, message: string): number {
  const position = / at position (\d+)/.exec(message)?.[1];
  if (position !== undefined) return Number(position);
  if (!hasWrongToken(text)) return text.length;
  let [valid, broken] = [0, text.length];
  while (broken - valid > 1) {
    const middle = (valid + broken) >> 1;
    if (hasWrongToken(text.slice(0, middle))) broken = middle;
    else valid = middle;
  }
  return valid;
}

function hasWrongToken(text: string): boolean {
  try {
    return JSON.parse(text) === undefined;
  } catch (error) {
    return (error as Error).message.startsWith("Unexpected token");
  }
}
