// The bindings of the console's Worker, as console.toml configures them, and the variables of its requests.
import type { Context } from "hono";
import { SECOND_MS } from "../core/values/time.ts";
import type { OperatorBindings } from "../operator/declaration/declare.ts";
import { withDeadlines } from "../platform/deadlines.ts";
import type { AccessSettings } from "./access/identity.ts";
import type { User } from "../operator/roles.ts";

export type ConsoleBindings = OperatorBindings & AccessSettings;

/** The bindings with deadlines. An uploaded file takes longer than other values of KV. */
export const consoleDeadlines = (env: ConsoleBindings) => withDeadlines(env, { KV: 5 * SECOND_MS });

export interface ConsoleEnv {
  Bindings: ConsoleBindings;
  Variables: {
    requestId: string;
    nowMs: number;
    user: User;
    /** The IANA name of the viewer's time zone. */
    timeZone: string;
  };
}

export type ConsoleContext = Context<ConsoleEnv>;
