// The pages of orders and gifts.
import { addAction } from "../../action.tsx";
import { createRoutes } from "../../router.ts";
import { extendGift } from "./extend-gift.ts";
import { giftPage } from "./gift-page.tsx";
import { orderPage } from "./order-page.tsx";

export const orderPages = createRoutes()
  .get("/orders/:order", "view", orderPage)
  .get("/gifts/:gift", "view", giftPage);

addAction(orderPages, "/gifts/:gift/extend", extendGift);
