// What happened to an order and its gifts, in sentences: events, changes by operators, e-mails and replaced tracking. Webhook
// attempts and readings of personal data are lists of their own.
import { parseNumber, toGiftId } from "../../core/values/ids.ts";
import type { EmailKind, EmailStatus } from "../../core/values/email-kinds.ts";
import type { Database } from "../../platform/db/sql.ts";
import * as kinds from "../declaration/kinds.ts";
import { wordsOf } from "../words.ts";
import { eventText, trackingText } from "../event/event-text.ts";
import { readTimelineRows } from "./timeline-queries.ts";

/** The lists of a view. */
export const TIMELINE = {
  timeline: {
    title: "Timeline",
    empty: "Nothing has happened yet.",
    isAside: true,
    columns: {
      when: kinds.time("When"),
      what: kinds.text("What"),
      gift: kinds.gift("Gift"),
      email_url: kinds.from("emailUrl", kinds.url("E-mail", { beside: "what" })),
    },
  },
  attempts: {
    title: "Webhook attempts",
    isFolded: true,
    columns: {
      when: kinds.time("When"),
      webhook: kinds.webhook("Webhook"),
      what: kinds.text("What"),
      next_attempt: kinds.from("nextAttemptAtMs", kinds.time("Next attempt")),
      gift: kinds.gift("Gift"),
    },
  },
  readings: {
    title: "Who has read the personal data",
    isFolded: true,
    columns: {
      when: kinds.time("When"),
      who: kinds.email("Who"),
      how: kinds.text("How"),
      gift: kinds.gift("Gift"),
    },
  },
} as const;

interface Entry {
  when: number;
  what: string;
  /** Null for the order. */
  sequence: number | null;
  /** The URL of an e-mail. */
  emailUrl?: string | null;
}

type Rows = Awaited<ReturnType<typeof readTimelineRows>>;

/**
 * The latest `limit` entries of the order or, with a sequence, of this gift and of the order itself, newest first.
 * `complete` is false if there are more. `emailUrls`: the previews of a gift's e-mails by their kinds. One round trip. The
 * rows read are linear in the order's own entries.
 */
export async function readTimeline(
  db: Pick<Database, "prepare" | "batch">,
  { orderId, sequence }: { orderId: number; sequence: number | null },
  limit: number,
  emailUrls: Record<EmailKind, string> | null = null,
) {
  // One more of each kind shows whether there are more.
  const rows = await readTimelineRows(db, { orderId, sequence, limit: limit + 1 });
  // Of the same time, what follows from a change comes after it.
  const entries = [
    ...rows.emails.map(({ attemptedAtMs, ...email }) => ({
      when: attemptedAtMs,
      what: emailText(email),
      sequence: email.sequence,
      emailUrl: emailUrls && emailUrls[email.kind],
    })),
    ...rows.notes.map(({ atMs, actor, text, sequence }) => ({
      when: atMs,
      what: `Note by ${actor}: ${text}`,
      sequence,
    })),
    ...rows.events.map((event) => entryOf(event, rows)),
    ...correctionsOf(rows),
    ...rows.shipments.flatMap(({ sequence, carrierAnswers }) =>
      Object.entries(carrierAnswers).map(([number, { atMs: when, status, ...answer }]) => ({
        when,
        what: answer.isRefused
          ? `EasyPost refused the tracking number ${number}, so the carrier's reports are missing`
          : `The carrier last reported ${status === null ? "no parcel yet" : wordsOf(status)} for ${number}${answer.expectedOn === null ? "" : `, expected on ${answer.expectedOn}`}`,
        sequence,
      })),
    ),
    ...rows.changes
      .filter(({ action }) => action in CHANGES)
      // A refund of the order may be for other gifts.
      .filter(({ action }) => sequence === null || action !== "order refund")
      .map((change) => ({
        when: change.createdAtMs,
        what: byOperator(CHANGES[change.action] ?? "", change),
        sequence: sequenceOf(change),
      })),
  ].sort((a, b) => b.when - a.when);
  /** On the page of a gift, all entries are about it. */
  const shown = <Row extends { sequence: number | null }>(row: Row) => ({
    emailUrl: null,
    ...row,
    gift: row.sequence === null || sequence !== null ? null : toGiftId(orderId, row.sequence),
  });
  return {
    lists: {
      timeline: entries.slice(0, limit).map(shown),
      attempts: rows.deliveries.slice(0, limit).map((delivery) =>
        shown({
          when: delivery.atMs,
          webhook: delivery.webhookId,
          what: deliveryText(delivery),
          nextAttemptAtMs: delivery.nextAttemptAtMs,
          sequence: delivery.giftSequence,
        }),
      ),
      readings: rows.readings.slice(0, limit).map((reading) =>
        shown({
          when: reading.createdAtMs,
          who: reading.actor,
          how: reading.action,
          sequence: sequenceOf(reading),
        }),
      ),
    },
    complete: entries.length <= limit,
  };
}

