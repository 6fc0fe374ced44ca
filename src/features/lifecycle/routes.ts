// Handlers of the endpoints that change placed orders and gifts.
import type { Context } from "hono";
import { ApiError } from "../../core/api-error.ts";
import type { AppEnv } from "../../platform/http/context.ts";
import { handle, routes } from "../../platform/http/endpoint.ts";
import { loadAddressRules } from "../../platform/assets.ts";
import { nudgeEmails } from "../schedule/nudge-emails.ts";
import { ownerOf } from "../clients/authenticate.ts";
import { currentGiftUrl } from "../orders/gift-link.ts";
import { nudgeAfterResponse } from "../webhooks/nudge.ts";
import { cancel } from "./cancel.ts";
import { cancelOrder, correctRecipient, renewGiftLink } from "./contract.ts";
import { correct } from "./correct.ts";
import { orderKeyOf } from "./order-key.ts";
import { renew, renewalOf } from "./renew.ts";
import { cancelResponse, correctionResponse, renewalResponse } from "./response.ts";

export const lifecycleRoutes = () =>
  routes(
    handle(
      cancelOrder,
      async (c, { body }) => {
        const cancelled = await cancel(c.env.DB, {
          ...orderKeyOf(body, ownerOf(c)),
          giftIds: body.suborder_ids ?? null,
          requestId: c.get("requestId"),
          nowMs: c.get("nowMs"),
        });
        if (cancelled.changed) nudge(c);
        return cancelResponse(cancelled);
      },
      requireCancellations,
    ),

    handle(correctRecipient, async (c, { body: request }) => {
      const context = {
        ...ownerOf(c),
        nowMs: c.get("nowMs"),
        addresses: await loadAddressRules(c.env.ASSETS),
      };
      const { gift, changed } = await correct(c.env.DB, context, request);
      if (changed) nudge(c);
      if (changed && (request.email ?? request.delivery_email)) nudgeEmails(c.env, c.executionCtx);
      return correctionResponse(gift);
    }),

    handle(renewGiftLink, async (c, { body: request }) => {
      const context = { ...ownerOf(c), nowMs: c.get("nowMs") };
      const renewal = await renewalOf(c.env, context, request);
      const { gift, changed } = await renew(c.env.DB, renewal);
      if (changed) nudge(c);
      if (changed && request.email !== undefined) nudgeEmails(c.env, c.executionCtx);
      const position = { sequence: gift.sequence, generation: gift.linkGeneration };
      return renewalResponse(
        gift,
        await currentGiftUrl(c.env, { id: gift.orderId, ...gift }, position),
      );
    }),
  );

/** Starts the delivery of the change's events. */
const nudge = (c: Context<AppEnv>) => {
  nudgeAfterResponse(c.env.WEBHOOK_QUEUE, c.executionCtx, c.get("client").webhookIds);
};

/** Throws if the operator has barred the client from cancelling. */
function requireCancellations(c: Context<AppEnv>): void {
  if (c.get("client").mayCancel) return;
  throw new ApiError(
    "forbidden",
    "Your client may not cancel orders through the API. Write to us.",
  );
}
