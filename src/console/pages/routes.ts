// The pages of the console.
import { homeShow } from "../../operator/home/show.ts";
import { createRoutes, type Routes } from "../router.ts";
import { viewPage } from "../skin/read-page.tsx";
import { pagesOfOperations } from "../skin/routes.ts";
import { PAGES_BY_HAND } from "./by-hand.ts";
import { homePage } from "./home.tsx";

export const ROUTES: readonly Routes[] = [
  createRoutes().get("/", { ...homeShow, forVendors: {} }, (c) =>
    c.get("user").vendor === undefined
      ? viewPage(c, homeShow, homePage)
      : c.redirect("/shipment/list", 303),
  ),
  pagesOfOperations(PAGES_BY_HAND),
];
