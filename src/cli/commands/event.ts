// `event …`: shows clients' events.
import { type Command, Option } from "commander";
import { listClientEvents } from "../../events/admin.ts";
import { EVENT_TYPES, type EventType } from "../../events/event.ts";
import { eventResponse } from "../../events/response.ts";
import { orderNumber, suborderNumber } from "../../values/ids.ts";
import { formatDateTime } from "../../values/time.ts";
import { limitOption, sequenceOption } from "../options.ts";
import { print, runCommand } from "../run.ts";
import { table } from "../terminal.ts";
import { requireClient } from "./client.ts";

interface EventListOptions {
  client: string;
  after?: string;
  type?: EventType;
  limit: string;
}

export function eventCommands(program: Command): void {
  const event = program.command("event").description("show what happened to clients' orders");

  event
    .command("list")
    .description(
      "list a client's events in ascending order: the latest ones, or those after --after",
    )
    .requiredOption("--client <id>", "the client")
    .option("--after <sequence>", "only events after this sequence")
    .addOption(new Option("--type <type>", "only events of this type").choices(EVENT_TYPES))
    .option("--limit <number>", "maximum number of events", "50")
    .addHelpText(
      "after",
      `
Examples:
  npm run ops -- event list --client acme
  npm run -s ops -- event list --client acme --after 0 --type gift.redeemed --json`,
    )
    .action(list);
}

async function list(options: EventListOptions, command: Command): Promise<void> {
  const { client: clientId, type } = options;
  const after = sequenceOption("--after", options.after, { zero: true });
  const limit = limitOption(options.limit);
  await runCommand(command, async ({ DB }) => {
    await requireClient(DB, clientId);
    const events = await listClientEvents(DB, { clientId, after, type, limit });
    print(command, events.map(eventResponse), () =>
      table(
        ["#", "DATE", "TYPE", "ORDER", "REFERENCE", "DATA"],
        events.map((each) => [
          each.sequence,
          formatDateTime(each.createdAtMs),
          each.type,
          orderOrGift(each),
          each.orderRefId,
          Object.entries(eventResponse(each).data)
            .map(([name, value]) => `${name}=${formatValue(value)}`)
            .join(" "),
        ]),
      ),
    );
  });
}

function formatValue(value: unknown): string {
  return typeof value === "object" && value !== null ? JSON.stringify(value) : String(value);
}

/** `GO-00042`, or `GO-00042-1` for an event of one gift. */
function orderOrGift(event: { orderId: number | null; suborderSequence: number | null }) {
  if (event.orderId === null) return null;
  return event.suborderSequence === null
    ? orderNumber(event.orderId)
    : suborderNumber(event.orderId, event.suborderSequence);
}
