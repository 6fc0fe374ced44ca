// Sets a deadline on every D1 call of a request.
import type { MiddlewareHandler } from "hono";
import { withDeadline } from "../db/deadline.ts";
import type { AppEnv } from "./context.ts";

/** Requests share the bindings object, so this one gets a copy. */
export const databaseDeadline: MiddlewareHandler<AppEnv> = async (c, next) => {
  c.env = { ...c.env, DB: withDeadline(c.env.DB) };
  await next();
};
