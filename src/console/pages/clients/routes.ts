// The pages of clients, payments and statements.
import { createRoutes } from "../../router.ts";

export const clientPages = createRoutes();
