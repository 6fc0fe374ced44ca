// The report of `restore-check`: what it has changed, what was lost, and what to do about it.
import type { Bindings } from "../../platform/env.ts";
import type {
  AccessRow,
  GiftState,
  LastIds,
  LostChange,
  LostEvent,
} from "../../operator/recovery/queries.ts";
import type { LostData } from "../../operator/recovery/lost.ts";
import type { RestorePlan } from "../../operator/recovery/plan.ts";
import { orderNumber, suborderNumber } from "../../core/values/ids.ts";
import { formatAmount } from "../../core/values/money.ts";
import { formatDateTime, optionalDateTime } from "../../core/values/time.ts";
import { subjectNumber } from "../../operator/events/event-text.ts";
import { plural } from "../../core/values/plural.ts";
import { table, tableOf } from "../terminal.ts";

export type RestoreReport = ReturnType<typeof reportOf>;

/** The report, as --json prints it. `lost` is null without an export of the lost database. */
export const reportOf = (plan: RestorePlan, wasEmpty: boolean, lost: LostData | null) => ({
  changed: wasEmpty ? null : changedBy(plan),
  /** Without an export: when the database was checked before, if that was after the given time. */
  checkedBefore: optionalDateTime(plan.checkedAtMs),
  lost: lost && lostOf(lost),
  /** Commands that repeat lost changes. The operator checks each before it is run. */
  commands: lost ? commandsFor(lost) : [],
  /** Lost changes that no command can repeat. */
  warnings: lost ? lost.strayShipments.map(strayText) : [],
});

function changedBy({ own, ids, clients, restrictions, links }: RestorePlan) {
  return {
    ids: Object.fromEntries(
      Object.entries(ids).map(([name, to]) => [name, { from: own[name as keyof LastIds], to }]),
    ),
    restoredEvents: clients,
    restrictions: restrictions.map(
      ({ kind, id, clientId, status }) =>
        `${kind === "client" ? "" : `${kind} ${id} of `}${clientId} is ${status} again`,
    ),
    replacedLinks: links.map(({ orderId, sequence }) => suborderNumber(orderId, sequence)),
  };
}

/** Gifts, and orders with all their gifts, whose recipients or partners must be told. */
const GIFT_TYPES = [
  "gift.redeemed",
  "gift.declined",
  "gift.thanked",
  "gift.corrected",
  "gift.renewed",
  "gift.cancelled",
  "order.cancelled",
];

function lostOf({ events, changes, access }: LostData) {
  const counts: Record<string, Record<string, number>> = {};
  for (const { clientId, type } of events) {
    const own = (counts[clientId] ??= {});
    own[type] = (own[type] ?? 0) + 1;
  }
  return {
    events: counts,
    orders: events.filter(isPlacement).map(({ clientId, orderId, orderRefId }) => ({
      clientId,
      orderRefId,
      orderNumber: orderNumber(orderId as number),
    })),
    gifts: events
      .filter(({ type }) => GIFT_TYPES.includes(type))
      .map((event) => ({
        clientId: event.clientId,
        type: event.type,
        number: subjectNumber(event),
      })),
    changes,
    access: access.map(accessText),
  };
}

/** An order's later payment has another time than its placement. */
const isPlacement = ({ type, createdAtMs, placedAtMs }: LostEvent) =>
  (type === "order.created" || type === "order.paid") && createdAtMs === placedAtMs;

function accessText({ kind, id, clientId }: AccessRow): string {
  if (kind === "client") return `client ${clientId}, or its settings`;
  if (kind === "credential") return `credential set ${id} of ${clientId}`;
  return `webhook endpoint ${id} of ${clientId}, or its URL, event types or secret`;
}

/** Commands whose only argument is the object that the audit log names. */
const REPEATABLE = ["order pay", "order refund", "order fail", "client resume", "webhook enable"];

/** Commands whose reason in the audit log is a reference. */
const REFERENCED = ["order pay", "order refund"];

function commandsFor({ changes, bookings, shipments, restricted }: LostData): string[] {
  // A client that was resumed and then suspended again stays suspended.
  const isRestricted = ({ subjectType, subject }: LostChange) =>
    restricted.some(({ kind, id }) => kind === subjectType && id === subject);
  const repeated = changes
    .filter((change) => REPEATABLE.includes(change.action) && !isRestricted(change))
    .map(({ action, subject, reason }) => {
      const reference =
        reason !== null && REFERENCED.includes(action) ? ` --reference ${quoted(reason)}` : "";
      return `${action} ${quoted(subject)}${reference}`;
    });
  return [
    ...new Set(repeated),
    ...bookings.map(
      ({ clientId, currency, reference, amountMinor, note }) =>
        `credit add ${quoted(clientId)} ${formatAmount(amountMinor, currency)} --currency ${quoted(currency)} ` +
        `--reference ${quoted(reference)}${note === null ? "" : ` --note ${quoted(note)}`}`,
    ),
    ...shipments.flatMap(shipmentCommands),
    // Only finished gifts can be erased, so these commands are the last ones.
    ...changes
      .filter(({ action, subjectType }) => action === "recipient erase" && subjectType === "gift")
      .map(({ subject, reason }) => {
        const why = reason ?? "Repeated after a restore";
        return `recipient erase --suborder ${quoted(subject)} --reason ${quoted(why)}`;
      }),
  ];
}

