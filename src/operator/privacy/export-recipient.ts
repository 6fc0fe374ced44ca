// Exports what is stored about the recipient of one gift, and records it in the audit log.
import { recordReading, type Reading } from "../audit/reading.ts";
import { type ExportRow, exportRow } from "./export.ts";
import { readStored } from "./queries.ts";

/** The row, or null if there is no such gift. Two round trips. */
export async function exportRecipient(
  db: D1Database,
  giftId: number,
  reader: Pick<Reading, "actor" | "requestId" | "nowMs" | "reason">,
): Promise<ExportRow | null> {
  // Before the data is read, so that no export is without an entry.
  await recordReading(db, {
    ...reader,
    action: "recipient export",
    subjects: { type: "gift", keys: [giftId] },
    state: { exported: "json" },
  });
  const [stored] = await readStored(db, { ids: [giftId], clientId: null });
  return stored ? exportRow(stored) : null;
}
