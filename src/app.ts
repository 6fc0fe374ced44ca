// The table of contents: what every request passes, and one mount for each folder.
import { Hono } from "hono";
import { bodyLimit } from "hono/body-limit";
import { secureHeaders } from "hono/secure-headers";
import { catalogueRoutes } from "./catalogue/routes.ts";
import { authenticate } from "./http/authenticate.ts";
import { creditRoutes } from "./credit/routes.ts";
import type { AppEnv } from "./env.ts";
import { recipientPages } from "./redeem/pages/respond.tsx";
import { recipientRoutes } from "./redeem/routes.tsx";
import { giftRoutes } from "./gifts/routes.ts";
import { requireBindings } from "./http/require-configuration.ts";
import { databaseDeadline } from "./http/database-deadline.ts";
import { DATA_HEADERS } from "./http/security-headers.ts";
import { notFound, onError, payloadTooLarge } from "./http/error-response.ts";
import { requestLog } from "./http/request-log.ts";
import { createIsolate } from "./isolate.ts";
import { orderRoutes } from "./orders/routes.ts";

export const MAX_BODY_BYTES = 1024 * 1024;

/** `now` is the only clock of all that a request does; tests bring their own. */
export function createApp(now: () => number = Date.now) {
  const isolate = createIsolate();
  return new Hono<AppEnv>()
    .use(requestLog(now, isolate))
    .use(secureHeaders(DATA_HEADERS))
    .use(requireBindings)
    .use(databaseDeadline)
    .use("/api/*", authenticate)
    .use("/redeem/*", secureHeaders(), recipientPages)
    .post("*", bodyLimit({ maxSize: MAX_BODY_BYTES, onError: payloadTooLarge }))
    .route("/", catalogueRoutes)
    .route("/", orderRoutes)
    .route("/", giftRoutes)
    .route("/", recipientRoutes)
    .route("/", creditRoutes)
    .notFound(notFound)
    .onError(onError);
}