function shipmentCommands(gift: GiftState): string[] {
  const number = suborderNumber(gift.orderId, gift.sequence);
  const options = [
    ["--carrier", gift.carrier],
    ["--tracking-number", gift.trackingNumber],
    ["--tracking-url", gift.trackingUrl],
  ] as const;
  const tracking = options.flatMap(([name, value]) =>
    value === null ? [] : [` ${name} ${quoted(value)}`],
  );
  return [
    `shipment ship ${number}${tracking.join("")}`,
    ...(gift.shipment === "delivered" ? [`shipment deliver ${number}`] : []),
  ];
}

function strayText({ orderId, sequence, clientId, carrier, trackingNumber }: GiftState): string {
  const parcel = [carrier, trackingNumber].filter((text) => text !== null).join(" ");
  return (
    `${suborderNumber(orderId, sequence)} of ${clientId} was shipped${parcel && ` (${parcel})`}. ` +
    "Its redemption or its order was lost: if the gift is ordered or accepted again, do not ship it."
  );
}

/** An argument for a POSIX shell. */
const quoted = (text: string) =>
  /^[\w./:@-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`;

const nothingText = (checkedBefore: string | null) =>
  checkedBefore === null
    ? "Nothing. The database had been checked before, or nothing was lost."
    : `Nothing. The database was checked at ${checkedBefore} (UTC). If it has been restored again since then, ` +
      "--restored-to is too early: give the time of the last restore.";

/** The report as text. Its commands are complete, so that they can be copied. */
export function reportText(
  { changed, checkedBefore, lost, commands, warnings }: RestoreReport,
  environment: Bindings["ENVIRONMENT"],
): string {
  const option = environment === "local" ? "" : ` --env ${environment}`;
  const sections: string[] = [];
  const add = (title: string, text: string) => sections.push(`${title}\n${text}`);
  if (!changed) add("Changed", nothingText(checkedBefore));
  else {
    const ids = Object.entries(changed.ids).map(([name, { from, to }]) => [name, from, to]);
    add("Reserved ids", table(["KIND", "LAST ID", "RESERVED UNTIL"], ids));
    add(
      "Events data.restored",
      tableOf(changed.restoredEvents, {
        CLIENT: (each) => each.clientId,
        "LAST VALID EVENT": (each) => each.lastSequence,
        "DATA.RESTORED": (each) => each.sequence,
      }),
    );
    add("Access restricted again", listText(changed.restrictions));
    add("Replaced links refused again", listText(changed.replacedLinks));
  }
  if (lost) {
    const counts = Object.entries(lost.events).flatMap(([clientId, own]) =>
      Object.entries(own).map(([type, count]) => [clientId, type, count]),
    );
    add("Lost events", table(["CLIENT", "TYPE", "NUMBER"], counts));
    add(
      "Lost orders: their clients place them again with the same order_ref_id",
      tableOf(lost.orders, {
        CLIENT: (each) => each.clientId,
        ORDER: (each) => each.orderNumber,
        REFERENCE: (each) => each.orderRefId,
      }),
    );
    add(
      "Gifts and orders that are open again, or have lost a note or a corrected address: tell their clients",
      tableOf(lost.gifts, {
        CLIENT: (each) => each.clientId,
        NUMBER: (each) => each.number,
        EVENT: (each) => each.type,
      }),
    );
    add("Lost access and settings: create them again", listText(lost.access));
    add(
      "Lost changes of operators",
      tableOf(lost.changes, {
        DATE: (each) => formatDateTime(each.createdAtMs),
        BY: (each) => each.actor,
        ACTION: (each) => each.action,
        OBJECT: (each) => `${each.subjectType} ${each.subject}`,
        CLIENT: (each) => each.clientId,
        REASON: (each) => each.reason,
      }),
    );
    add(
      "Commands that repeat lost changes: check each, and run them in this order",
      listText(commands.map((each) => `npm run ops -- ${each}${option}`)),
    );
    const strays = `Warnings: ${plural(warnings.length, "shipped gift")} cannot be recorded`;
    add(strays, listText(warnings));
  }
  return sections.join("\n\n");
}

const listText = (lines: string[]) => (lines.length === 0 ? "(none)" : lines.join("\n"));
