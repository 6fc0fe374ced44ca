// The app: its middleware and the routes of each feature.
import { bodyLimit } from "hono/body-limit";
import { pageCache } from "./features/catalogue/pages.ts";
import { catalogueRoutes } from "./features/catalogue/routes.ts";
import { clientCache } from "./features/clients/cache.ts";
import { authenticate } from "./features/clients/authenticate.ts";
import { credentialRoutes } from "./features/credentials/routes.ts";
import { creditRoutes } from "./features/credit/routes.ts";
import { emailRoutes } from "./features/email/routes.ts";
import { eventRoutes } from "./features/events/routes.ts";
import { fulfilmentRoutes } from "./features/fulfilment/routes.ts";
import { healthRoutes } from "./features/health/routes.ts";
import { recipientPages } from "./features/redeem/respond.ts";
import { redeemRoutes } from "./features/redeem/routes.ts";
import { stopEmailRoutes } from "./features/email/stop/routes.ts";
import {
  PAGE_SECURITY_HEADERS,
  requestDatabase,
  requestLog,
  requireConfiguration,
  responseHeaders,
  SECURITY_HEADERS,
} from "./platform/http/middleware.ts";
import { notFound, onError, payloadTooLarge } from "./platform/http/error-response.ts";
import { simulatedFaults } from "./features/sandbox/simulated-faults.ts";
import { KV_PATIENCE_MS } from "./platform/cache/tiered.ts";
import { createRouter } from "./platform/http/context.ts";
import { offerCache } from "./features/orders/offers.ts";
import { lifecycleRoutes } from "./features/lifecycle/routes.ts";
import { orderRoutes } from "./features/orders/routes.ts";
import { sandboxRoutes } from "./features/sandbox/routes.ts";
import { webhookRoutes } from "./features/webhooks/routes.ts";

export const MAX_BODY_BYTES = 1024 * 1024;

/** `now` is the clock of all requests. Tests set their own, and wait longer for KV. */
export function createApp(now: () => number = Date.now, kvPatienceMs = KV_PATIENCE_MS) {
  const clients = clientCache(kvPatienceMs);
  return createRouter()
    .use(requestLog(now))
    .use(responseHeaders(SECURITY_HEADERS))
    .use(requireConfiguration)
    .use(requestDatabase)
    .use("/api/*", authenticate(clients), simulatedFaults)
    .use("/redeem/*", responseHeaders(PAGE_SECURITY_HEADERS), recipientPages)
    .use("/stop-emails/*", responseHeaders(PAGE_SECURITY_HEADERS), recipientPages)
    .post("*", bodyLimit({ maxSize: MAX_BODY_BYTES, onError: payloadTooLarge }))
    .route("/", catalogueRoutes(pageCache(kvPatienceMs)))
    .route("/", orderRoutes(offerCache()))
    .route("/", lifecycleRoutes())
    .route("/", emailRoutes())
    .route("/", fulfilmentRoutes())
    .route("/", redeemRoutes())
    .route("/", stopEmailRoutes())
    .route("/", eventRoutes())
    .route("/", webhookRoutes(clients))
    .route("/", credentialRoutes(clients))
    .route("/", creditRoutes())
    .route("/", sandboxRoutes())
    .route("/", healthRoutes())
    .notFound(notFound)
    .onError(onError);
}
