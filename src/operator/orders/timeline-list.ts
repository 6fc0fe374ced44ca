// The table of what happened to an order or a gift, for views.
import * as kinds from "../declaration/kinds.ts";
import type { readTimeline } from "./timeline.ts";
import { timelineText } from "./timeline-text.ts";

export const TIMELINE = {
  title: "Timeline",
  empty: "Nothing has happened yet.",
  columns: {
    when: kinds.time("When"),
    what: kinds.text("What"),
    object: kinds.text("Object"),
    by: kinds.email("By", { beside: "what" }),
    details: kinds.text("Details"),
  },
} as const;

export const timelineRows = (
  { entries }: Awaited<ReturnType<typeof readTimeline>>,
  orderId: number,
) => entries.map((entry) => ({ when: entry.atMs, ...timelineText(entry, orderId) }));
