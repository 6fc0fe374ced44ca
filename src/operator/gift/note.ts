// Adds a note of the staff to a gift.
import { giftNumber, splitGiftId } from "../../core/values/ids.ts";
import { requireGiftToChange } from "../../features/lifecycle/change.ts";
import { operatorGiftKey } from "../../features/lifecycle/order-key.ts";
import { change } from "../declaration/declare.ts";
import * as kinds from "../declaration/kinds.ts";
import { NOTE_TEXT, planNote, runNote } from "../order/note.ts";

/** The timelines of the gift and of its order show it. It is erased with the data of the recipient. One transaction. */
export const giftNote = change({
  name: "gift note",
  title: "Add a note",
  description: "For the staff. It is shown in the timelines of the gift and of its order.",
  permission: "gifts",
  input: { gift: kinds.gift("Gift"), text: NOTE_TEXT },
  examples: ['GO-00042-3 --text "Moves in June"'],
  plan: async ({ DB }, { gift, text }) => {
    await requireGiftToChange(DB, operatorGiftKey(gift));
    const note = { ...splitGiftId(gift), text };
    return planNote(giftNumber(gift), note, { type: "gift", keys: [gift] });
  },
  run: runNote,
});
