// The pages of health and the audit log.
import { createRoutes } from "../../router.ts";
import { auditPage } from "./audit.tsx";
import { healthPage } from "./health.tsx";

export const operationPages = createRoutes()
  .get("/health", "view", healthPage)
  .get("/audit", "audit", auditPage);
