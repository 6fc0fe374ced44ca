// The entry point of the console's Worker.
import { updateDays } from "../operator/health/daily.ts";
import { withDeadline } from "../platform/db/deadline.ts";
import { createConsole } from "./app.tsx";
import type { ConsoleBindings } from "./environment.ts";

const app = createConsole();

export default {
  fetch: app.fetch,
  scheduled: (_controller, env) => updateDays({ ...env, DB: withDeadline(env.DB) }, Date.now()),
} satisfies ExportedHandler<ConsoleBindings>;
