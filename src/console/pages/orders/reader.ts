// Who reads personal data, for the audit log.
import type { Reading } from "../../../operator/audit/reading.ts";
import type { ConsoleContext } from "../../environment.ts";

type Reader = Pick<Reading, "actor" | "requestId" | "nowMs">;

/** The audit log has one entry for each request and object, so a request records what it reads once. */
export const readerOf = (c: ConsoleContext): Reader => ({
  actor: c.get("user").name,
  requestId: c.get("requestId"),
  nowMs: c.get("nowMs"),
});
