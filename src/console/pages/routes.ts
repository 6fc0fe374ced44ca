// The pages of the console, by part. Each part is a folder.
import { pagesOfOperations } from "../skin/routes.ts";
import type { Routes } from "../router.ts";
import { PAGES_BY_HAND } from "./by-hand.ts";
import { homePages } from "./home/routes.ts";

export const ROUTES: readonly Routes[] = [homePages, pagesOfOperations(PAGES_BY_HAND)];
