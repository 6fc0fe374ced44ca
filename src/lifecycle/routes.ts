// Handlers of the endpoints that change placed orders and gifts.
import { ApiError } from "../api-error.ts";
import { handle, routes } from "../http/endpoint.ts";
import { currentGiftUrl } from "../orders/gift-link.ts";
import { nudgeAfterResponse } from "../webhooks/nudge.ts";
import { renewGiftLink } from "./contract.ts";
import { renew } from "./renew.ts";
import { renewalResponse } from "./response.ts";

export const lifecycleRoutes = () =>
  routes(
    handle(renewGiftLink, async (c, { body: request }) => {
      const client = c.get("client");
      const context = { d1: c.env.DB, env: c.env, clientId: client.id, nowMs: c.get("nowMs") };
      const result = await renew(context, request);
      if (result instanceof ApiError) throw result;
      if (result.renewed) {
        nudgeAfterResponse(c.env.WEBHOOK_QUEUE, c.executionCtx, client.webhookIds);
      }
      const { orderId: id, sequence, gift } = result;
      const position = { sequence, generation: gift.linkGeneration };
      return renewalResponse(result, await currentGiftUrl(c.env, { id, ...gift }, position));
    }),
  );
