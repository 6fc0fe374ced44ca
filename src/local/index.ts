// The Worker of `npm start`: src/index.ts with the page /mailbox, and the console at its own port. Two runtimes cannot
// share a local database, so one serves both. No deployed bundle contains this folder.
import { createConsole } from "../console/app.tsx";
import worker from "../index.ts";
import { withDeadlines } from "../platform/deadlines.ts";
import type { Bindings, QueueMessage } from "../platform/env.ts";
import { CONSOLE_PREFIX, LOCAL_ACCESS } from "../cli/local-console.ts";
import { mailbox } from "./mailbox.tsx";

interface LocalBindings extends Bindings {
  ACCESS_TEAM_DOMAIN?: string;
}

const localConsole = createConsole();

export default {
  ...worker,
  fetch: async (request, env, ctx) => {
    const { CONSOLE_URL, ACCESS_TEAM_DOMAIN = "" } = env;
    const { pathname, search } = new URL(request.url);
    if (pathname.startsWith(`${CONSOLE_PREFIX}/`)) {
      const url = CONSOLE_URL + pathname.slice(CONSOLE_PREFIX.length) + search;
      const settings = { ...env, ...LOCAL_ACCESS, ACCESS_TEAM_DOMAIN };
      return localConsole.fetch(new Request(url, request), settings, ctx);
    }
    return (await mailbox(request, withDeadlines(env).DB)) ?? worker.fetch(request, env, ctx);
  },
} satisfies ExportedHandler<LocalBindings, QueueMessage>;
