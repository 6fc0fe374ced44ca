// The pages of clients and payments.
import { addAction } from "../../actions/routes.tsx";
import { createRoutes } from "../../router.ts";
import { payOrder, payOrders, refundOrder, unpaidPage } from "./payments.tsx";

export const clientPages = createRoutes().get("/payments", "view", unpaidPage);

addAction(clientPages, "/payments/pay", payOrders);
addAction(clientPages, "/orders/:order/pay", payOrder);
addAction(clientPages, "/orders/:order/refund", refundOrder);
