// The pages of orders and gifts.
import { addAction } from "../../actions/routes.tsx";
import { createRoutes } from "../../router.ts";
import { cancelGift, cancelOrder } from "./actions/cancel.tsx";
import { extendOrder } from "./actions/extend-order.ts";
import { renewGift } from "./actions/renew.tsx";
import { giftPage } from "./gift-page.tsx";
import { orderList } from "./order-list.tsx";
import { orderPage } from "./order-page.tsx";
import { search, searchPage } from "./search.tsx";

export const orderPages = createRoutes()
  .get("/search", "view", searchPage)
  .post("/search", "view", search)
  .get("/orders", "view", orderList)
  .get("/orders/:order", "view", orderPage)
  .get("/gifts/:gift", "view", giftPage);

addAction(orderPages, "/orders/:order/cancel", cancelOrder);
addAction(orderPages, "/orders/:order/extend", extendOrder);
addAction(orderPages, "/gifts/:gift/cancel", cancelGift);
addAction(orderPages, "/gifts/:gift/renew", renewGift);
