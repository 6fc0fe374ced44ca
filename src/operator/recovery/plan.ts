// What a restored database needs before it may be used: higher numbers than those that were given out (DECISIONS.md: A
// restore never gives out a number again), events that tell partners of the restore, and the restrictions of access that
// were lost.
import {
  type AccessRow,
  type EventHead,
  findLastSame,
  type GiftKey,
  type LastIds,
  type Reader,
  readLastIds,
  readLinks,
  readStagedVersions,
  SELECT_ACCESS,
  SELECT_CLIENTS_AT,
  SELECT_EVENTS_AFTER,
  SELECT_EVENTS_BEFORE,
  SELECT_LAST_EVENTS,
  SELECT_RESTORED,
  type LostEvent,
  type RenewedLink,
  type RestoreChanges,
  readLastCheck,
} from "./queries.ts";
import { MINUTE_MS } from "../../core/values/time.ts";

export interface RestorePlan extends RestoreChanges {
  /** The last ids of the restored database. */
  own: LastIds;
  /** The lost events. Empty if nothing was lost, or if it is not known what was lost. */
  events: LostEvent[];
  /** Without an export: when the database was checked last, if that was after the given time. */
  checkedAtMs: number | null;
}

/** The lost database is not a later state of the restored one. The message is a sentence. */
export class NotLaterState extends Error {
  override name = "NotLaterState";
}

/**
 * The plan with an export of the lost database. Ids and sequences continue after those of the export. Once the plan is
 * written, the next plan is empty. Errors: `NotLaterState`.
 */
export async function planRestore(db: Reader, lost: Reader): Promise<RestorePlan> {
  const [own, ownVersions, ownEvents, ownAccess] = await readState(db);
  const [issued, versions, lostEvents, access] = await readState(lost);
  const lastLost = new Map(lostEvents.map((last) => [last.clientId, last]));
  const valid = await findValidEvents(db, lost, ownEvents, lastLost);
  const after = lostEvents.map(({ clientId }) => [
    clientId,
    valid.get(clientId)?.lastSequence ?? 0,
  ]);
  const events = await SELECT_EVENTS_AFTER.all(lost, { after: JSON.stringify(after) });
  const ids = higher(issued, own);
  const isAhead = ownEvents.some((e) => e.sequence > (lastLost.get(e.clientId)?.sequence ?? 0));
  if (isAhead && events.length === 0 && Object.keys(ids).length === 0) {
    throw new NotLaterState(
      "the file is an export of an earlier state of this database, so it does not contain what was lost.",
    );
  }
  return {
    own,
    events,
    checkedAtMs: null,
    ids,
    versions: higher(versions, ownVersions),
    clients: [...valid.values()]
      .filter(({ isMarked, sequence }) => !isMarked && sequence > 0)
      .map(({ clientId, lastSequence, sequence }) => ({ clientId, lastSequence, sequence })),
    restrictions: findRestrictions(access, ownAccess),
    links: await findRenewals(db, lost, events),
  };
}

/**
 * The plan without an export, for a database that was restored to a time. Ids and sequences continue after any that the
 * lost database could have given out. Once the plan is written, the next plan is empty.
 */
export async function planRestoreTo(
  db: Reader,
  timeMs: number,
  nowMs: number,
): Promise<RestorePlan> {
  const [own, versions, clients, checkedAtMs] = await Promise.all([
    readLastIds(db),
    readStagedVersions(db),
    SELECT_CLIENTS_AT.all(db, { timeMs }),
    readLastCheck(db, timeMs),
  ]);
  const room = roomSince(timeMs, nowMs);
  const withRoom = (numbers: Record<string, number>) =>
    checkedAtMs === null
      ? Object.fromEntries(Object.entries(numbers).map(([name, number]) => [name, number + room]))
      : {};
  return {
    own,
    events: [],
    checkedAtMs,
    ids: withRoom(own),
    versions: withRoom(versions),
    clients: clients
      .filter(({ isMarked }) => isMarked === 0)
      .map(({ clientId, last, lastUntil }) => ({
        clientId,
        lastSequence: lastUntil,
        sequence: last + room,
      })),
    restrictions: [],
    links: [],
  };
}

/** Whether the plan changes nothing. */
export function isEmptyPlan({ ids, versions, clients, restrictions, links }: RestorePlan): boolean {
  return [ids, versions, clients, restrictions, links].every(
    (each) => Object.keys(each).length === 0,
  );
}

/** The numbers that are higher in `issued`, of the kinds or catalogues that exist. */
const higher = (issued: Record<string, number>, own: Record<string, number>) =>
  Object.fromEntries(
    Object.entries(issued).filter(([name, number]) => number > (own[name] ?? Infinity)),
  );

/**
 * More numbers than a database can give out in a minute. If it is unknown which numbers the lost database has given out,
 * the restored one continues after its own by a multiple of this.
 */
export const RESTORE_ROOM = 10_000_000;

/** 100 days. The highest possible id of an order is more than six times the room for this time. */
const MAX_MINUTES = 144_000;

