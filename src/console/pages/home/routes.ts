// The first page.
import { createRoutes } from "../../router.ts";

export const homePages = createRoutes();
