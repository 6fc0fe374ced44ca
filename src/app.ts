// The app: its middleware and the routes of each feature.
import { bodyLimit } from "hono/body-limit";
import { carrierRoutes } from "./features/carrier/routes.ts";
import { pageCache } from "./features/catalogue/pages.ts";
import { catalogueRoutes } from "./features/catalogue/routes.ts";
import { clientCache } from "./features/clients/cache.ts";
import { authenticate } from "./features/clients/authenticate.ts";
import { credentialRoutes } from "./features/credentials/routes.ts";
import { creditRoutes } from "./features/credit/routes.ts";
import { emailRoutes } from "./features/email/routes.ts";
import { eventRoutes } from "./features/events/routes.ts";
import { fulfilmentRoutes } from "./features/fulfilment/routes.ts";
import { connectorRoutes } from "./features/connectors/routes.ts";
import { healthRoutes } from "./features/health/routes.ts";
import { onUnknownPage, recipientPages } from "./features/pages/respond.ts";
import { previewRoutes } from "./features/email/preview/routes.ts";
import { redeemRoutes } from "./features/redeem/routes.ts";
import { stopEmailRoutes } from "./features/email/stop/routes.ts";
import {
  requestDatabase,
  requestLog,
  requireConfiguration,
  responseHeaders,
  SECURITY_HEADERS,
} from "./platform/http/middleware.ts";
import { onError, payloadTooLarge } from "./platform/http/error-response.ts";
import { simulatedFaults } from "./features/sandbox/simulated-faults.ts";
import { KV_PATIENCE_MS } from "./platform/cache/tiered.ts";
import { type Api, createRouter } from "./platform/http/context.ts";
import { offerCache } from "./features/orders/offers.ts";
import { mcpRoutes, rpcErrors } from "./features/mcp/routes.ts";
import { lifecycleRoutes } from "./features/lifecycle/routes.ts";
import { orderRoutes, readNearClient } from "./features/orders/routes.ts";
import { reportRoutes } from "./features/report/routes.ts";
import { sandboxRoutes } from "./features/sandbox/routes.ts";
import { webhookRoutes } from "./features/webhooks/routes.ts";

export const MAX_BODY_BYTES = 1024 * 1024;

/** `now` is the clock of all requests. Tests set their own, and wait longer for KV. */
export function createApp(now: () => number = Date.now, kvPatienceMs = KV_PATIENCE_MS) {
  const clients = clientCache(kvPatienceMs);
  const authenticated = authenticate(clients, readNearClient);
  const limitBody = bodyLimit({ maxSize: MAX_BODY_BYTES, onError: payloadTooLarge });
  const api: Api = (...call) => app.fetch(...call);
  const app: ReturnType<typeof createRouter> = createRouter()
    .use(requestLog(now))
    .use(responseHeaders(SECURITY_HEADERS))
    .use("/mcp", rpcErrors)
    .use(requireConfiguration)
    // Before the database is opened, because the requests that these routes send to the app open their own.
    .route("/", mcpRoutes(authenticated, limitBody, api))
    .route("/", connectorRoutes(limitBody, api))
    .use(requestDatabase)
    .use("/api/*", authenticated, simulatedFaults)
    .use("/redeem/*", recipientPages)
    .use("/stop-emails/*", recipientPages)
    .use("/preview/*", recipientPages)
    .post("*", limitBody)
    .route("/", catalogueRoutes(pageCache(kvPatienceMs)))
    .route("/", orderRoutes(offerCache()))
    .route("/", lifecycleRoutes())
    .route("/", emailRoutes())
    .route("/", fulfilmentRoutes())
    .route("/", carrierRoutes())
    .route("/", previewRoutes())
    .route("/", redeemRoutes())
    .route("/", stopEmailRoutes())
    .route("/", eventRoutes())
    .route("/", webhookRoutes(clients))
    .route("/", credentialRoutes(clients))
    .route("/", creditRoutes())
    .route("/", reportRoutes())
    .route("/", healthRoutes());
  if (!globalThis.OMITS_SANDBOX) app.route("/", sandboxRoutes());
  return app.notFound(onUnknownPage).onError(onError);
}
