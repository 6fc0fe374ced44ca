// The client that an operator is going to read or change.
import { notFound, refusal, validationError } from "../../core/api-error.ts";
import { findCatalogueId, listClients } from "./queries.ts";

export type ListedClient = Awaited<ReturnType<typeof listClients>>[number];

/** Errors: `not_found`. */
export async function requireClient(d1: D1Database, id: string): Promise<ListedClient> {
  const [client] = await listClients(d1, { id });
  if (!client) throw unknownClient(id);
  return client;
}

export const unknownClient = (id: string) => notFound(`there is no client ${id}.`);

/** Errors: `not_allowed_in_state` if there is no such catalogue. */
export async function requireCatalogueId(d1: D1Database, name: string): Promise<number> {
  const id = await findCatalogueId(d1, name);
  if (id === null) throw refusal(`there is no catalogue ${name}. Publish it first.`);
  return id;
}

/** The id of the catalogue in the input `catalogue`. Errors: `validation_error`. */
export async function requireNamedCatalogueId(d1: D1Database, name: string): Promise<number> {
  const id = await findCatalogueId(d1, name);
  if (id !== null) return id;
  throw validationError([{ field: "catalogue", message: "must be a published catalogue" }]);
}
