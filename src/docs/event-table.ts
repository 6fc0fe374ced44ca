// The table of all types of events, as Markdown.
import { EVENT_DOCS } from "../features/events/docs.ts";

export function eventTable(): string {
  const rows = Object.entries(EVENT_DOCS).map(([type, { meaning, cause, sandbox }]) =>
    [`\`${type}\``, sentence(meaning), cause, sandbox].join(" | "),
  );
  return ["Type | What happened | Caused by | In the sandbox", "---|---|---|---", ...rows]
    .map((row) => `| ${row} |`)
    .join("\n");
}

const sentence = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);
