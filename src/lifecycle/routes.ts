// Handlers of the endpoints that change placed orders.
import type { Context } from "hono";
import { ApiError } from "../api-error.ts";
import type { AppEnv } from "../http/context.ts";
import { handle, routes } from "../http/endpoint.ts";
import { nudgeAfterResponse } from "../webhooks/nudge.ts";
import { cancel } from "./cancel.ts";
import { cancelOrder } from "./contract.ts";
import { orderKeyOf } from "./order-key.ts";
import { cancelResponse } from "./response.ts";

export const lifecycleRoutes = () =>
  routes(
    handle(
      cancelOrder,
      async (c, { body }) => {
        const client = c.get("client");
        const result = await cancel(c.env.DB, {
          ...orderKeyOf(body, client.id),
          suborderIds: body.suborder_ids ?? null,
          requestId: c.get("requestId"),
          nowMs: c.get("nowMs"),
        });
        if (result instanceof ApiError) throw result;
        if (result.ended.length > 0) {
          nudgeAfterResponse(c.env.WEBHOOK_QUEUE, c.executionCtx, client.webhookIds);
        }
        return cancelResponse(result);
      },
      requireCancellations,
    ),
  );

/** Throws if the operator has barred the client from cancelling. */
function requireCancellations(c: Context<AppEnv>): void {
  if (c.get("client").mayCancel) return;
  throw new ApiError(
    "forbidden",
    "Your client may not cancel orders through the API. Write to us.",
  );
}
