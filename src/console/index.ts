// The entry point of the console's Worker.
import { updateDays } from "../operator/health/daily.ts";
import { createConsole } from "./app.tsx";
import { type ConsoleBindings, consoleDeadlines } from "./environment.ts";

const app = createConsole();

export default {
  fetch: app.fetch,
  scheduled: (_controller, env) => updateDays(consoleDeadlines(env), Date.now()),
} satisfies ExportedHandler<ConsoleBindings>;
