// The pages of orders and gifts.
import { addAction } from "../../action.tsx";
import { createRoutes } from "../../router.ts";
import { extendGift } from "./extend-gift.ts";

export const orderPages = createRoutes();

addAction(orderPages, "/gifts/:gift/extend", extendGift);
