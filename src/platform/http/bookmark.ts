// Reads near by (DECISIONS.md: Which requests cross the world).
import type { Context } from "hono";
import { validationError } from "../../core/api-error.ts";
import { NEAREST } from "../db/sessions.ts";
import type { AppEnv } from "./context.ts";

/**
 * In a response: the state of the database that the request has written or read. In a request: the response must not be
 * older than this state.
 */
export const BOOKMARK_HEADER = "Regalo-Bookmark";

/** The value of a request for which any state suffices. */
export const ANY_STATE = "any";

/** D1's form. It is not checked closely, because D1 may change it. */
export const BOOKMARK = /^[0-9a-f]{1,32}(-[0-9a-f]{1,32}){3}$/;

/** The state that the caller wants, or undefined for that of the primary. Errors: `validation_error`. */
export function readBookmark(c: Context<AppEnv>): string | undefined {
  const sent = c.req.header(BOOKMARK_HEADER);
  if (sent === ANY_STATE) return NEAREST;
  if (sent === undefined || BOOKMARK.test(sent)) return sent;
  const message = `must be the value from an earlier response, or ${ANY_STATE}`;
  throw validationError([{ field: BOOKMARK_HEADER, message }]);
}

/**
 * The answer from the nearest replica. If it has an error, the primary answers: the replica may lack what is asked for,
 * and the bookmark may belong to a database that was lost.
 */
export async function nearOrPrimary<T>(
  c: Context<AppEnv>,
  bookmark: string,
  answer: () => Promise<T>,
): Promise<T> {
  const primary = c.env;
  try {
    c.env = { ...primary, DB: c.get("sessions").near(bookmark) };
    return await answer();
  } catch {
    c.env = primary;
    return await answer();
  } finally {
    c.env = primary;
  }
}
