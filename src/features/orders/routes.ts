// Handlers of the order endpoints.
import type { Context } from "hono";
import { ApiError, validationError } from "../../core/api-error.ts";
import type { AppEnv } from "../../platform/http/context.ts";
import { handle, insufficientScope, routes } from "../../platform/http/endpoint.ts";
import { readJsonObject } from "../../platform/http/input.ts";
import { isUnavailable } from "../../platform/db/faults.ts";
import { NEAREST } from "../../platform/db/sessions.ts";
import { ownerOf, type ReadNear } from "../clients/authenticate.ts";
import { secretDigest } from "../clients/credentials.ts";
import { loadAddressRules } from "../../platform/assets.ts";
import type { Currency } from "../../core/values/iso.ts";
import type { LimitState } from "../credentials/limit-queries.ts";
import { spendingLeft } from "../credentials/limits.ts";
import { readCodes } from "./code-queries.ts";
import { readEmails } from "../schedule/plan-queries.ts";
import { nudgeEmails } from "../schedule/nudge-emails.ts";
import { nudgeAfterResponse } from "../webhooks/nudge.ts";
import {
  getOrder,
  listOrders,
  listRecipients,
  placeGiftLinks,
  placeOrder,
  type Placement,
  quoteOrder,
} from "./contract.ts";
import { currentGiftUrls, giftUrls, type LinkEnv, newLink } from "./gift-link.ts";
import { readOrderPage } from "./list.ts";
import type { OfferCache } from "./offers.ts";
import type { PlacedOrder } from "./order.ts";
import { place } from "./place.ts";
import { findOrder, type NearPlacement, readNearPlacement } from "./queries.ts";
import { quote } from "./quote.ts";
import { readGiftPage, readGiftsOfOrders } from "./gifts.ts";
import {
  giftLinkResponse,
  giftListResponse,
  orderListResponse,
  orderResponse,
  placementResponse,
  quoteResponse,
} from "./response.ts";
import { selectedOrder } from "./selection.ts";

declare module "hono" {
  interface ContextVariableMap {
    nearPlacement?: NearPlacement;
  }
}

export const orderRoutes = (offers: OfferCache) =>
  routes(
    handle(quoteOrder, async (c, { body: request }) => {
      const result = await quote(c.env.DB, callerOf(c), request, c.get("nowMs"));
      if (result instanceof ApiError) throw result;
      showLeft(c, result.limits, request.currency);
      return quoteResponse(result);
    }),

    handle(placeOrder, async (c, { body: request }) => {
      const link = await newLink(c.env);
      const placement = { method: "api-purchase" as const, ...callerOf(c), request, link };
      const order = await placeOrThrow(c, offers, placement);
      return placementResponse(order);
    }),

    handle(placeGiftLinks, async (c, { body: request }) => {
      const link = await newLink(c.env);
      const order = await placeOrThrow(c, offers, {
        method: "api-giftlink",
        ...callerOf(c),
        request,
        link,
        sendsEmails: c.env.EMAIL_FROM !== "",
      });
      const urls = await giftUrls(c.env, order, order.qty);
      return giftLinkResponse(order, request.recipient_details, urls);
    }),

    handle(getOrder, async (c, { query }) => {
      const { include } = query;
      const withCodes = include?.includes("codes");
      if (withCodes && c.get("isOfTool")) {
        throw validationError([{ field: "include", message: "must not contain codes for a tool" }]);
      }
      if (withCodes && !linkEnv(c)) throw insufficientScope("order");
      const found = await findOrder(c.env.DB, { ...ownerOf(c), ...selectedOrder(query) });
      if (!found) throw new ApiError("not_found", "You have no such order.");
      const env = linkEnv(c);
      const urls = await currentGiftUrls(env, found.order, found.gifts);
      const emails = include?.includes("emails")
        ? await readEmails(c.env.DB, found.order.id, c.get("nowMs"))
        : null;
      const codes = withCodes ? await readCodes(c.env.DB, c.env, found.order.id) : null;
      const order = env ? found.order : { ...found.order, linkUrl: null };
      return orderResponse(order, found.gifts, urls, include, { emails, codes });
    }),

    handle(listOrders, async (c, { query }) => {
      const page = await readOrderPage(c.env.DB, ownerOf(c), query);
      if (query.expand === undefined) return orderListResponse(page);
      return orderListResponse(page, await readGiftsOfOrders(c.env.DB, linkEnv(c), page.orders));
    }),

    handle(listRecipients, async (c, { query }) =>
      giftListResponse(await readGiftPage(c.env.DB, linkEnv(c), ownerOf(c), query)),
    ),
  );

