// The app: its middleware and the routes of each feature.
import { bodyLimit } from "hono/body-limit";
import { pageCache } from "./catalogue/pages.ts";
import { catalogueRoutes } from "./catalogue/routes.ts";
import { clientCache } from "./clients/cache.ts";
import { authenticate } from "./http/authenticate.ts";
import { creditRoutes } from "./credit/routes.ts";
import { eventRoutes } from "./events/routes.ts";
import { fulfilmentRoutes } from "./fulfilment/routes.ts";
import { healthRoutes } from "./health/routes.ts";
import { recipientPages } from "./redeem/respond.ts";
import { redeemRoutes } from "./redeem/routes.ts";
import { requireConfiguration } from "./http/require-configuration.ts";
import { databaseDeadline } from "./http/database-deadline.ts";
import {
  PAGE_SECURITY_HEADERS,
  responseHeaders,
  SECURITY_HEADERS,
} from "./http/security-headers.ts";
import { notFound, onError, payloadTooLarge } from "./http/error-response.ts";
import { simulatedFaults } from "./http/simulated-faults.ts";
import { requestLog } from "./http/request-log.ts";
import { createRouter } from "./http/router.ts";
import { offerCache } from "./orders/offers.ts";
import { lifecycleRoutes } from "./lifecycle/routes.ts";
import { orderRoutes } from "./orders/routes.ts";
import { sandboxRoutes } from "./sandbox/routes.ts";
import { webhookRoutes } from "./webhooks/routes.ts";

export const MAX_BODY_BYTES = 1024 * 1024;

/** `now` is the clock of all requests. Tests set their own. */
export function createApp(now: () => number = Date.now) {
  const clients = clientCache();
  return createRouter()
    .use(requestLog(now))
    .use(responseHeaders(SECURITY_HEADERS))
    .use(requireConfiguration)
    .use(databaseDeadline)
    .use("/api/*", authenticate(clients), simulatedFaults)
    .use("/redeem/*", responseHeaders(PAGE_SECURITY_HEADERS), recipientPages)
    .post("*", bodyLimit({ maxSize: MAX_BODY_BYTES, onError: payloadTooLarge }))
    .route("/", catalogueRoutes(pageCache()))
    .route("/", orderRoutes(offerCache()))
    .route("/", lifecycleRoutes())
    .route("/", fulfilmentRoutes())
    .route("/", redeemRoutes())
    .route("/", eventRoutes())
    .route("/", webhookRoutes(clients))
    .route("/", creditRoutes())
    .route("/", sandboxRoutes())
    .route("/", healthRoutes())
    .notFound(notFound)
    .onError(onError);
}
