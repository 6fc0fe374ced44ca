// The entry point of the console's Worker.
import { createConsole } from "./app.tsx";
import type { ConsoleBindings } from "./environment.ts";

const app = createConsole();

export default { fetch: app.fetch } satisfies ExportedHandler<ConsoleBindings>;
