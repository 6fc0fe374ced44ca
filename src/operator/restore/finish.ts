// Makes a restored database safe to use (DECISIONS.md: A restore never gives out a number again).
import { ApiError, refusal, validationError } from "../../core/api-error.ts";
import { chunksOf } from "../../core/values/chunks.ts";
import { plural } from "../../core/values/plural.ts";
import { formatDateTime, MINUTE_MS } from "../../core/values/time.ts";
import { cancel } from "../../features/lifecycle/cancel.ts";
import { operatorKey } from "../../features/lifecycle/order-key.ts";
import { invalidated } from "../client/invalidate.ts";
import { change, type OperatorContext, type RunContext } from "../declaration/declare.ts";
import { requireOne } from "../declaration/input.ts";
import * as kinds from "../declaration/kinds.ts";
import { requireIdsOfRegion } from "../region/begin.ts";
import type { LastIds } from "../region/queries.ts";
import { obstacleOf } from "../recipient/person.ts";
import { MAX_GIFTS, readAllStates } from "../recipient/queries.ts";
import { preparedState } from "./prepared-state.ts";
import * as queries from "./queries.ts";

const MAX_FILE_BYTES = 100_000_000;

const UNKNOWN =
  "Not known: revoked credential sets, suspended clients, disabled endpoints, renewed links, complaints, stopped " +
  "e-mails, erasures and codes that were given out since that time. Repeat them by hand.";

/** Several transactions. Safe to repeat. */
export const restoreFinish = change({
  name: "restore finish",
  title: "Finish a restore of the database",
  description:
    "Makes a restored database safe to use, before requests are let in again (docs/RESTORE.md). With a file, it can be repeated.",
  permission: "credentials",
  isGradual: true,
  input: {
    file: kinds.optional(kinds.file("File of restore prepare", { maxBytes: MAX_FILE_BYTES })),
    restored_to: kinds.optional(
      kinds.time("Time of the imported export", {
        hint: "Without a file. Ids and sequences continue a million later for each minute since then.",
      }),
    ),
  },
  examples: ["--file restore.json", "--restored-to 2026-11-22T09:30:00Z"],
  result: {
    lists: {
      reserved: {
        title: "Reserved ids",
        columns: { kind: kinds.text("Kind"), id: kinds.count("Last id") },
      },
      events: {
        title: "Clients that were told of the restore",
        columns: { client: kinds.client("Client"), sequence: kinds.count("Last event") },
      },
      lost_clients: {
        title: "Clients that are lost, because they were added later",
        columns: { client: kinds.text("Client") },
      },
      erased: { title: "Erased again", columns: { gift: kinds.gift("Gift") } },
      not_erased: {
        title: "To be erased by hand",
        columns: { gift: kinds.gift("Gift"), reason: kinds.text("Reason") },
      },
    },
  },
  plan: async (context, { file, restored_to: restoredToMs }) => {
    requireOne({ file, restored_to: restoredToMs }, "file", "restored_to");
    const { DB, ENVIRONMENT, REGION } = context;
    const own = await queries.readNumbers(DB);
    const state = file
      ? preparedState(file, ENVIRONMENT)
      : await raisedState(context, own, restoredToMs ?? 0);
    if (own.ids.orders > (state.ids.orders ?? Infinity)) {
      // Endpoints and clients may be active again for good reasons.
      throw refusal("orders were placed after the file was written. Nothing was changed.");
    }
    requireIdsOfRegion({ ...own.ids, ...state.ids }, REGION);
    const lastOf = new Map(own.events.map(({ clientId, sequence }) => [clientId, sequence]));
    const events = state.events.filter(
      ({ clientId, sequence }) => sequence > (lastOf.get(clientId) ?? Infinity),
    );
    const ids = Object.fromEntries(
      Object.entries(state.ids).filter(([name, id]) => id > own.ids[name as keyof LastIds]),
    );
    const clientsOf = (kind: string) => [
      ...new Set(state.restrictions.filter((r) => r.kind === kind).map((r) => r.clientId)),
    ];
    return {
      state: { ...state, ids, events },
      lostClients: state.events
        .map(({ clientId }) => clientId)
        .filter((clientId) => !lastOf.has(clientId)),
      warnings: file ? [] : [UNKNOWN],
      will:
        `reserve ids, tell ${plural(events.length, "client")} of the restore, restrict access in ` +
        `${plural(state.restrictions.length, "case")}, keep ${plural(state.codes.length, "used code")} from being given out, ` +
        `and protect ${plural(state.gifts.length, "gift")}`,
      subjects: [
        { type: "database", keys: [ENVIRONMENT] },
        { type: "client", keys: clientsOf("client") },
        { type: "credential", keys: clientsOf("credential") },
        { type: "webhook", keys: clientsOf("webhook") },
      ],
    };
  },
  run: async (context, { state, lostClients, warnings }) => {
    const { ids, events, restrictions } = state;
    await queries.writeRestore(context.DB, state, {
      actor: context.user.name,
      nowMs: context.nowMs,
    });
    const { erased, notErased } = await protectGifts(context, state.gifts);
    const all = new Set(warnings);
    for (const clientId of new Set(restrictions.map((each) => each.clientId))) {
      for (const warning of (await invalidated(context, clientId)).warnings) all.add(warning);
    }
    return {
      text: `The restore is finished. Access is restricted in ${plural(restrictions.length, "case")}.`,
      warnings: [...all],
      lists: {
        reserved: Object.entries(ids).map(([kind, id]) => ({ kind, id })),
        events: events.map(({ clientId, sequence }) => ({ client: clientId, sequence })),
        lost_clients: lostClients.map((client) => ({ client })),
        erased: erased.map((gift) => ({ gift })),
        not_erased: notErased,
      },
    };
  },
});