/**
 * How far the numbers must be raised if any could have been given out since the time. A later restore of the same backup
 * has more room, so it does not give out the numbers that followed an earlier one.
 */
function roomSince(timeMs: number, nowMs: number): number {
  const minutes = Math.max(0, Math.floor((nowMs - timeMs) / MINUTE_MS)) + 1;
  return RESTORE_ROOM * Math.min(minutes, MAX_MINUTES);
}

const readState = (db: Reader) =>
  Promise.all([
    readLastIds(db),
    readStagedVersions(db),
    SELECT_LAST_EVENTS.all(db, {}),
    SELECT_ACCESS.all(db, {}),
  ]);

interface ValidEvents {
  clientId: string;
  /** The last event that both databases have. */
  lastSequence: number;
  /** The sequence for `data.restored`. 0 if no event of the client was lost. */
  sequence: number;
  /** Whether there is a `data.restored` already. */
  isMarked: boolean;
}

/** For each client of both databases. Errors: `NotLaterState`. */
async function findValidEvents(
  db: Reader,
  lost: Reader,
  ownEvents: EventHead[],
  lastLost: Map<string, EventHead>,
): Promise<Map<string, ValidEvents>> {
  const after = [...lastLost.values()].map(({ clientId, sequence }) => [clientId, sequence]);
  const restored = await SELECT_RESTORED.all(db, { after: JSON.stringify(after) });
  const marked = new Map(restored.map((e) => [e.clientId, e]));
  const valid = new Map<string, ValidEvents>();
  let isRelated = ownEvents.every(({ sequence }) => sequence === 0);
  for (const own of ownEvents) {
    const { clientId } = own;
    const last = lastLost.get(clientId);
    if (!last) continue;
    const mark = marked.get(clientId);
    const lastSequence =
      mark?.lastSequence ?? (await findLastSameEvent(db, lost, own, last.sequence));
    if (lastSequence > 0 || mark) isRelated = true;
    const sequence = lastSequence < last.sequence ? Math.max(own.sequence, last.sequence) + 1 : 0;
    valid.set(clientId, { clientId, lastSequence, sequence, isMarked: mark !== undefined });
  }
  if (!isRelated) {
    throw new NotLaterState(
      "the file is not an export of a later state of this database: they have no event in common.",
    );
  }
  return valid;
}

/** The sequence of the last event that both databases have. 0 if there is none. */
async function findLastSameEvent(
  db: Reader,
  lost: Reader,
  own: EventHead,
  lastLost: number,
): Promise<number> {
  const { clientId, sequence } = own;
  if (sequence === 0 || lastLost === 0) return 0;
  // The usual case: the restored database has no new events. It needs no query of the restored database.
  const last = { clientId, before: sequence + 1, limit: 1 };
  const same = await SELECT_EVENTS_BEFORE.first(lost, last);
  if (JSON.stringify(same) === JSON.stringify(own)) return sequence;
  return findLastSame(db, lost, Math.min(sequence, lastLost) + 1, (from, page) =>
    SELECT_EVENTS_BEFORE.all(from, { clientId, ...page }),
  );
}

const STRICTNESS: Record<string, number> = { active: 0, deleted: 2 };
const strictness = ({ status }: AccessRow) => STRICTNESS[status] ?? 1;

/** Returns a function that joins these columns of a row. */
export const keyOf =
  <Name extends string>(...names: Name[]) =>
  (row: Readonly<Record<Name, unknown>>) =>
    JSON.stringify(names.map((name) => row[name]));

const accessKey = keyOf("kind", "id", "clientId", "origin");

/** The rows of the lost database that permit less than those of the restored one. */
function findRestrictions(lost: AccessRow[], own: AccessRow[]): AccessRow[] {
  const ownByKey = new Map(own.map((row) => [accessKey(row), row]));
  return lost.filter((row) => {
    const restored = ownByKey.get(accessKey(row));
    return restored !== undefined && strictness(restored) < strictness(row);
  });
}

/** The gifts whose links were renewed, so that the restored database accepts a replaced link. */
async function findRenewals(db: Reader, lost: Reader, events: LostEvent[]): Promise<RenewedLink[]> {
  const gifts = giftsOf(events, ["gift.renewed"]);
  const own = new Map((await readLinks(db, gifts)).map((link) => [linkKey(link), link.generation]));
  return (await readLinks(lost, gifts)).filter(
    (link) => (own.get(linkKey(link)) ?? Infinity) < link.generation,
  );
}

const linkKey = keyOf("orderId", "sequence", "nonce");

/** The gifts of the events of these types, each once. */
export function giftsOf(events: LostEvent[], types: readonly string[]): GiftKey[] {
  const gifts = new Map<string, GiftKey>();
  for (const { type, orderId, suborderSequence } of events) {
    if (!types.includes(type) || orderId === null || suborderSequence === null) continue;
    gifts.set(`${String(orderId)}/${String(suborderSequence)}`, [orderId, suborderSequence]);
  }
  return [...gifts.values()];
}
