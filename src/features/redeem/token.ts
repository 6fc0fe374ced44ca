// The gift of a link.
import { ApiError } from "../../core/api-error.ts";
import { readToken } from "../orders/gift-link.ts";
import type { LinkedGiftKey } from "./queries.ts";

/** Verifies the token without a query. Errors: `not_found`. */
export async function openToken(
  env: Parameters<typeof readToken>[0],
  token: string,
): Promise<LinkedGiftKey> {
  return found(await readToken(env, token));
}

/** Errors: `not_found`. */
export function found<T>(value: T | null): T {
  if (value === null) throw new ApiError("not_found", "This link opens no gift.");
  return value;
}
