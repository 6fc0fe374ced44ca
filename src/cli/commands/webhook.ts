// `webhook …`: manages the webhook endpoints of all clients.
import { type Command, Option } from "commander";
import type { Bindings } from "../../env.ts";
import { validate } from "../../validation/validate.ts";
import { MAX_ID, parseId } from "../../values/ids.ts";
import { formatDateTime } from "../../values/time.ts";
import { listWebhooksOfAll, type WebhookFilter } from "../../webhooks/admin.ts";
import { WebhookRequest } from "../../webhooks/contract.ts";
import {
  markForRedelivery,
  readDeliveries,
  setDisabled,
  setEnabled,
  upsertWebhook,
  type WebhookKey,
} from "../../webhooks/queries.ts";
import { newNonce } from "../../webhooks/secret.ts";
import { normalUrl, webhookUrlProblem } from "../../webhooks/url.ts";
import { DELIVERY_STATUSES, type DeliveryStatus, MAX_WEBHOOKS } from "../../webhooks/webhook.ts";
import { Refusal, UsageError } from "../errors.ts";
import { limitOption, sequenceOption } from "../options.ts";
import { validOption } from "../profile-options.ts";
import {
  type Change,
  invalidateClient,
  print,
  printChange,
  runChange,
  runCommand,
} from "../run.ts";
import { fields, plural, table } from "../terminal.ts";
import { requireClient } from "./client.ts";

interface WebhookListOptions {
  client?: string;
  status?: WebhookFilter["status"];
}

interface WebhookAddOptions {
  events?: string;
  description?: string;
}

interface DeliveriesOptions {
  status?: DeliveryStatus;
  before?: string;
  limit: string;
}

interface RedeliverOptions {
  event?: string;
  since?: string;
}

export function webhookCommands(program: Command): void {
  const webhook = program
    .command("webhook")
    .description("manage the webhook endpoints of all clients");

  webhook
    .command("list")
    .description("list endpoints; BACKLOG is the number of events after the position")
    .option("--client <id>", "only endpoints of this client")
    .addOption(
      new Option("--status <status>", "only endpoints with this status").choices([
        "enabled",
        "disabled",
      ]),
    )
    .addHelpText(
      "after",
      "\nExample:\n  npm run ops -- webhook list --status disabled --env production",
    )
    .action(list);

  webhook
    .command("add <client> <url>")
    .description("add an endpoint, or change the endpoint of the client with this URL")
    .option("--events <types>", "only events of these types, such as order.paid,gift.redeemed")
    .option("--description <text>", "a description that the client sees")
    .addHelpText(
      "after",
      `
The command does not print the secret. The client gets it with POST /api/webhook and the same URL.

Example:
  npm run ops -- webhook add acme https://acme.example/regalo --events gift.redeemed`,
    )
    .action(add);

  webhook
    .command("disable <webhook>")
    .description("stop sending events to an endpoint; its client cannot enable it")
    .addHelpText("after", "\nExample:\n  npm run ops -- webhook disable 12 --env production")
    .action(disable);

  webhook
    .command("enable <webhook>")
    .description("send events to an endpoint again, from where sending stopped")
    .addHelpText("after", "\nExample:\n  npm run ops -- webhook enable 12 --env production")
    .action(enable);

  webhook
    .command("deliveries <webhook>")
    .description("list the last attempt to send each event, newest first")
    .addOption(
      new Option("--status <status>", "only deliveries with this status").choices([
        ...DELIVERY_STATUSES,
      ]),
    )
    .option("--before <sequence>", "only events before this sequence")
    .option("--limit <number>", "maximum number of deliveries", "50")
    .addHelpText("after", "\nExample:\n  npm run ops -- webhook deliveries 12 --status failed")
    .action(deliveries);

  webhook
    .command("redeliver <webhook>")
    .description("send one event again, or all events since one")
    .option("--event <sequence>", "this event, even if the endpoint's filter excludes it")
    .option("--since <sequence>", "this event and all later ones that the filter includes")
    .addHelpText(
      "after",
      `
Examples:
  npm run ops -- webhook redeliver 12 --event 918
  npm run ops -- webhook redeliver 12 --since 900 --env production`,
    )
    .action(redeliver);
}

