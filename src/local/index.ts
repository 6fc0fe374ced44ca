// The Worker of `npm start`: src/index.ts with the page /mailbox. No deployed bundle contains this folder.
import worker from "../index.ts";
import type { Bindings, QueueMessage } from "../platform/env.ts";
import { mailbox } from "./mailbox.tsx";

export default {
  ...worker,
  fetch: async (request, env, ctx) =>
    (await mailbox(request, env.DB)) ?? worker.fetch(request, env, ctx),
} satisfies ExportedHandler<Bindings, QueueMessage>;
