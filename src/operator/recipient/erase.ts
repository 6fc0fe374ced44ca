// Erases the personal data of the recipients of gifts.
import { notFound, refusal } from "../../core/api-error.ts";
import { chunksOf } from "../../core/values/chunks.ts";
import { giftNumber, MAX_ID } from "../../core/values/ids.ts";
import { plural, shortList } from "../../core/values/plural.ts";
import { logFault } from "../../platform/log.ts";
import { change } from "../declaration/declare.ts";
import * as kinds from "../declaration/kinds.ts";
import { writeErasure } from "../../features/privacy/queries.ts";
import { retrying } from "../../platform/db/faults.ts";
import { leftOut, obstacleOf, PERSON, requireGifts } from "./person.ts";
import { type ErasureState, MAX_GIFTS, readAllStates } from "./queries.ts";

/** Erases the data of finished gifts for good. A transaction for each 200 gifts. */
export const recipientErase = change({
  name: "recipient erase",
  title: "Erase the recipient's data",
  description:
    "Names, addresses, messages and notes are erased. Amounts, states and events stay, and backups until they are deleted. A region erases only its own gifts.",
  permission: "gifts",
  isFinal: true,
  isGradual: true,
  input: {
    ...PERSON,
    skip_unfinished: kinds.withDefault(
      kinds.flag(
        "Leave gifts that are open, to be shipped, returned or failed, and erase the others",
      ),
      false,
    ),
  },
  examples: [
    '--email ada@example.com --reason "Request 17"',
    'GO-00042-3 GO-00051-1 --reason "Request 18"',
  ],
  result: {
    lists: {
      erased: { title: "Erased", columns: { gift: kinds.gift("Gift") } },
      kept: {
        title: "Not erased",
        columns: { gift: kinds.gift("Gift"), reason: kinds.text("Reason") },
      },
    },
  },
  present: async ({ DB }, { gift: ids = [] }) => {
    const [id] = ids;
    if (id === undefined || ids.length > 1) return {};
    const [gift] = await readAllStates(DB, { ids, clientId: null });
    if (!gift) throw notFound(`there is no gift ${giftNumber(id)}.`);
    if (gift.erasedAtMs !== null) throw refusal("the data is erased already.");
    if (obstacleOf(gift) !== null) throw unfinishedRefusal([gift], true);
    return {};
  },
  plan: async ({ DB }, { skip_unfinished, ...person }) => {
    const all = await requireGifts(DB, person, { before: null, limit: MAX_ID });
    const left = all.filter(({ erasedAtMs }) => erasedAtMs === null);
    const finished = left.filter((gift) => obstacleOf(gift) === null);
    const unfinished = left.filter((gift) => obstacleOf(gift) !== null);
    if (unfinished.length > 0 && !skip_unfinished) {
      throw unfinishedRefusal(unfinished, all.length === 1);
    }
    if (unfinished.length > 0 && finished.length === 0) {
      throw refusal(`no gift is finished: ${reasons(unfinished)}. Nothing was erased.`);
    }
    return {
      finished,
      unfinished,
      will: finished.length > 0 ? describe(finished) : null,
      subjects: [{ type: "gift", keys: finished.map(({ id }) => id) }],
      preview: await leftOut(DB, person, all),
    };
  },
  run: async ({ DB, auditing, progress, nowMs, requestId }, { finished, unfinished }) => {
    const done: ErasureState[] = [];
    for (const chunk of chunksOf(finished, MAX_GIFTS)) {
      const keys = chunk.map(({ id }) => id);
      try {
        await eraseGifts(auditing([{ type: "gift", keys }]), keys, nowMs);
      } catch (error) {
        if (done.length === 0) throw error;
        logFault("request.failed", error, { requestId, route: "recipient erase" });
        break;
      }
      done.push(...chunk);
      await progress(done.length, finished.length);
    }
    // A shipment may have been reopened since the plan was made. A database that has failed is not asked.
    const ids = done.map(({ id }) => id);
    const after =
      done.length === finished.length
        ? await readAllStates(DB, { ids, clientId: null })
        : done.map((gift) => ({ ...gift, erasedAtMs: nowMs }));
    const erased = after.filter(({ erasedAtMs }) => erasedAtMs !== null);
    const refused = after.filter(({ erasedAtMs }) => erasedAtMs === null);
    const total = plural(finished.length, "gift");
    const isComplete = erased.length === finished.length;
    return {
      text: isComplete
        ? `The personal data of ${total} is erased.`
        : `The personal data of ${String(erased.length)} of ${total} is erased. Erase the others again.`,
      hasProblems: !isComplete,
      lists: {
        erased: erased.map(({ id }) => ({ gift: id })),
        kept: [...unfinished, ...refused].map((gift) => ({
          gift: gift.id,
          reason: obstacleOf(gift) ?? "has changed",
        })),
      },
    };
  },
});

/** Safe to repeat. One transaction. */
export const eraseGifts = (db: D1Database, ids: readonly number[], nowMs: number) =>
  retrying(() => writeErasure(db, ids, nowMs));

const MAX_LISTED = 20;

const reasons = (gifts: readonly ErasureState[]) =>
  shortList(
    gifts.map((gift) => `${giftNumber(gift.id)} ${obstacleOf(gift) ?? "has changed"}`),
    MAX_LISTED,
  );

function describe(gifts: readonly ErasureState[]): string {
  const clients = [...new Set(gifts.map(({ clientId }) => clientId))].sort();
  const of = `${clients.length === 1 ? "client" : "clients"} ${shortList(clients, MAX_LISTED)}`;
  const numbers = gifts.map(({ id }) => giftNumber(id));
  return `erase the personal data of ${plural(gifts.length, "gift")} of ${of} for good: ${shortList(numbers, MAX_LISTED)}`;
}

/** `isOnly`: there are no others to erase. */
const unfinishedRefusal = (gifts: readonly ErasureState[], isOnly: boolean) =>
  refusal(
    `${reasons(gifts)}. Cancel or ship ${gifts.length === 1 ? "this gift" : "these gifts"} first` +
      (isOnly ? "." : ", or skip unfinished gifts to erase the others."),
  );
