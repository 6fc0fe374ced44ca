// The pages of catalogues and stock.
import { addAction } from "../../action.tsx";
import { createRoutes } from "../../router.ts";
import { adjustStock, setStock } from "./stock-actions.tsx";
import { stockListPage } from "./stock-list.tsx";
import { productStockPage } from "./stock-product.tsx";

export const cataloguePages = createRoutes()
  .get("/stock", "view", stockListPage)
  .get("/stock/:product", "view", productStockPage);

addAction(cataloguePages, "/stock/:product/:variation/set", setStock);
addAction(cataloguePages, "/stock/:product/:variation/adjust", adjustStock);
