// Makes a restored database safe to use (DECISIONS.md: A restore never gives out a number again).
import { chunksOf } from "../../core/values/chunks.ts";
import { suborderNumber } from "../../core/values/ids.ts";
import { plural } from "../../core/values/plural.ts";
import { formatDateTime, MINUTE_MS } from "../../core/values/time.ts";
import type { Auditing, Change, OperatorBindings, PlannedChange } from "../change.ts";
import { cancelGifts, subjectsOf } from "../lifecycle/cancel-order.ts";
import type { ErasureState } from "../privacy/queries.ts";
import { eraseGifts, MAX_GIFTS, obstacleOf, readAllStates } from "../privacy/recipients.ts";
import { Refusal } from "../refusal.ts";
import * as queries from "./queries.ts";

interface Finishing {
  /** What `restore prepare` has read, or the time to which the database was restored. */
  from: queries.RestoreState | { restoredToMs: number };
  actor: string;
}

interface Plan extends PlannedChange, Pick<Finished, "lostClients"> {
  state: queries.RestoreState;
  actor: string;
}

interface Finished extends Pick<queries.RestoreState, "ids" | "events" | "restrictions"> {
  /** The ids of the clients that were added after the moment. */
  lostClients: string[];
  erased: string[];
  /** The gifts whose recipients must be erased by hand, with the reasons. */
  notErased: { suborder: string; reason: string }[];
}

/** Several transactions. Safe to repeat. */
export const FINISH_RESTORE: Change<Finishing, Plan, Finished> = {
  action: "restore finish",
  plan: async ({ DB, ENVIRONMENT }, { from, actor }, nowMs) => {
    const own = await queries.readNumbers(DB);
    const state = "restoredToMs" in from ? await raised(DB, own, from.restoredToMs, nowMs) : from;
    if (own.ids.orders > (state.ids.orders ?? Infinity)) {
      // Endpoints and clients may be active again for good reasons.
      throw new Refusal("orders were placed after the file was written. Nothing was changed.");
    }
    const lastOf = new Map(own.events.map(({ clientId, sequence }) => [clientId, sequence]));
    const events = state.events.filter(
      ({ clientId, sequence }) => sequence > (lastOf.get(clientId) ?? Infinity),
    );
    const ids = Object.fromEntries(
      Object.entries(state.ids).filter(([name, id]) => id > own.ids[name as keyof queries.LastIds]),
    );
    const clientsOf = (kind: string) => [
      ...new Set(state.restrictions.filter((r) => r.kind === kind).map((r) => r.clientId)),
    ];
    return {
      state: { ...state, ids, events },
      lostClients: state.events
        .map(({ clientId }) => clientId)
        .filter((clientId) => !lastOf.has(clientId)),
      actor,
      description:
        `reserve ids, tell ${plural(events.length, "client")} of the restore, restrict access in ` +
        `${plural(state.restrictions.length, "case")}, and protect ${plural(state.gifts.length, "gift")}`,
      subjects: [
        { type: "database", keys: [ENVIRONMENT] },
        { type: "client", keys: clientsOf("client") },
        { type: "credential", keys: clientsOf("credential") },
        { type: "webhook", keys: clientsOf("webhook") },
      ],
    };
  },
  run: async (env, { state, lostClients, actor }, nowMs, auditing) => {
    const { ids, events, restrictions, gifts } = state;
    await queries.writeRestore(env.DB, state, { actor, nowMs });
    for (const chunk of chunksOf(gifts, MAX_PROTECTED)) {
      const keys = chunk.map(({ id }) => id);
      await queries.writeProtection(auditing([{ type: "gift", keys }]), chunk);
    }
    const erasures = await eraseAgain(env, gifts, nowMs, auditing);
    return { ids, events, restrictions, lostClients, ...erasures };
  },
};

/** The states of this many gifts fit into the audit log's snapshot. */
const MAX_PROTECTED = 2_000;

/** Erases the recipients. Gifts that had ended and are open again are cancelled first. */
async function eraseAgain(
  env: OperatorBindings,
  gifts: queries.ChangedGift[],
  nowMs: number,
  auditing: Auditing,
): Promise<Pick<Finished, "erased" | "notErased">> {
  const unerased = await queries.readUnerased(env.DB, gifts);
  const selection = { ids: unerased.map(({ id }) => id), clientId: null };
  // The client has paid for a gift that was shipped, so it is not cancelled.
  const shipped = new Set(unerased.filter((gift) => gift.hasShipment).map(({ id }) => id));
  const open = (await readAllStates(env.DB, selection)).filter(
    ({ id, isFinished, redemptionStatus }) =>
      !isFinished && redemptionStatus === null && !shipped.has(id),
  );
  for (const { id, orderId } of open) {
    const cancellation = { orderId, suborderIds: [id], withRedeemed: false };
    await cancelGifts(auditing(subjectsOf(cancellation)), cancellation, nowMs);
  }
  for (const keys of chunksOf(selection.ids, MAX_GIFTS)) {
    await eraseGifts(auditing([{ type: "gift", keys }]), keys, nowMs);
  }
  const after = await readAllStates(env.DB, selection);
  const numberOf = (gift: ErasureState) => suborderNumber(gift.orderId, gift.sequence);
  return {
    erased: after.filter(({ erasedAtMs }) => erasedAtMs !== null).map(numberOf),
    notErased: after
      .filter(({ erasedAtMs }) => erasedAtMs === null)
      .map((gift) => ({ suborder: numberOf(gift), reason: obstacleOf(gift) ?? "has changed" })),
  };
}

/**
 * More numbers than a database can give out in a minute. If it is unknown which numbers the lost database has given out,
 * the restored one continues after its own by a multiple of this.
 */
export const RESTORE_ROOM = 10_000_000;

/** 100 days. The highest possible id of an order is more than six times the room for this time. */
const MAX_MINUTES = 144_000;

/**
 * Numbers that the lost database cannot have given out. A later restore of the same backup has more room, so it does not
 * give out the numbers that followed an earlier one. Errors: `Refusal` if the numbers were raised already.
 */
async function raised(
  db: D1Database,
  { ids, catalogues, events }: Awaited<ReturnType<typeof queries.readNumbers>>,
  restoredToMs: number,
  nowMs: number,
): Promise<queries.RestoreState> {
  const finishedAtMs = await queries.readLastFinish(db, restoredToMs);
  if (finishedAtMs !== null) {
    throw new Refusal(
      `the restore was finished at ${formatDateTime(finishedAtMs)} (UTC). Nothing was changed. If the database has ` +
        "been restored again since then, give the time of the last restore.",
    );
  }
  const minutes = Math.max(0, Math.floor((nowMs - restoredToMs) / MINUTE_MS)) + 1;
  const room = RESTORE_ROOM * Math.min(minutes, MAX_MINUTES);
  return {
    ids: Object.fromEntries(Object.entries(ids).map(([name, id]) => [name, id + room])),
    catalogues: catalogues.map(({ id, version }) => ({ id, version: version + room })),
    events: events.map(({ clientId, sequence }) => ({ clientId, sequence: sequence + room })),
    restrictions: [],
    complaints: [],
    gifts: [],
  };
}
