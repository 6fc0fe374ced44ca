// Collections of the catalogues of tests.
import { env } from "cloudflare:workers";
import { deleteCollection, writeCollection } from "../../src/operator/collection/queries.ts";
import type { TestClient, TestProduct } from "./fixtures.ts";

type Changes = Partial<Omit<Parameters<typeof writeCollection>[1], "catalogueId" | "products">>;

/** The id of the collection that tests use. */
export const PICKS = "picks";

/** Adds the collection `picks` to the client's catalogue, or replaces it. */
export const collect = (
  { catalogueId }: Pick<TestClient, "catalogueId">,
  products: TestProduct[],
  changes: Changes = {},
): Promise<void> =>
  writeCollection(
    env.DB,
    {
      catalogueId,
      id: PICKS,
      name: "Our picks",
      description: "",
      translations: {},
      products: products.map(({ product }) => product.id),
      ...changes,
    },
    Date.now(),
  );

/** Removes the collection `picks` of the client's catalogue. */
export const uncollect = ({ catalogueId }: Pick<TestClient, "catalogueId">): Promise<boolean> =>
  deleteCollection(env.DB, { catalogueId, id: PICKS }, Date.now());
