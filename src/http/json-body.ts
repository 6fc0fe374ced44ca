// Reads the JSON body of a request.
import type { Context } from "hono";
import type { AppEnv } from "./context.ts";
import { ApiError } from "../api-error.ts";
import { mediaTypeOf } from "./request-headers.ts";

/** Throws on bytes that are not UTF-8. Replacing them could change a recipient's name unnoticed. */
const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: false });

/** The JSON object in the body. Errors: `unsupported_media_type`, `invalid_json`. */
export async function readJsonObject(c: Context<AppEnv>): Promise<Record<string, unknown>> {
  if (mediaTypeOf(c.req.raw) !== "application/json") {
    throw new ApiError("unsupported_media_type", "Content-Type must be application/json.");
  }
  const bytes = await c.req.arrayBuffer();
  let body: unknown;
  try {
    body = JSON.parse(utf8.decode(bytes));
  } catch {
    throw new ApiError("invalid_json", "The body is not valid JSON.");
  }
  if (typeof body !== "object" || body === null || Array.isArray(body)) {
    throw new ApiError("invalid_json", "The body must be a JSON object.");
  }
  return body as Record<string, unknown>;
}
