// What happened to an order or a gift.
import type { readTimeline } from "../../../operator/orders/timeline.ts";
import { timelineText } from "../../../operator/orders/timeline-text.ts";
import { TIMELINE } from "../../texts/orders.ts";
import { Table } from "../../ui/table.tsx";
import { EmailAddress, Time } from "../../ui/values.tsx";

/** The page of an order stays below 60 KB with this number of entries. */
export const MAX_ENTRIES = 50;

interface TimelineProps {
  timeline: Awaited<ReturnType<typeof readTimeline>>;
  orderId: number;
}

export const Timeline = ({ timeline: { entries, complete }, orderId }: TimelineProps) => (
  <>
    <h2>{TIMELINE.title}</h2>
    {!complete && <p>{TIMELINE.incomplete}</p>}
    <Table
      caption={TIMELINE.caption}
      rows={entries.map((entry) => ({ atMs: entry.atMs, ...timelineText(entry, orderId) }))}
      empty={TIMELINE.empty}
      columns={[
        { label: TIMELINE.when, cell: ({ atMs }) => <Time ms={atMs} /> },
        { label: TIMELINE.what, cell: ({ what }) => what, isShort: true },
        { label: TIMELINE.object, cell: ({ object }) => object, isShort: true },
        { label: TIMELINE.by, cell: ({ by }) => by && <EmailAddress text={by} /> },
        { label: TIMELINE.details, cell: ({ details }) => details },
      ]}
    />
  </>
);
