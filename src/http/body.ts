// The JSON body of a request, or the reason why there is none.
import type { Context } from "hono";
import type { AppEnv } from "../env.ts";
import { ApiError } from "../errors.ts";

/** The JSON object in the body. Errors: `unsupported_media_type`, `invalid_json`. */
export async function readJsonObject(c: Context<AppEnv>): Promise<Record<string, unknown>> {
  const mediaType = c.req.header("Content-Type")?.split(";", 1)[0]?.trim().toLowerCase();
  if (mediaType !== "application/json") {
    throw new ApiError("unsupported_media_type", "Content-Type must be application/json.");
  }
  const text = await c.req.text();
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    throw new ApiError("invalid_json", "The body is not valid JSON.");
  }
  if (typeof body !== "object" || body === null || Array.isArray(body)) {
    throw new ApiError("invalid_json", "The body must be a JSON object.");
  }
  return body as Record<string, unknown>;
}
