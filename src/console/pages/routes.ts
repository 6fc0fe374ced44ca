// The pages of the console.
import { homeShow } from "../../operator/home/show.ts";
import { createRoutes, type Routes } from "../router.ts";
import { viewPage } from "../skin/read-page.tsx";
import { pagesOfOperations } from "../skin/routes.ts";
import { homePage } from "./home.tsx";
import { statementPage } from "./statement.tsx";

export const ROUTES: readonly Routes[] = [
  createRoutes().get("/", { ...homeShow, forVendors: {} }, (c) =>
    c.get("user").vendor === undefined
      ? viewPage(c, homeShow, homePage)
      : c.redirect("/shipment/list", 303),
  ),
  // All other pages of views are derived.
  pagesOfOperations({ home: homePage, statement: statementPage }),
];
