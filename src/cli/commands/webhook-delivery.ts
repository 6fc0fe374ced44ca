// `webhook deliveries` and `webhook redeliver`.
import type { Command } from "../command.ts";
import { MAX_ID } from "../../core/values/ids.ts";
import { formatDateTime, optionalDateTime } from "../../core/values/time.ts";
import { countEvents } from "../../operator/webhooks/queries.ts";
import {
  markForRedelivery,
  readDeliveries,
  type Redelivery,
} from "../../features/webhooks/queries.ts";
import { DELIVERY_STATUSES } from "../../features/webhooks/webhook.ts";
import { Refusal } from "../../operator/refusal.ts";
import { limitOption, requireOne, sequenceOption } from "../options.ts";
import type { PlannedChange } from "../../operator/change.ts";
import { print, runCommand } from "../run.ts";
import { plural } from "../../core/values/plural.ts";
import { tableOf } from "../terminal.ts";
import {
  changeWebhook,
  type ListedWebhook,
  requireWebhook,
  unknownWebhook,
  webhookOption,
} from "./webhook-change.ts";

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
      await changeWebhook(id, command, redeliveryPlan(events), async ({ DB }, key) => {
        await markForRedelivery(DB, key, events, Date.now());
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

const redeliveryPlan =
  ({ sequence, sinceSequence }: Redelivery) =>
  async (webhook: ListedWebhook, d1: D1Database): Promise<PlannedChange> => {
    const { id, clientId, lastSequence, url } = webhook;
    const first = sequence ?? sinceSequence ?? 1;
    if (first > lastSequence) {
      throw new Refusal(`the last event of ${clientId} is ${String(lastSequence)}.`);
    }
    const to = `to webhook ${String(id)} of ${clientId}, ${url}`;
    if (sequence !== undefined) {
      return {
        description: `send event ${String(sequence)} again ${to}${whenEnabled(webhook)}`,
        subjects: [{ type: "delivery", keys: [[id, sequence]] }],
      };
    }
    return {
      description: await rangeOf(d1, webhook, first, to),
      subjects: [{ type: "webhook", keys: [clientId] }],
    };
  };

/** What a redelivery of all events since `first` sends again. Null if it changes nothing. */
async function rangeOf(d1: D1Database, webhook: ListedWebhook, first: number, to: string) {
  const { position, redeliveryFrom, redeliveryUntil } = webhook;
  const last = Math.max(position, redeliveryUntil ?? 0);
  const isPending = position < last;
  if (isPending && (first > position || position !== redeliveryFrom)) {
    console.error(
      `note: events up to ${String(last)} are being sent again already, and ${String(position)} was sent last. ` +
        "Nothing was changed.",
    );
    return null;
  }
  if (first > position) {
    console.error(`note: events after ${String(position)} have not been sent yet.`);
    return null;
  }
  const sent = await countEvents(d1, webhook, { first, last });
  const range = sent.count === 0 ? "" : `, ${String(sent.first)} to ${String(sent.last)},`;
  return `send ${plural(sent.count, "event")}${range} again ${to}${whenEnabled(webhook)}`;
}

const whenEnabled = ({ status }: ListedWebhook) =>
  status === "disabled" ? ", when it is enabled" : "";
