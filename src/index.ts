// The Worker's entry point.
import { createApp } from "./app.ts";
import { handleCron } from "./cron.ts";
import type { Bindings } from "./platform/env.ts";
import { handleQueue } from "./queue.ts";

const app = createApp();

export default {
  fetch: app.fetch,
  queue: (batch, env, ctx) => handleQueue(batch, env, ctx),
  scheduled: (_controller, env) => handleCron(env),
} satisfies ExportedHandler<Bindings>;
