// Sets a deadline on every D1 call of a request, and counts the calls for the metrics.
import type { MiddlewareHandler } from "hono";
import { withDeadline } from "../db/deadline.ts";
import type { AppEnv } from "./context.ts";

/** Copies the bindings, because all requests of an isolate share the object. */
export const databaseDeadline: MiddlewareHandler<AppEnv> = async (c, next) => {
  const DB = withDeadline(c.env.DB, () => {
    c.set("databaseCalls", (c.get("databaseCalls") ?? 0) + 1);
  });
  c.env = { ...c.env, DB };
  await next();
};
