// The pages of clients, payments and statements.
import { addAction } from "../../action.tsx";
import { createRoutes } from "../../router.ts";
import { payOrder, payOrders, refundOrder, unpaidPage } from "./payments.tsx";

export const clientPages = createRoutes().get("/payments", "view", unpaidPage);

addAction(clientPages, "/payments/pay", payOrders);
addAction(clientPages, "/orders/:order/pay", payOrder);
addAction(clientPages, "/orders/:order/refund", refundOrder);