async function list(options: WebhookListOptions, command: Command): Promise<void> {
  await runCommand(command, async ({ DB }) => {
    const { client: clientId, status } = options;
    const webhooks = await listWebhooksOfAll(DB, { clientId, status });
    print(command, webhooks, () =>
      table(
        ["WEBHOOK", "CLIENT", "STATUS", "FAILING SINCE", "POSITION", "BACKLOG", "EVENTS", "URL"],
        webhooks.map((each) => [
          each.id,
          each.clientId,
          each.disabledReason === null ? each.status : `${each.status}: ${each.disabledReason}`,
          dateTime(each.failingSinceMs),
          each.position,
          each.lastSequence - each.position,
          each.eventTypes?.join() ?? "all",
          each.url,
        ]),
      ),
    );
  });
}

async function add(
  clientId: string,
  address: string,
  { events, description }: WebhookAddOptions,
  command: Command,
): Promise<void> {
  const input = { url: address, event_types: events?.split(","), description };
  const request = validOption("", () => validate(WebhookRequest(), input));
  const plan = async (env: Bindings): Promise<Change> => {
    const { name } = await requireClient(env.DB, clientId);
    const problem = webhookUrlProblem(request.url, env);
    if (problem !== null) throw new UsageError(`<url> ${problem}.`);
    return {
      description: `add or change the webhook endpoint ${normalUrl(request.url)} of ${clientId} (${name})`,
      subjects: [{ type: "webhook", keys: [clientId] }],
    };
  };
  await runChange(command, plan, async (env) => {
    const webhook = await upsertWebhook(env.DB, {
      clientId,
      url: normalUrl(request.url),
      description: request.description ?? null,
      eventTypes: request.event_types ?? null,
      nonce: newNonce(),
      nowMs: Date.now(),
    });
    if (!webhook) {
      throw new Refusal(`${clientId} has ${String(MAX_WEBHOOKS)} endpoints, the maximum number.`);
    }
    await invalidateClient(env, clientId);
    await printWebhook(env, webhook.id, command);
  });
}

async function disable(id: string, _options: unknown, command: Command): Promise<void> {
  await change(id, command, endpointPlan("disable"), async ({ DB }, key) => {
    await setDisabled(DB, key, "operator");
  });
}

async function enable(id: string, _options: unknown, command: Command): Promise<void> {
  await change(id, command, endpointPlan("enable"), async ({ DB }, key) => {
    await setEnabled(DB, key, "operator", Date.now());
  });
}

async function deliveries(
  id: string,
  { status, before, limit }: DeliveriesOptions,
  command: Command,
): Promise<void> {
  const webhookId = webhookOption(id);
  const page = {
    status: status ?? null,
    before: sequenceOption("--before", before) ?? MAX_ID,
    limit: limitOption(limit),
  };
  await runCommand(command, async ({ DB }) => {
    const { clientId } = await requireWebhook(DB, webhookId);
    const log = await readDeliveries(DB, { clientId, webhookId, ...page });
    if (!log) throw unknown(webhookId);
    print(command, log, () => {
      const rows = table(
        ["EVENT", "TYPE", "STATUS", "ATTEMPTS", "LAST", "NEXT", "RESPONSE", "MS", "TEXT"],
        log.deliveries.map((each) => [
          each.sequence,
          each.type,
          each.status,
          each.attempts,
          dateTime(each.attemptedAtMs),
          dateTime(each.nextAttemptAtMs),
          each.responseStatus,
          each.durationMs,
          each.responseText?.slice(0, MAX_SHOWN_TEXT) ?? null,
        ]),
      );
      const { nextBefore } = log;
      return nextBefore === null ? rows : `${rows}\n\nOlder events: --before ${String(nextBefore)}`;
    });
  });
}

