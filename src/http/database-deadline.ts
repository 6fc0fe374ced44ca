// The database as handlers see it.
import type { MiddlewareHandler } from "hono";
import { withDeadline } from "../db/deadline.ts";
import type { AppEnv } from "./context.ts";

/** Puts a deadline on every call to D1. The bindings belong to all requests: this one gets a copy. */
export const databaseDeadline: MiddlewareHandler<AppEnv> = async (c, next) => {
  c.env = { ...c.env, DB: withDeadline(c.env.DB) };
  await next();
};
