// POST /api/gift-link.
import { Hono } from "hono";
import type { AppEnv } from "../env.ts";
import { readJsonObject } from "../http/body.ts";
import { allowOnly } from "../http/error-response.ts";
import { giftUrls, newLink } from "../orders/gift-link.ts";
import { placeFor } from "../orders/routes.ts";
import { GiftLinkRequest, placementToWire, readPlacement } from "../orders/wire.ts";
import type { PlacedGiftLinks } from "./answer.ts";
import { recipientsToWire } from "./wire.ts";

export const giftRoutes = new Hono<AppEnv>()
  .post("/api/gift-link", async (c) => {
    const request = readPlacement(GiftLinkRequest, await readJsonObject(c));
    const client = c.get("client");
    const link = await newLink(c.env);
    const order = await placeFor(c, { method: "api-giftlink", client, request, link });
    const recipients = request.recipient_details;
    const urls = await giftUrls(c.env, order, recipients.length);
    return c.json({
      ...placementToWire(order),
      recipient_return: recipientsToWire(order.id, recipients, urls),
    } satisfies PlacedGiftLinks);
  })
  .all("/api/gift-link", allowOnly("POST"));
