// The pages of catalogues and stock.
import { addAction } from "../../actions/routes.tsx";
import { createRoutes } from "../../router.ts";
import { cataloguePage } from "./catalogue-detail.tsx";
import { catalogueListPage } from "./catalogue-list.tsx";
import { publishFile } from "./publish.tsx";
import { adjustStock, setStock } from "./stock-actions.tsx";
import { stockListPage } from "./stock-list.tsx";
import { productStockPage } from "./stock-product.tsx";

export const cataloguePages = createRoutes()
  .get("/catalogues", "view", catalogueListPage)
  .get("/catalogues/:name", "view", cataloguePage)
  .get("/stock", "view", stockListPage)
  .get("/stock/:product", "view", productStockPage);

addAction(cataloguePages, "/catalogues/:name/publish", publishFile);
addAction(cataloguePages, "/stock/:product/:variation/set", setStock);
addAction(cataloguePages, "/stock/:product/:variation/adjust", adjustStock);
