// The D1 sessions of a request. Their bookmarks let later requests read near by.
import { within } from "../../core/deadline.ts";
import { SECOND_MS } from "../../core/values/time.ts";
import { wrapCalls } from "./wrapped-calls.ts";

/** A session that reads any state from the nearest copy of the database. */
export const NEAREST = "first-unconstrained";

export interface RequestSessions {
  /** The primary. Its later calls may reach a replica that is at least as recent as the earlier ones. */
  primary: () => D1Database;
  /** The nearest copy of the database that is at least as recent as the bookmark, or any copy (`NEAREST`). */
  near: (bookmark: string) => D1Database;
  /** The most recent state that the request has written or read. Null before the first call. */
  bookmark: () => string | null;
}

/** A replica that needs longer is slower than the primary. */
const NEAR_DEADLINE_MS = SECOND_MS;

/** The sessions of a request. The first call opens a session. `onCall` is called before each call. */
export function requestSessions(d1: D1Database, onCall: () => void): RequestSessions {
  const opened: { session: D1DatabaseSession; constraint: string }[] = [];
  const open = (constraint: string) => {
    const session = d1.withSession(constraint);
    opened.push({ session, constraint });
    return session;
  };
  const from = (constraint: string, deadlineMs?: number) => {
    let session: D1DatabaseSession | undefined;
    const used = () => (session ??= open(constraint));
    const database = {
      prepare: (sql: string) => used().prepare(sql),
      batch: (statements: D1PreparedStatement[]) => used().batch(statements),
      withSession: open,
    };
    return wrapCalls(database as unknown as D1Database, (call) => {
      onCall();
      return deadlineMs === undefined ? call() : within(deadlineMs, "D1", call());
    });
  };
  return {
    primary: () => from("first-primary"),
    near: (bookmark) => from(bookmark, NEAR_DEADLINE_MS),
    // Bookmarks sort by time. A session without an answer has none, or still the bookmark with which it was opened.
    bookmark: () =>
      opened
        .map(({ session, constraint }) => [session.getBookmark(), constraint])
        .flatMap(([bookmark, constraint]) =>
          bookmark && bookmark !== constraint ? [bookmark] : [],
        )
        .sort()
        .at(-1) ?? null,
  };
}
