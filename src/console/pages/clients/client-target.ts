// The client that a path names.
import { listClients } from "../../../operator/clients/queries.ts";
import type { Target } from "../../actions/action.ts";
import type { ConsoleContext } from "../../environment.ts";
import { NotFound } from "../../page-errors.ts";
import { param } from "../../router.ts";

/** Errors: `NotFound`. */
export const clientIdOf = (c: ConsoleContext): string =>
  param(c, "client", (text) => (/^[a-z0-9-]{1,64}$/.test(text) ? text : undefined));

/** One round trip. Errors: `NotFound`. */
export async function findClient(c: ConsoleContext) {
  const [client] = await listClients(c.env.DB, { id: clientIdOf(c) });
  if (!client) throw new NotFound();
  return client;
}

/** Errors: `NotFound`. */
export function clientTarget(c: ConsoleContext): Target {
  const name = clientIdOf(c);
  return { name, href: `/client/show?client=${name}` };
}
