// `event …`: shows clients' events.
import type { Command } from "../command.ts";
import { dataText, subjectNumber } from "../../operator/events/event-text.ts";
import { listClientEvents } from "../../operator/events/queries.ts";
import { eventResponse } from "../../features/events/response.ts";
import { parseId } from "../../core/values/ids.ts";
import { formatDateTime } from "../../core/values/time.ts";
import { UsageError } from "../errors.ts";
import { limitOption, orderOrGiftOf, sequenceOption } from "../options.ts";
import { print, runCommand } from "../run.ts";
import { tableOf } from "../terminal.ts";
import { requireClient } from "../../operator/clients/require-client.ts";
import { requireOrder } from "../../operator/lifecycle/require-order.ts";

export function eventCommands(program: Command): void {
  const event = program.command("event").description("show what happened to clients' orders");

  event
    .command("list")
    .description(
      "list a client's events in ascending order: the latest ones, or those after --after",
    )
    .option("--client <id>", "the client; required without --order")
    .option("--order <order>", "only events of this order and its gifts")
    .option("--after <sequence>", "only events after this sequence")
    .option("--limit <number>", "maximum number of events", "50")
    .examples(
      "event list --client acme",
      "event list --order GO-00042",
      "event list --client acme --after 0 --json",
    )
    .action(async ({ client, ...options }, command) => {
      const orderId = orderOrGiftOf(options.order, "--order")?.orderId;
      if (client === undefined && orderId === undefined) {
        throw new UsageError("give --client or --order.");
      }
      const after = sequenceOption("--after", options.after, (text) =>
        text === "0" ? 0 : parseId(text),
      );
      const limit = limitOption(options.limit);
      await runCommand(command, async ({ DB }) => {
        const order = orderId === undefined ? null : await requireOrder(DB, orderId);
        const clientId = client ?? order?.clientId ?? "";
        await requireClient(DB, clientId);
        const events = await listClientEvents(DB, { clientId, orderId, after, limit });
        print(command, events.map(eventResponse), () =>
          tableOf(events, {
            "#": (each) => each.sequence,
            DATE: (each) => formatDateTime(each.createdAtMs),
            TYPE: (each) => each.type,
            ORDER: subjectNumber,
            REFERENCE: (each) => each.orderRefId,
            DATA: dataText,
          }),
        );
      });
    });
}
