// The Worker's entry point.
import { createApp } from "./app.ts";
import { handleCron } from "./cron.ts";
import type { Bindings, QueueMessage } from "./platform/env.ts";
import { handleQueue } from "./features/webhooks/delivery/queue.ts";

const app = createApp();

export default {
  fetch: app.fetch,
  queue: (batch, env, ctx) => {
    handleQueue(batch, env, ctx);
  },
  scheduled: (_controller, env) => handleCron(env),
} satisfies ExportedHandler<Bindings, QueueMessage>;
