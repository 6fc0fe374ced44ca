// The client that an operator is going to read or change.
import { notFound, validationError } from "../../core/api-error.ts";
import { listClientCredentials, listClients, SELECT_CATALOGUE } from "./queries.ts";

export type ListedClient = Awaited<ReturnType<typeof listClients>>[number];

/** Errors: `not_found`. */
export async function requireClient(d1: D1Database, id: string): Promise<ListedClient> {
  const [client] = await listClients(d1, { id });
  if (!client) throw unknownClient(id);
  return client;
}

export const unknownClient = (id: string) => notFound(`there is no client ${id}.`);

/** A client and its active credential set. Errors: `not_found`. */
export async function requireActiveSet(d1: D1Database, clientId: string, setId: number) {
  const [client, sets] = await Promise.all([
    requireClient(d1, clientId),
    listClientCredentials(d1, clientId),
  ]);
  const set = sets.find(({ id, revokedAtMs }) => id === setId && revokedAtMs === null);
  if (!set) throw noActiveSet(clientId, setId);
  return { client, set };
}

export const noActiveSet = (clientId: string, setId: number) =>
  notFound(`client ${clientId} has no active set ${String(setId)}.`);

/** In basis points. */
export const USUAL_FEE = 400;

type Terms = Pick<ListedClient, "catalogue" | "defaultCurrency" | "feeBasisPoints">;

/** The id of the catalogue, and what may be a mistake in new terms. Errors: `validation_error`. */
export async function requireTerms(d1: D1Database, terms: Terms, before: Partial<Terms> = {}) {
  const { catalogue: name, defaultCurrency: currency, feeBasisPoints: fee } = terms;
  const found = await SELECT_CATALOGUE.first(d1, { name, currency });
  const message = "must be a published catalogue";
  if (!found) throw validationError([{ field: "catalogue", message }]);
  const isNew = name !== before.catalogue || currency !== before.defaultCurrency;
  // It may have been entered in basis points.
  const isHigh = fee >= 10 * Math.min(before.feeBasisPoints || USUAL_FEE, USUAL_FEE);
  const warnings = [
    isNew && !found.hasCurrency && `Catalogue ${name} has no product in ${currency}.`,
    isHigh &&
      fee !== before.feeBasisPoints &&
      "The order fee is ten times the usual or earlier one, or more.",
  ];
  return { catalogueId: found.id, warnings: warnings.filter((text) => text !== false) };
}
