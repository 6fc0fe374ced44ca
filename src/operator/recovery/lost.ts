// What a restore has undone, for the report to the operator. Most of it is read from two logs of the lost database: the
// events of clients and the audit log.
import {
  type AccessRow,
  type Booking,
  findLastSame,
  type GiftState,
  type LostChange,
  type LostEvent,
  type Reader,
  readAccess,
  readBooked,
  readBookingsSince,
  readChangesAfter,
  readEntriesBefore,
  readGifts,
  readLastIds,
} from "./queries.ts";
import { giftsOf } from "./plan.ts";
import { MINUTE_MS } from "../../core/values/time.ts";

export interface LostData {
  events: LostEvent[];
  /** The operators' changes, oldest first. */
  changes: LostChange[];
  /** The bookings of credit that the restored database does not have. */
  bookings: Booking[];
  /** Shipped gifts that the restored database has as gifts to ship. */
  shipments: GiftState[];
  /** Shipped gifts that the restored database cannot record, because their order or their redemption was lost. */
  strayShipments: GiftState[];
  /**
   * Clients, active credential sets and endpoints that the restored database does not have, or not with these settings.
   */
  access: AccessRow[];
  /** Clients, credential sets and endpoints that are suspended, revoked, disabled or deleted in the lost database. */
  restricted: AccessRow[];
}

export async function findLost(db: Reader, lost: Reader, events: LostEvent[]): Promise<LostData> {
  const { auditEntries: lastId } = await readLastIds(lost);
  const lastSameId = await findLastSame(db, lost, lastId + 1, readEntriesBefore);
  const changes = await readChangesAfter(lost, lastSameId);
  const access = await readAccess(lost);
  return {
    events,
    changes,
    bookings: await findBookings(db, lost, changes),
    ...(await findShipments(db, lost, events)),
    access: findAccess(access, await readAccess(db)),
    restricted: access.filter(({ status }) => status !== "active"),
  };
}

async function findBookings(db: Reader, lost: Reader, changes: LostChange[]): Promise<Booking[]> {
  if (changes.length === 0) return [];
  // The first change may have a later time than others, because the clocks of operators differ.
  const firstMs = changes.reduce((ms, { createdAtMs }) => Math.min(ms, createdAtMs), Infinity);
  // The times of a booking and of its audit entry are taken one after the other, so they may differ.
  const bookings = await readBookingsSince(lost, firstMs - MINUTE_MS);
  const keyOf = ({ clientId, currency, reference }: Omit<Booking, "amountMinor" | "note">) =>
    JSON.stringify([clientId, currency, reference]);
  const booked = new Set((await readBooked(db, bookings)).map(keyOf));
  return bookings.filter((each) => !booked.has(keyOf(each)));
}

const SHIPMENT_EVENTS = ["gift.shipped", "gift.sent", "gift.delivered"];

async function findShipments(db: Reader, lost: Reader, events: LostEvent[]) {
  const gifts = giftsOf(events, SHIPMENT_EVENTS);
  const shipped = (await readGifts(lost, gifts)).filter(({ shipment }) => shipment !== null);
  const keyOf = ({ orderId, sequence, clientId, placedAtMs }: GiftState) =>
    JSON.stringify([orderId, sequence, clientId, placedAtMs]);
  const own = new Map((await readGifts(db, gifts)).map((gift) => [keyOf(gift), gift]));
  const open = shipped.filter((gift) => !own.get(keyOf(gift))?.shipment);
  const canRecord = (gift: GiftState) => own.get(keyOf(gift))?.isDeliverable === 1;
  return {
    shipments: open.filter(canRecord),
    strayShipments: open.filter((gift) => !canRecord(gift)),
  };
}

function findAccess(lost: AccessRow[], own: AccessRow[]): AccessRow[] {
  const keyOf = ({ kind, id, clientId, origin, settings }: AccessRow) =>
    JSON.stringify([kind, id, clientId, origin, settings]);
  const existing = new Set(own.map(keyOf));
  return lost
    .filter((row) => row.status !== "revoked" && row.status !== "deleted")
    .filter((row) => !existing.has(keyOf(row)));
}
