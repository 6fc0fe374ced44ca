// The pages that change a webhook endpoint.
import * as z from "zod/mini";
import { validationError } from "../../../core/api-error.ts";
import { queryId } from "../../../core/validation/fields.ts";
import { validate } from "../../../core/validation/validate.ts";
import { parseId } from "../../../core/values/ids.ts";
import { Refusal } from "../../../operator/refusal.ts";
import {
  type ChangedWebhook,
  DISABLE_WEBHOOK,
  ENABLE_WEBHOOK,
} from "../../../operator/webhooks/change-status.ts";
import { REDELIVER } from "../../../operator/webhooks/redeliver.ts";
import type { ActionOf, Target } from "../../actions/action.ts";
import type { ConsoleContext } from "../../environment.ts";
import { param } from "../../router.ts";
import { WEBHOOKS } from "../../texts/webhooks.ts";
import { waitingEvents } from "./webhook-list.tsx";

/** Errors: `NotFound`. */
export const webhookIdOf = (c: ConsoleContext): number => param(c, "webhook", parseId);

const target = (c: ConsoleContext): Target => {
  const id = webhookIdOf(c);
  return { name: WEBHOOKS.endpoint(id), href: `/webhooks/${String(id)}` };
};

const done = ({ webhook, isInvalidated }: ChangedWebhook) => (
  <p>
    {WEBHOOKS.changed(webhook.id, webhook.status, waitingEvents(webhook))}{" "}
    {isInvalidated ? "" : WEBHOOKS.stale}
  </p>
);

type StatusAction = ActionOf<typeof ENABLE_WEBHOOK>;

const statusAction = (change: typeof ENABLE_WEBHOOK, title: string): StatusAction => ({
  permission: "webhooks",
  change,
  title,
  target,
  done,
  input: (_form, c) => ({ webhookId: webhookIdOf(c) }),
});

export const enableWebhook = statusAction(ENABLE_WEBHOOK, WEBHOOKS.enable);
export const disableWebhook = statusAction(DISABLE_WEBHOOK, WEBHOOKS.disable);

const Redelivery = () => z.object({ event: z.optional(queryId()), since: z.optional(queryId()) });

export const redeliver: ActionOf<typeof REDELIVER> = {
  permission: "webhooks",
  target,
  done,
  title: WEBHOOKS.redeliver.title,
  change: {
    ...REDELIVER,
    plan: async (...given) => {
      const plan = await REDELIVER.plan(...given);
      if (plan.unchanged !== null) throw new Refusal(plan.unchanged);
      return plan;
    },
  },
  fields: (c) => [
    {
      name: "event",
      type: "number",
      value: c.req.query("event") ?? null,
      label: WEBHOOKS.redeliver.event,
      hint: WEBHOOKS.redeliver.eventHint,
    },
    {
      name: "since",
      type: "number",
      label: WEBHOOKS.redeliver.since,
      hint: WEBHOOKS.redeliver.sinceHint,
    },
  ],
  input: ({ values }, c) => {
    const { event: sequence, since: sinceSequence } = validate(Redelivery(), {
      event: values["event"] || undefined,
      since: values["since"] || undefined,
    });
    if ((sequence === undefined) === (sinceSequence === undefined)) {
      throw validationError([{ field: "event", message: WEBHOOKS.redeliver.either }]);
    }
    return { webhookId: webhookIdOf(c), events: { sequence, sinceSequence } };
  },
};
