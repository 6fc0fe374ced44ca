import type { MiddlewareHandler } from "hono";
import { mayDo, PERMISSIONS, type Requirement } from "../../operator/roles.ts";
import type { ConsoleEnv } from "../environment.ts";
import { NotAllowed } from "../page-errors.ts";

/**
 * Refuses users whose roles do not have the permission. For a vendor, the path does not exist then. Errors: `NotAllowed`.
 */
export const permit =
  (requirement: Requirement): MiddlewareHandler<ConsoleEnv> =>
  async (c, next) => {
    const user = c.get("user");
    if (!mayDo(user, requirement)) {
      if (user.vendor !== undefined) return c.notFound();
      throw new NotAllowed(PERMISSIONS[requirement.permission]);
    }
    await next();
    return undefined;
  };
