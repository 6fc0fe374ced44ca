// The numbers that a database has given out: ids, versions of catalogues, and sequences of events. A restored database
// would give them out again (DECISIONS.md: A restore never gives out a number again).

import { RESTORE_ROOM } from "../../features/events/event.ts";
import { MINUTE_MS } from "../../core/values/time.ts";

/** The last id of each kind. 0 if there is none. */
export interface LastIds {
  orders: number;
  products: number;
  variations: number;
  credentials: number;
  webhooks: number;
  auditEntries: number;
}

/** The last staged version of a catalogue. */
export interface StagedVersion {
  catalogueId: number;
  version: number;
}

/** The event `data.restored` of a client. */
export interface RestoredClient {
  clientId: string;
  /** The sequence of the last event that is still valid. 0 if none is. */
  lastSequence: number;
  /** The sequence of the event `data.restored`. */
  sequence: number;
}

/** The last ids that are higher in `issued`. */
export function higherIds(issued: LastIds, own: LastIds): Partial<LastIds> {
  return Object.fromEntries(
    Object.entries(issued).filter(([name, id]) => id > own[name as keyof LastIds]),
  );
}

/** 100 days. The highest possible id of an order is more than six times the room for this time. */
const MAX_MINUTES = 144_000;

/**
 * How far the numbers must be raised if any could have been given out since the time. A later restore of the same backup
 * has more room, so it does not give out the numbers that followed an earlier one.
 */
export function roomSince(timeMs: number, nowMs: number): number {
  const minutes = Math.max(0, Math.floor((nowMs - timeMs) / MINUTE_MS)) + 1;
  return RESTORE_ROOM * Math.min(minutes, MAX_MINUTES);
}

export function withRoom(own: LastIds, room: number): LastIds {
  return Object.fromEntries(
    Object.entries(own).map(([name, id]) => [name, (id as number) + room]),
  ) as unknown as LastIds;
}

/** The versions that are higher in `issued`, of catalogues that exist. */
export function higherVersions(issued: StagedVersion[], own: StagedVersion[]): StagedVersion[] {
  const versions = new Map(issued.map(({ catalogueId, version }) => [catalogueId, version]));
  return own
    .map(({ catalogueId, version }) => ({
      catalogueId,
      version: Math.max(version, versions.get(catalogueId) ?? 0),
    }))
    .filter((each, index) => each.version > (own[index]?.version ?? 0));
}
