// Adds a note of the staff to an order or to a gift.
import { refusal } from "../../core/api-error.ts";
import { orderNumber } from "../../core/values/ids.ts";
import { requireOrderToChange } from "../../features/lifecycle/change.ts";
import { NO_CLIENT } from "../../features/lifecycle/order-key.ts";
import type { Subjects } from "../audit/subjects.ts";
import { change, type RunContext } from "../declaration/declare.ts";
import * as kinds from "../declaration/kinds.ts";
import { addNote, MAX_NOTES, type NewNote } from "./queries.ts";

export const NOTE_TEXT = kinds.lines("Note", { max: 1_000 });

/** The timeline shows it. It is erased with the data of the recipients. One transaction. */
export const orderNote = change({
  name: "order note",
  title: "Add a note",
  description: "For the staff. It is shown in the timeline of the order.",
  permission: "gifts",
  input: { order: kinds.order("Order"), text: NOTE_TEXT },
  examples: ['GO-00042 --text "Asked for an invoice by post"'],
  plan: async ({ DB }, { order: orderId, text }) => {
    await requireOrderToChange(DB, { ...NO_CLIENT, orderId, sequence: null });
    const note = { orderId, sequence: null, text };
    return planNote(orderNumber(orderId), note, { type: "order", keys: [orderId] });
  },
  run: runNote,
});

/** `number` is that of the order or the gift. */
export const planNote = (
  number: string,
  note: Omit<NewNote, "atMs" | "actor">,
  subject: Subjects,
) => ({
  note,
  number,
  will: `add the note to ${number}: ${note.text}`,
  // Another note may be added meanwhile.
  confirms: note.text,
  subjects: [subject],
});

/** Errors: `not_allowed_in_state`. */
export async function runNote(
  { DB, user, nowMs }: RunContext,
  { note, number }: ReturnType<typeof planNote>,
) {
  const isAdded = await addNote(DB, { ...note, actor: user.name, atMs: nowMs });
  if (!isAdded)
    throw refusal(`${number} has ${String(MAX_NOTES)} notes, or its personal data was erased.`);
  return { text: `The note is added to ${number}.` };
}