/** Null for the scope `read`: anyone who has a link can accept the gift. */
const linkEnv = (c: Context<AppEnv>): LinkEnv | null => (c.get("scope") === "read" ? null : c.env);

/** Places the order, and sets the headers of a placement. Throws the reason to refuse it. */
async function placeOrThrow(
  c: Context<AppEnv>,
  offers: OfferCache,
  placement: Placement,
): Promise<PlacedOrder> {
  const context = {
    d1: c.env.DB,
    offers,
    nowMs: c.get("nowMs"),
    requestId: c.get("requestId"),
    addresses: await loadAddressRules(c.env.ASSETS),
  };
  const confirm = c.get("confirmClient");
  const near = confirm && c.get("nearPlacement");
  const result = await place(context, placement, near && { ...near, confirm });
  if (result instanceof ApiError) throw result;
  c.header("Regalo-Order-Status", result.order.status);
  showLeft(c, result.limits, placement.request.currency);
  if (result.replayed) c.header("Idempotent-Replayed", "true");
  else {
    nudgeAfterResponse(c.env.WEBHOOK_QUEUE, c.executionCtx, placement.client.webhookIds);
    const { tookStock } = result.order;
    if (
      placement.method === "api-giftlink"
        ? placement.request.send_method === "email"
        : tookStock === 2
    ) {
      nudgeEmails(c.env, c.executionCtx);
    }
  }
  return result.order;
}

const PLACEMENT_PATHS: string[] = [placeOrder.path, placeGiftLinks.path];

/** The body is read before the credentials are verified, so only a short one, which is enough for 100 recipients. */
const MAX_NEAR_BYTES = 64 * 1024;

/** Also reads what the placement is checked against. Null if the replica has no client that may place orders. */
export const readNearClient: ReadNear = async (c, clientId, { apiKey, apiPassword }) => {
  const isShort = Number(c.req.header("Content-Length")) <= MAX_NEAR_BYTES;
  if (c.req.method !== "POST" || !PLACEMENT_PATHS.includes(c.req.path) || !isShort) return null;
  const body = await readJsonObject(c).catch(() => null);
  const { product_id: productId, order_ref_id: orderRefId } = body ?? {};
  if (typeof productId !== "number" || typeof orderRefId !== "string") return null;
  const digest = await secretDigest(apiKey, apiPassword);
  const key = { clientId, secretDigest: digest, orderRefId, productId };
  const nearest = c.env.DB.withSession(NEAREST);
  const near = await readNearPlacement(nearest, key, c.get("nowMs")).catch((error: unknown) => {
    // A second call would add to the load.
    if (isUnavailable(error)) throw error;
    return null;
  });
  if (near) c.set("nearPlacement", near);
  return near && near.client;
};

const callerOf = (c: Context<AppEnv>) => ({
  client: c.get("client"),
  credentialId: c.get("credentialId"),
  ownId: c.get("ownId"),
});

/** Shows what is left of the limits of the credentials. */
function showLeft(c: Context<AppEnv>, limits: LimitState[] | null, currency: Currency): void {
  const left = spendingLeft(limits, currency);
  if (left !== null) c.header("Regalo-Spending-Left", left);
}
