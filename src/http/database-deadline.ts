// Sets a deadline on every D1 call of a request.
import type { MiddlewareHandler } from "hono";
import { withDeadline } from "../db/deadline.ts";
import type { AppEnv } from "./context.ts";

/** Copies the bindings, because all requests of an isolate share the object. */
export const databaseDeadline: MiddlewareHandler<AppEnv> = async (c, next) => {
  c.env = { ...c.env, DB: withDeadline(c.env.DB) };
  await next();
};