const MAX_SHOWN_TEXT = 60;

async function redeliver(
  id: string,
  { event, since }: RedeliverOptions,
  command: Command,
): Promise<void> {
  if ((event === undefined) === (since === undefined)) {
    throw new UsageError("give either --event or --since.");
  }
  const events = {
    sequence: sequenceOption("--event", event),
    sinceSequence: sequenceOption("--since", since),
  };
  const first = events.sequence ?? events.sinceSequence ?? 0;
  const plan = ({ id: webhookId, clientId, lastSequence }: ListedWebhook): Change => {
    if (first > lastSequence) {
      throw new Refusal(`the last event of ${clientId} is ${String(lastSequence)}.`);
    }
    const to = `to webhook ${String(webhookId)} of ${clientId} again`;
    if (events.sequence !== undefined) {
      return {
        description: `send event ${String(first)} ${to}`,
        subjects: [{ type: "delivery", keys: [[webhookId, first]] }],
      };
    }
    const count = plural(lastSequence - first + 1, "event");
    return {
      description: `send ${count} from ${String(first)} on ${to}`,
      subjects: [{ type: "webhook", keys: [clientId] }],
    };
  };
  await change(id, command, plan, async ({ DB }, key) => {
    await markForRedelivery(DB, key, events, Date.now());
  });
}

type ListedWebhook = Awaited<ReturnType<typeof requireWebhook>>;

const endpointPlan =
  (verb: string) =>
  ({ id, clientId, url }: ListedWebhook): Change => ({
    description: `${verb} webhook ${String(id)} of ${clientId}, ${url}`,
    subjects: [{ type: "webhook", keys: [clientId] }],
  });

/** Changes an endpoint after confirmation, and prints it. Errors: `UsageError`, `Refusal`. */
async function change(
  id: string,
  command: Command,
  plan: (webhook: ListedWebhook) => Change,
  work: (env: Bindings, key: WebhookKey) => Promise<void>,
): Promise<void> {
  const webhookId = webhookOption(id);
  await runChange(
    command,
    async ({ DB }) => {
      const webhook = await requireWebhook(DB, webhookId);
      return { ...plan(webhook), clientId: webhook.clientId };
    },
    async (env, { clientId }) => {
      await work(env, { clientId, webhookId });
      await invalidateClient(env, clientId);
      await printWebhook(env, webhookId, command);
    },
  );
}

async function printWebhook({ DB }: Bindings, webhookId: number, command: Command): Promise<void> {
  const webhook = await requireWebhook(DB, webhookId);
  printChange(command, webhook, () =>
    fields({
      webhook: webhook.id,
      client: webhook.clientId,
      url: webhook.url,
      description: webhook.description,
      events: webhook.eventTypes?.join() ?? "all",
      status: webhook.status,
      "disabled because of": webhook.disabledReason,
      "failing since": dateTime(webhook.failingSinceMs),
      position: webhook.position,
      "last event": webhook.lastSequence,
      created: formatDateTime(webhook.createdAtMs),
    }),
  );
}

/** Errors: `Refusal` if there is no such endpoint. */
async function requireWebhook(d1: D1Database, webhookId: number) {
  const [webhook] = await listWebhooksOfAll(d1, { webhookId });
  if (!webhook) throw unknown(webhookId);
  return webhook;
}

function unknown(webhookId: number): Refusal {
  return new Refusal(`there is no webhook ${String(webhookId)}.`);
}

function webhookOption(text: string): number {
  const id = parseId(text);
  if (id === undefined) throw new UsageError(`<webhook> must be the number of a webhook: ${text}`);
  return id;
}

function dateTime(epochMs: number | null): string | null {
  return epochMs === null ? null : formatDateTime(epochMs);
}
