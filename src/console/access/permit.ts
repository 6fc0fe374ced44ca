import type { MiddlewareHandler } from "hono";
import { may, type Permission, PERMISSIONS } from "../../operator/roles.ts";
import type { ConsoleEnv } from "../environment.ts";
import { NotAllowed } from "../page-errors.ts";

/** Refuses users whose roles do not have the permission. Errors: `NotAllowed`. */
export const permit =
  (permission: Permission): MiddlewareHandler<ConsoleEnv> =>
  async (c, next) => {
    if (!may(c.get("user"), permission)) throw new NotAllowed(PERMISSIONS[permission]);
    await next();
  };
