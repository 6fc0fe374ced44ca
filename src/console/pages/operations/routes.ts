// The pages of webhooks, health and the audit log.
import { createRoutes } from "../../router.ts";

export const operationPages = createRoutes();
