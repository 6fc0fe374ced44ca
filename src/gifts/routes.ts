// POST /api/gift-link, and the page its links lead to.
import { Hono } from "hono";
import { html } from "hono/html";
import type { AppEnv } from "../env.ts";
import { ApiError } from "../errors.ts";
import { readJsonObject } from "../http/body.ts";
import { allowOnly } from "../http/errors.ts";
import { giftUrls, readToken } from "../orders/link.ts";
import { place } from "../orders/place.ts";
import { GiftLinkRequest, placementToWire, readPlacement } from "../orders/wire.ts";
import type { PlacedGiftLinks } from "./answer.ts";
import { findGift } from "./store.ts";
import { recipientsToWire } from "./wire.ts";

export const giftRoutes = new Hono<AppEnv>()
  .post("/api/gift-link", async (c) => {
    const request = readPlacement(GiftLinkRequest, await readJsonObject(c));
    const { client, isolate, nowMs, requestId } = c.var;
    const { order, recipients, replayed } = await place(
      { d1: c.env.DB, offers: isolate.offers, nowMs, placementId: requestId },
      { method: "api-giftlink", client, request },
    );
    if (replayed) c.header("Idempotent-Replayed", "true");
    const urls = await giftUrls(c.env, order.id, recipients);
    return c.json({
      ...placementToWire(order),
      recipient_return: recipientsToWire(order.id, recipients, urls),
    } satisfies PlacedGiftLinks);
  })
  .all("/api/gift-link", allowOnly("POST"))

  .get("/redeem/:token", async (c) => {
    const subOrder = await readToken(c.env.GIFT_LINK_SECRET, c.req.param("token"));
    const gift = subOrder && (await findGift(c.env.DB, subOrder));
    if (!gift) throw new ApiError("not_found", "This link opens no gift.");
    c.header("Cache-Control", "no-store");
    return c.html(
      html`<!doctype html><title>Your gift</title>
        <h1>${gift.productName}</h1>`,
    );
  })
  .all("/redeem/:token", allowOnly("GET", "HEAD"));
