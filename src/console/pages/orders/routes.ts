// The pages of orders and gifts.
import { addAction } from "../../action.tsx";
import { createRoutes } from "../../router.ts";
import { emailList } from "./email-list.tsx";
import { extendGift } from "./extend-gift.ts";
import { giftPage } from "./gift-page.tsx";
import { orderList } from "./order-list.tsx";
import { orderPage } from "./order-page.tsx";
import { search, searchPage } from "./search.tsx";

export const orderPages = createRoutes()
  .get("/search", "view", searchPage)
  .post("/search", "view", search)
  .get("/emails", "view", emailList)
  .get("/orders", "view", orderList)
  .get("/orders/:order", "view", orderPage)
  .get("/gifts/:gift", "view", giftPage);

addAction(orderPages, "/gifts/:gift/extend", extendGift);
