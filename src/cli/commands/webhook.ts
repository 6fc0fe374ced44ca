// `webhook …`: manages the webhook endpoints of all clients.
import { optionalDateTime } from "../../core/values/time.ts";
import type { Command } from "../command.ts";
import type { Bindings } from "../../platform/env.ts";
import { validate } from "../../core/validation/validate.ts";
import {
  changedWebhook,
  DISABLE_WEBHOOK,
  ENABLE_WEBHOOK,
} from "../../operator/webhooks/change-status.ts";
import { listWebhooksOfAll } from "../../operator/webhooks/queries.ts";
import { WebhookRequest } from "../../features/webhooks/contract.ts";
import { upsertWebhook } from "../../features/webhooks/queries.ts";
import { newNonce } from "../../features/webhooks/secret.ts";
import { normalUrl, webhookUrlProblem } from "../../features/webhooks/url.ts";
import { MAX_WEBHOOKS } from "../../features/webhooks/webhook.ts";
import { Refusal } from "../../operator/refusal.ts";
import { UsageError } from "../errors.ts";
import { validOption } from "../profile-options.ts";
import type { PlannedChange } from "../../operator/change.ts";
import { printTable, runChange, runCommand, runOperation } from "../run.ts";
import { requireClient } from "../../operator/clients/require-client.ts";
import { printWebhook, webhookOption } from "./webhook-change.ts";
import { webhookDeliveryCommands } from "./webhook-delivery.ts";

export function webhookCommands(program: Command): void {
  const webhook = program
    .command("webhook")
    .description("manage the webhook endpoints of all clients");

  webhook
    .command("list")
    .description("list endpoints; BACKLOG is the number of events after the position")
    .option("--client <id>", "only endpoints of this client")
    .choice("--status <status>", "only endpoints with this status", ["enabled", "disabled"])
    .examples("webhook list --status disabled --env production")
    .action(async ({ client: clientId, status }, command) => {
      await runCommand(command, async ({ DB }) => {
        printTable(command, await listWebhooksOfAll(DB, { clientId, status }), {
          WEBHOOK: (each) => each.id,
          CLIENT: (each) => each.clientId,
          STATUS: ({ status, disabledReason: reason }) =>
            reason === null ? status : `${status}: ${reason}`,
          "FAILING SINCE": (each) => optionalDateTime(each.failingSinceMs),
          POSITION: (each) => each.position,
          BACKLOG: (each) => each.lastSequence - each.position,
          EVENTS: (each) => each.eventTypes?.join() ?? "all",
          URL: (each) => each.url,
        });
      });
    });

  webhook
    .command("add <client> <url>")
    .description("add an endpoint, or change the endpoint of the client with this URL")
    .option("--events <types>", "only events of these types, such as order.paid,gift.redeemed")
    .option("--description <text>", "a description that the client sees")
    .details(
      `
The command does not print the secret. The client gets it with POST /api/webhook and the same URL.

Example:
  npm run ops -- webhook add acme https://acme.example/regalo --events gift.redeemed`,
    )
    .action(async (clientId, address, { events, description }, command) => {
      const input = { url: address, event_types: events?.split(","), description };
      const request = validOption("", () => validate(WebhookRequest(), input));
      const plan = async (env: Bindings): Promise<PlannedChange> => {
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
          description: request.description,
          eventTypes: request.event_types,
          nonce: newNonce(),
          nowMs: Date.now(),
        });
        if (!webhook) {
          throw new Refusal(
            `${clientId} has ${String(MAX_WEBHOOKS)} endpoints, the maximum number.`,
          );
        }
        printWebhook(command, await changedWebhook(env, { clientId, webhookId: webhook.id }));
      });
    });

  for (const [verb, change, description] of [
    ["disable", DISABLE_WEBHOOK, "stop sending events to an endpoint; its client cannot enable it"],
    ["enable", ENABLE_WEBHOOK, "send events to an endpoint again, from where sending stopped"],
  ] as const) {
    webhook
      .command(`${verb} <webhook>`)
      .description(description)
      .examples(`webhook ${verb} 12 --env production`)
      .action(async (text, _options, command) => {
        await runOperation(command, change, { webhookId: webhookOption(text) }, (outcome) => {
          printWebhook(command, outcome);
        });
      });
  }

  webhookDeliveryCommands(webhook);
}
