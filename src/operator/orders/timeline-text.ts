// Entries of an order's timeline as text, for the command and the console.
import { suborderNumber } from "../../core/values/ids.ts";
import { changeText } from "../audit/change-text.ts";
import { dataText, subjectNumber } from "../events/event-text.ts";
import type { TimelineEntry } from "./timeline.ts";

export interface TimelineText {
  what: string;
  /** The number of the order or of the gift. */
  object: string | null;
  /** The operator. Null if it was not one. */
  by: string | null;
  details: string;
}

/** What the order and its gifts show already. */
const SHOWN_ABOVE = { metadata: null, externalId: null, recipientMetadata: null };

export function timelineText(entry: TimelineEntry, orderId: number): TimelineText {
  switch (entry.kind) {
    case "event": {
      const { event } = entry;
      const details = dataText({ ...event, ...SHOWN_ABOVE });
      return { what: event.type, object: subjectNumber(event), by: null, details };
    }
    case "change": {
      const { change } = entry;
      const details = [change.reason, changeText(change)].filter(Boolean).join("; ");
      return { what: change.action, object: change.subject, by: change.actor, details };
    }
    case "email": {
      const { sequence, kind, status, reason } = entry.email;
      const details = [status, reason].filter(Boolean).join(", ");
      return {
        what: `e-mail ${kind}`,
        object: suborderNumber(orderId, sequence),
        by: null,
        details,
      };
    }
    case "delivery": {
      const { delivery } = entry;
      const { webhookId, type, status, attempts, responseStatus } = delivery;
      const response = responseStatus === null ? "" : `, response ${String(responseStatus)}`;
      return {
        what: `webhook ${String(webhookId)}`,
        object: subjectNumber(delivery),
        by: null,
        details: `${type} ${status}, attempts ${String(attempts)}${response}`,
      };
    }
  }
}
