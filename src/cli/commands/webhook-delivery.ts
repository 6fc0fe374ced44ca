// `webhook deliveries` and `webhook redeliver`.
import type { Command } from "../command.ts";
import { MAX_ID } from "../../core/values/ids.ts";
import { formatDateTime, optionalDateTime } from "../../core/values/time.ts";
import { readDeliveries } from "../../features/webhooks/queries.ts";
import { DELIVERY_STATUSES } from "../../features/webhooks/webhook.ts";
import {
  type ListedWebhook,
  requireWebhook,
  unknownWebhook,
} from "../../operator/webhooks/find.ts";
import { REDELIVER } from "../../operator/webhooks/redeliver.ts";
import { limitOption, requireOne, sequenceOption } from "../options.ts";
import { print, runCommand, runOperation } from "../run.ts";
import { tableOf } from "../terminal.ts";
import { printWebhook, webhookOption } from "./webhook-change.ts";

/** The statuses of deliveries, and the one that support looks for. */
const SHOWN_STATUSES = ["undelivered", ...DELIVERY_STATUSES] as const;

/** Registers the commands in the group `webhook`. */
export function webhookDeliveryCommands(webhook: Command): void {
  webhook
    .command("deliveries <webhook>")
    .description("list the last attempt to send each event, newest first")
    .choice("--status <status>", "only deliveries with this status", SHOWN_STATUSES)
    .option("--before <sequence>", "only events before this sequence")
    .option("--limit <number>", "maximum number of deliveries", "50")
    .details(
      `
An event is pending until it is delivered, or has failed ten times, which takes about three days. Its status is then
failed. undelivered selects the events whose last attempt has failed, with either status.

Example:
  npm run ops -- webhook deliveries 12 --status undelivered`,
    )
    .action(async (id, { status, before, limit }, command) => {
      const webhookId = webhookOption(id);
      const page = {
        status: status ?? null,
        before: sequenceOption("--before", before) ?? MAX_ID,
        limit: limitOption(limit),
      };
      await runCommand(command, async ({ DB }) => {
        const webhook = await requireWebhook(DB, webhookId);
        const { clientId } = webhook;
        const log = await readDeliveries(DB, { clientId, webhookId, ...page });
        if (!log) throw unknownWebhook(webhookId);
        print(command, log, () => {
          const rows = tableOf(log.deliveries, {
            EVENT: (each) => each.sequence,
            TYPE: (each) => each.type,
            STATUS: (each) => each.status,
            ATTEMPTS: (each) => each.attempts,
            LAST: (each) => optionalDateTime(each.attemptedAtMs),
            NEXT: (each) => optionalDateTime(each.nextAttemptAtMs),
            RESPONSE: (each) => each.responseStatus,
            MS: (each) => each.durationMs,
            TEXT: (each) => each.responseText?.slice(0, MAX_SHOWN_TEXT) ?? null,
          });
          const { nextBefore } = log;
          const older = nextBefore === null ? [] : [`Older events: --before ${String(nextBefore)}`];
          return [rows, ...older, ...failureOf(webhook, status)].join("\n\n");
        });
      });
    });

  webhook
    .command("redeliver <webhook>")
    .description("send one event again, or all events since one")
    .option("--event <sequence>", "this event, even if the endpoint's filter excludes it")
    .option("--since <sequence>", "this event and all later ones that the filter includes")
    .details(
      `
While an earlier --since is pending, another one is ignored, unless it begins earlier and none of its events has been
sent yet.

Examples:
  npm run ops -- webhook redeliver 12 --event 918
  npm run ops -- webhook redeliver 12 --since 900 --env production`,
    )
    .action(async (id, { event, since }, command) => {
      requireOne("--event or --since", event, since);
      const events = {
        sequence: sequenceOption("--event", event),
        sinceSequence: sequenceOption("--since", since),
      };
      const input = { webhookId: webhookOption(id), events };
      await runOperation(command, REDELIVER, input, (outcome, { unchanged }) => {
        if (unchanged !== null) console.error(`note: ${unchanged}`);
        printWebhook(command, outcome);
      });
    });
}

/** A sentence about an endpoint that fails: since when, how many events wait, and the status of its deliveries. */
function failureOf(
  { failingSinceMs, position, lastSequence }: ListedWebhook,
  status: string | undefined,
): string[] {
  if (failingSinceMs === null) return [];
  const text =
    `The endpoint has been failing since ${formatDateTime(failingSinceMs)} (UTC). ` +
    `Events after ${String(position)} are waiting: ${String(lastSequence - position)}.`;
  return status === "failed"
    ? [`${text} Events that will be attempted again are pending: --status undelivered shows both.`]
    : [text];
}

const MAX_SHOWN_TEXT = 60;
