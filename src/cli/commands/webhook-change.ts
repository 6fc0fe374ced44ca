// The output of changes of webhook endpoints.
import type { Command } from "../command.ts";
import { parseId } from "../../core/values/ids.ts";
import { formatDateTime, optionalDateTime } from "../../core/values/time.ts";
import type { ChangedWebhook } from "../../operator/webhooks/change-status.ts";
import { parsed } from "../options.ts";
import { noteStaleClient, printChange } from "../run.ts";
import { fields } from "../terminal.ts";

export function printWebhook(command: Command, { webhook, isInvalidated }: ChangedWebhook): void {
  if (!isInvalidated) noteStaleClient();
  printChange(command, webhook, () =>
    fields({
      webhook: webhook.id,
      client: webhook.clientId,
      url: webhook.url,
      description: webhook.description,
      events: webhook.eventTypes?.join() ?? "all",
      status: webhook.status,
      "disabled because of": webhook.disabledReason,
      "failing since": optionalDateTime(webhook.failingSinceMs),
      position: webhook.position,
      "last event": webhook.lastSequence,
      created: formatDateTime(webhook.createdAtMs),
    }),
  );
}

export const webhookOption = (text: string) =>
  parsed(text, parseId, "<webhook> must be the number of a webhook");
