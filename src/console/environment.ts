// The bindings of the console's Worker, as console.toml configures them, and the variables of its requests.
import type { Context } from "hono";
import type { OperatorBindings } from "../operator/change.ts";
import type { AccessSettings } from "./access/identity.ts";
import type { User } from "./access/roles.ts";

export interface ConsoleBindings extends OperatorBindings, AccessSettings {}

export interface ConsoleEnv {
  Bindings: ConsoleBindings;
  Variables: {
    requestId: string;
    nowMs: number;
    user: User;
    /** The IANA name of the viewer's time zone. */
    timeZone: string;
    /** The token that a form with this path must contain. */
    formToken: (path: string) => Promise<string>;
  };
}

export type ConsoleContext = Context<ConsoleEnv>;