/** A parcel has the tracking that its recipient was told, and not that of a later correction. */
function entryOf(event: Rows["events"][number], { shipments, changes }: Rows): Entry {
  const { createdAtMs, giftSequence, sequence: number } = event;
  const shipment = shipments.find(({ sequence }) => sequence === giftSequence);
  const isPlaced = event.type === "order.created" || event.type === "order.paid";
  const credentialId = isPlaced ? undefined : event.data.credentialId;
  const by = credentialId === undefined ? "" : `, with credential set ${String(credentialId)}`;
  const told = shipment?.earlierTracking.find(({ replacedAtMs }) => replacedAtMs > createdAtMs);
  return {
    when: createdAtMs,
    sequence: giftSequence,
    what: byOperator(
      eventText({ ...event, ...told }) + by,
      changes.find(
        ({ firstEvent, lastEvent }) => (firstEvent ?? 0) <= number && number <= (lastEvent ?? 0),
      ),
    ),
  };
}

/** The corrections of tracking, which write no event. After a reopening, the next shipment has another time. */
const correctionsOf = ({ shipments, changes }: Rows): Entry[] =>
  shipments.flatMap(({ sequence, earlierTracking, ...present }) =>
    earlierTracking.flatMap((before, index) => {
      const after = earlierTracking[index + 1] ?? present;
      if (after.shippedAtMs !== before.shippedAtMs) return [];
      const what = `The tracking was corrected, from${trackingText(before) || " none"} to${trackingText(after) || " none"}`;
      const change = changes.find(
        ({ requestId }) => requestId !== null && before.changeId.startsWith(requestId),
      );
      const text = byOperator(what.replaceAll(/ with /g, " "), change);
      return [{ when: before.replacedAtMs, what: text, sequence }];
    }),
  );

type Change = Rows["changes"][number];

/** Null for the order. */
const sequenceOf = ({ subject }: Pick<Change, "subject">) => parseNumber(subject)?.sequence ?? null;

const byOperator = (text: string, change: Change | undefined) =>
  change === undefined
    ? text
    : `${text}, by ${change.actor}${change.reason === null ? "" : ` (${change.reason})`}`;

/** The changes by operators that write no event. All others are named with their events. */
const CHANGES: Readonly<Record<string, string>> = {
  "email resend": "The link was to be sent by e-mail",
  "email stop": "The e-mails were stopped",
  "order refund": "The refund was recorded",
  "recipient erase": "The recipient's data was erased",
};

const EMAIL_NAMES: Record<EmailKind, string> = {
  invitation: "The e-mail with the link",
  reminder: "The reminder",
  last_days: "The reminder of the last days",
  accepted: "The e-mail about the acceptance",
  shipped: "The e-mail about the shipment",
  delivered: "The e-mail about the delivery",
  code: "The e-mail with the code",
};

const EMAIL_RESULTS: Record<EmailStatus, string> = {
  sending: "is being sent",
  retry: "could not be sent yet",
  failed: "could not be sent",
  sent: "was sent",
  deferred: "is delayed",
  delivered: "was delivered",
  bounced: "came back",
  rejected: "was refused",
  complained: "was reported as spam",
};

/** Such as `The reminder came back: the address does not exist`. */
export const emailText = (
  { kind, status, reason }: Pick<Rows["emails"][number], "kind" | "status" | "reason">,
  ago = "",
) =>
  `${EMAIL_NAMES[kind]} ${EMAIL_RESULTS[status]}${ago}${reason === null ? "" : `: ${wordsOf(reason)}`}`;

function deliveryText({ type, status, attempts, responseStatus }: Rows["deliveries"][number]) {
  const answer = responseStatus === null ? "no answer" : `answer ${String(responseStatus)}`;
  if (status === "delivered") return `Received ${type}`;
  return attempts === 0 ? `${type} waits` : `${type}: ${answer} to attempt ${String(attempts)}`;
}
