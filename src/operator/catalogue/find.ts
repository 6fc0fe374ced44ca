// A catalogue that an operator names.
import { NotFound } from "../refusal.ts";
import { listCatalogues } from "./queries.ts";

/** Errors: `NotFound` if there is no such catalogue. */
export async function requireCatalogue(d1: D1Database, name: string) {
  const [catalogue] = await listCatalogues(d1, name);
  if (!catalogue) throw new NotFound(`there is no catalogue ${name}.`);
  return catalogue;
}
