// The Worker of `npm start`: the one of src/index.ts with the page /mailbox. `wrangler dev` takes this file as its entry, so
// the page has the same origin and reads the same database. No deployed bundle contains it, and nowhere else is there
// such a path.
import worker from "../index.ts";
import type { Bindings, QueueMessage } from "../platform/env.ts";
import { mailbox } from "./mailbox.tsx";

export default {
  ...worker,
  fetch: async (request, env, ctx) =>
    (await mailbox(request, env)) ?? worker.fetch(request, env, ctx),
} satisfies ExportedHandler<Bindings, QueueMessage>;
