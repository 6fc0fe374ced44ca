// Erases the personal data of the recipients of gifts.
import { chunksOf } from "../../core/values/chunks.ts";
import { suborderNumber } from "../../core/values/ids.ts";
import { plural } from "../../core/values/plural.ts";
import type { Change, PlannedChange } from "../change.ts";
import { Refusal } from "../refusal.ts";
import type { ErasureState, GiftSelection } from "./queries.ts";
import { eraseGifts, MAX_GIFTS, obstacleOf, readAllStates } from "./recipients.ts";

interface Erasure {
  /** The gifts, which exist. */
  selection: (db: D1Database) => GiftSelection | Promise<GiftSelection>;
  /** Whether gifts that are open or to be shipped are left, and the others erased. */
  skipUnfinished: boolean;
  reason?: string | undefined;
  /** Carries out the transactions. The default is one after the other. */
  inTransactions?:
    | ((chunks: ErasureState[][], erase: (chunk: ErasureState[]) => Promise<void>) => Promise<void>)
    | undefined;
}

type Plan = PlannedChange &
  Pick<Erasure, "inTransactions"> & { finished: ErasureState[]; unfinished: ErasureState[] };

interface Erased {
  erased: string[];
  /** The gifts that are not erased, with the reasons. */
  kept: { suborder: string; reason: string | null }[];
  /** Sentences. */
  lines: string[];
  /** Null if all finished gifts were erased. */
  refusal: Refusal | null;
}

/** Erases the data of finished gifts for good. A transaction for each 200 gifts. */
export const ERASE_RECIPIENT: Change<Erasure, Plan, Erased> = {
  action: "recipient erase",
  plan: async ({ DB }, { selection, skipUnfinished, reason, inTransactions }) => {
    const all = await readAllStates(DB, await selection(DB));
    const left = all.filter(({ erasedAtMs }) => erasedAtMs === null);
    const finished = left.filter(({ isFinished }) => isFinished);
    const unfinished = left.filter(({ isFinished }) => !isFinished);
    if (unfinished.length > 0 && !skipUnfinished) {
      throw unfinishedRefusal(unfinished, all.length === 1);
    }
    if (finished.length === 0) {
      throw new Refusal(
        unfinished.length > 0
          ? `no gift is finished: ${reasons(unfinished)}. Nothing was erased.`
          : `${numbers(all)} ${all.length === 1 ? "is" : "are"} erased already. Nothing was changed.`,
      );
    }
    const description = describe(finished);
    return { description, subjects: [], reason, finished, unfinished, inTransactions };
  },
  run: async ({ DB }, { finished, unfinished, inTransactions = oneByOne }, nowMs, auditing) => {
    await inTransactions([...chunksOf(finished, MAX_GIFTS)], async (chunk) => {
      const keys = chunk.map(({ id }) => id);
      await eraseGifts(auditing([{ type: "gift", keys }]), keys, nowMs);
    });
    // A shipment may have been reopened since the plan was made.
    const ids = finished.map(({ id }) => id);
    const after = await readAllStates(DB, { ids, clientId: null });
    const erased = after.filter(({ erasedAtMs }) => erasedAtMs !== null).map(numberOf);
    const refused = after.filter(({ erasedAtMs }) => erasedAtMs === null);
    const kept = [...unfinished, ...refused];
    return {
      erased,
      kept: kept.map((gift) => ({ suborder: numberOf(gift), reason: obstacleOf(gift) })),
      lines: [
        ...(erased.length > 0 ? [`Erased: ${erased.join(", ")}.`] : []),
        ...(kept.length > 0 ? [`Not erased: ${reasons(kept)}.`] : []),
      ],
      refusal: refused.length > 0 ? unfinishedRefusal(refused, after.length === 1) : null,
    };
  },
};

const oneByOne: NonNullable<Erasure["inTransactions"]> = async (chunks, erase) => {
  for (const chunk of chunks) await erase(chunk);
};

const numberOf = ({ orderId, sequence }: ErasureState) => suborderNumber(orderId, sequence);

const MAX_LISTED = 20;

/** The values with a comma between them, at most twenty. */
function listed(values: string[]): string {
  const more = values.length - MAX_LISTED;
  return values.slice(0, MAX_LISTED).join(", ") + (more > 0 ? ` and ${String(more)} more` : "");
}

const numbers = (gifts: readonly ErasureState[]) => listed(gifts.map(numberOf));

const reasons = (gifts: readonly ErasureState[]) =>
  listed(gifts.map((gift) => `${numberOf(gift)} ${obstacleOf(gift) ?? "has changed"}`));

function describe(gifts: readonly ErasureState[]): string {
  const clients = [...new Set(gifts.map(({ clientId }) => clientId))].sort();
  const of = `${clients.length === 1 ? "client" : "clients"} ${listed(clients)}`;
  return `erase the personal data of ${plural(gifts.length, "gift")} of ${of} for good: ${numbers(gifts)}`;
}

/** `isOnly`: there are no others to erase. */
const unfinishedRefusal = (gifts: readonly ErasureState[], isOnly: boolean) =>
  new Refusal(
    `${reasons(gifts)}. Cancel or ship ${gifts.length === 1 ? "this gift" : "these gifts"} first` +
      (isOnly ? "." : ", or skip unfinished gifts to erase the others."),
  );
