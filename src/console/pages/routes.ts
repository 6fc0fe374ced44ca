// The pages of the console, by part. Each part is a folder.
import { operationPages as pagesOfOperations } from "../skin/routes.ts";
import type { Routes } from "../router.ts";
import { cataloguePages } from "./catalogues/routes.ts";
import { clientPages } from "./clients/routes.ts";
import { homePages } from "./home/routes.ts";
import { operationPages } from "./operations/routes.ts";
import { orderPages } from "./orders/routes.ts";

export const ROUTES: readonly Routes[] = [
  homePages,
  orderPages,
  clientPages,
  cataloguePages,
  operationPages,
  pagesOfOperations,
];
