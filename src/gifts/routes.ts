// POST /api/gift-link.
import { Hono } from "hono";
import type { AppEnv } from "../env.ts";
import { readJsonObject } from "../http/body.ts";
import { allowOnly } from "../http/errors.ts";
import { giftUrls } from "../orders/link.ts";
import { place } from "../orders/place.ts";
import { GiftLinkRequest, placementToWire, readPlacement } from "../orders/wire.ts";
import type { PlacedGiftLinks } from "./answer.ts";
import { recipientsToWire } from "./wire.ts";

export const giftRoutes = new Hono<AppEnv>()
  .post("/api/gift-link", async (c) => {
    const request = readPlacement(GiftLinkRequest, await readJsonObject(c));
    const { order, replayed } = await place(
      {
        d1: c.env.DB,
        offers: c.get("isolate").offers,
        nowMs: c.get("nowMs"),
        placementId: c.get("requestId"),
      },
      { method: "api-giftlink", client: c.get("client"), request },
    );
    if (replayed) c.header("Idempotent-Replayed", "true");
    const recipients = request.recipient_details;
    const urls = await giftUrls(c.env, order.id, recipients.length);
    return c.json({
      ...placementToWire(order),
      recipient_return: recipientsToWire(order.id, recipients, urls),
    } satisfies PlacedGiftLinks);
  })
  .all("/api/gift-link", allowOnly("POST"));
