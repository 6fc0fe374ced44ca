// The pages of shipments.
import { createRoutes } from "../../router.ts";

export const fulfilmentPages = createRoutes();
