// The numbers that a database has given out: ids, versions of catalogues, and sequences of events. A restored database
// would give them out again (DECISIONS.md: A restore never gives out a number again).

import { RESTORE_ROOM } from "../events/event.ts";

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

export function withRoom(own: LastIds): LastIds {
  return Object.fromEntries(
    Object.entries(own).map(([name, id]) => [name, (id as number) + RESTORE_ROOM]),
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
