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
  readBooked,
  readGifts,
  readLastIds,
  SELECT_ACCESS,
  SELECT_BOOKINGS_SINCE,
  SELECT_CHANGES_AFTER,
  SELECT_ENTRIES_BEFORE,
} from "./queries.ts";
import { giftsOf, keyOf } from "./plan.ts";
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
  const after = await findLastSame(db, lost, lastId + 1, (from, page) =>
    SELECT_ENTRIES_BEFORE.all(from, page),
  );
  const changes = await SELECT_CHANGES_AFTER.all(lost, { after });
  const access = await SELECT_ACCESS.all(lost, {});
  return {
    events,
    changes,
    bookings: await findBookings(db, lost, changes),
    ...(await findShipments(db, lost, events)),
    access: findAccess(access, await SELECT_ACCESS.all(db, {})),
    restricted: access.filter(({ status }) => status !== "active"),
  };
}

async function findBookings(db: Reader, lost: Reader, changes: LostChange[]): Promise<Booking[]> {
  if (changes.length === 0) return [];
  // The first change may have a later time than others, because the clocks of operators differ.
  const firstMs = changes.reduce((ms, { createdAtMs }) => Math.min(ms, createdAtMs), Infinity);
  // The times of a booking and of its audit entry are taken one after the other, so they may differ.
  const bookings = await SELECT_BOOKINGS_SINCE.all(lost, { sinceMs: firstMs - MINUTE_MS });
  const bookingKey = keyOf("clientId", "currency", "reference");
  const booked = new Set((await readBooked(db, bookings)).map(bookingKey));
  return bookings.filter((each) => !booked.has(bookingKey(each)));
}

const SHIPMENT_EVENTS = ["gift.shipped", "gift.sent", "gift.delivered"];

async function findShipments(db: Reader, lost: Reader, events: LostEvent[]) {
  const gifts = giftsOf(events, SHIPMENT_EVENTS);
  const shipped = (await readGifts(lost, gifts)).filter(({ shipment }) => shipment !== null);
  const giftKey = keyOf("orderId", "sequence", "clientId", "placedAtMs");
  const own = new Map((await readGifts(db, gifts)).map((gift) => [giftKey(gift), gift]));
  const open = shipped.filter((gift) => !own.get(giftKey(gift))?.shipment);
  const canRecord = (gift: GiftState) => own.get(giftKey(gift))?.isDeliverable === 1;
  return {
    shipments: open.filter(canRecord),
    strayShipments: open.filter((gift) => !canRecord(gift)),
  };
}

function findAccess(lost: AccessRow[], own: AccessRow[]): AccessRow[] {
  const accessKey = keyOf("kind", "id", "clientId", "origin", "settings");
  const existing = new Set(own.map(accessKey));
  return lost
    .filter((row) => row.status !== "revoked" && row.status !== "deleted")
    .filter((row) => !existing.has(accessKey(row)));
}