/**
 * Replaces links, stops e-mails and erases recipients again. Gifts that had ended and are open again are cancelled first.
 * Each object is in one transaction of those that are recorded.
 */
async function protectGifts(
  { DB, auditing, progress, nowMs }: RunContext,
  gifts: queries.ChangedGift[],
): Promise<{ erased: number[]; notErased: { gift: number; reason: string }[] }> {
  const unerased = await queries.readUnerased(DB, gifts);
  const ids = new Set(unerased.map(({ id }) => id));
  const selection = { ids: [...ids], clientId: null };
  // The client has paid for a gift that was shipped, so it is not cancelled.
  const shipped = new Set(unerased.filter((gift) => gift.hasShipment).map(({ id }) => id));
  const open = (await readAllStates(DB, selection)).filter(
    ({ id, isFinished, redemptionStatus }) =>
      !isFinished && redemptionStatus === null && !shipped.has(id),
  );
  for (const [orderId, ofOrder] of Map.groupBy(open, (gift) => gift.orderId)) {
    // A gift that cannot be cancelled is not erased.
    await cancel(auditing([{ type: "order", keys: [orderId] }]), {
      ...operatorKey(orderId),
      giftIds: ofOrder.map(({ id }) => id),
      withRedeemed: false,
      requestId: crypto.randomUUID(),
      nowMs,
    }).catch((error: unknown) => {
      if (!(error instanceof ApiError)) throw error;
    });
  }
  let done = 0;
  for (const chunk of chunksOf(gifts, MAX_GIFTS)) {
    const keys = chunk.map(({ id }) => id);
    const erasing = keys.filter((id) => ids.has(id));
    await queries.writeProtection(auditing([{ type: "gift", keys }]), chunk, erasing, nowMs);
    done += chunk.length;
    await progress(done, gifts.length);
  }
  const after = await readAllStates(DB, selection);
  return {
    erased: after.filter(({ erasedAtMs }) => erasedAtMs !== null).map(({ id }) => id),
    notErased: after
      .filter(({ erasedAtMs }) => erasedAtMs === null)
      .map((gift) => ({ gift: gift.id, reason: obstacleOf(gift) ?? "has changed" })),
  };
}

/**
 * More numbers than a database can give out in a minute. If it is unknown which numbers the lost database has given out,
 * the restored one continues after its own by a multiple of this.
 */
export const RESTORE_ROOM = 1_000_000;

/** 30 days, after which exports are deleted. The ids of a region have twice the room for this time. */
const MAX_MINUTES = 43_200;

/**
 * Numbers that the lost database cannot have given out. A later restore of the same backup has more room, so it does not
 * give out the numbers that followed an earlier one. Errors: `not_allowed_in_state` if the numbers were raised already; `ApiError` for a
 * time in the future.
 */
async function raisedState(
  { DB, nowMs }: OperatorContext,
  { ids, catalogues, events }: Awaited<ReturnType<typeof queries.readNumbers>>,
  restoredToMs: number,
): Promise<queries.RestoreState> {
  if (restoredToMs > nowMs) {
    throw validationError([{ field: "restored_to", message: "must be in the past" }]);
  }
  const finishedAtMs = await queries.readLastFinish(DB, restoredToMs);
  if (finishedAtMs !== null) {
    throw refusal(
      `the restore was finished at ${formatDateTime(finishedAtMs)} (UTC). Nothing was changed. If the database has ` +
        "been restored again since then, give the time of the last restore.",
    );
  }
  const minutes = Math.floor((nowMs - restoredToMs) / MINUTE_MS) + 1;
  const room = RESTORE_ROOM * Math.min(minutes, MAX_MINUTES);
  return {
    ids: Object.fromEntries(Object.entries(ids).map(([name, id]) => [name, id + room])),
    catalogues: catalogues.map(({ id, version }) => ({ id, version: version + room })),
    events: events.map(({ clientId, sequence }) => ({ clientId, sequence: sequence + room })),
    restrictions: [],
    complaints: [],
    codes: [],
    gifts: [],
  };
}
