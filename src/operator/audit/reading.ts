// Records in the audit log that an operator has read personal data.
import { statement } from "../../platform/db/statement.ts";
import { STATES } from "./subjects.ts";

/** Who has read the data of which gifts. */
export interface Reading {
  /** The operator's name. */
  actor: string;
  /** The command, such as `recipient export`. */
  action: string;
  reason: string | null;
  /** The ids of the sub-orders. */
  giftIds: readonly number[];
  /** What was done with the data. It contains no personal data. */
  state: object;
  nowMs: number;
}

type ReadingParams = Omit<Reading, "giftIds" | "state"> & { keys: string; state: string };

const INSERT_ENTRIES = statement<ReadingParams>()`
  INSERT INTO audit_entries (created_at_ms, actor, action, subject_type, subject, client_id,
    order_id, reason, before, after)
  SELECT ${"nowMs"}, ${"actor"}, ${"action"}, 'gift', g.subject, g.client_id, g.order_id,
    ${"reason"}, NULL, ${"state"}
  FROM (${STATES.gift}) g`;

/** Inserts an entry for each gift. One transaction. */
export async function recordReading(
  d1: D1Database,
  { giftIds, state, ...reading }: Reading,
): Promise<void> {
  const keys = JSON.stringify(giftIds);
  await INSERT_ENTRIES.bind(d1, { ...reading, keys, state: JSON.stringify(state) }).run();
}
