// The first page.
import { home } from "../../../operator/health/home.ts";
import { createRoutes } from "../../router.ts";
import { viewPage } from "../../skin/read-page.tsx";
import { homePage } from "./page.tsx";

export const homePages = createRoutes().get("/", "view", (c) => viewPage(c, home, homePage));
