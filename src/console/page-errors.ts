// Errors that have a page of their own.
import { HTTPException } from "hono/http-exception";
import type { Role } from "../operator/roles.ts";

/** The user's roles do not permit the request. */
export class NotAllowed extends Error {
  override name = "NotAllowed";

  /** The roles that permit it. */
  readonly roles: readonly Role[];

  constructor(roles: readonly Role[]) {
    super();
    this.roles = roles;
  }
}

/** For a form without a valid token: it is from another site, or from an earlier session. */
export const staleForm = () => new HTTPException(403);
