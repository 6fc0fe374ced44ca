// The pages of catalogues and stock.
import { createRoutes } from "../../router.ts";

export const cataloguePages = createRoutes();
