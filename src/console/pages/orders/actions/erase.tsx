// The page that erases the data of one recipient. Several at once are erased with the command.
import { Refusal } from "../../../../operator/refusal.ts";
import { ERASE_RECIPIENT } from "../../../../operator/privacy/erase-recipient.ts";
import { readStates } from "../../../../operator/privacy/queries.ts";
import type { ActionOf } from "../../../actions/action.ts";
import { GIFT_ACTIONS } from "../../../texts/gifts.ts";
import { giftIdOf, giftTarget } from "../gift-target.ts";

export const eraseRecipient: ActionOf<typeof ERASE_RECIPIENT> = {
  permission: "gifts",
  change: ERASE_RECIPIENT,
  title: GIFT_ACTIONS.erase,
  isFinal: true,
  target: giftTarget,
  input: (_form, c) => {
    const selection = { ids: [giftIdOf(c)], clientId: null };
    return {
      skipUnfinished: false,
      selection: async (db) => {
        if ((await readStates(db, selection)).length > 0) return selection;
        throw new Refusal(`there is no gift ${giftTarget(c).name}.`);
      },
    };
  },
  done: ({ lines, refusal }) => (
    <>
      {lines.map((line) => (
        <p>{line}</p>
      ))}
      {refusal && <p>{refusal.message}</p>}
    </>
  ),
};
