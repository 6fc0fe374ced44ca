// The pages of views that are written by hand. All others are derived.
import type { PageByHand } from "../skin/read-page.tsx";
import { statementPage } from "./statement.tsx";
import { homePage } from "./home.tsx";

/** By the names of their views. */
export const PAGES_BY_HAND: Readonly<Record<string, PageByHand>> = {
  home: homePage,
  statement: statementPage,
};
