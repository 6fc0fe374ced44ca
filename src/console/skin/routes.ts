// The pages of all operations, each at the path of its name.
import { OPERATIONS } from "../../operator/operations.ts";
import type { ConsoleContext } from "../environment.ts";
import { createRoutes, type Routes } from "../router.ts";
import { openChange, submitChange } from "./change-page.tsx";
import type { FormTexts } from "./form-fields.ts";
import { pagePath } from "./paths.ts";
import { listPage, type PageByHand, type ShownPageQuery, viewPage } from "./read-page.tsx";

/** `byHand` has the pages that are written by hand, by the names of their views. */
export function pagesOfOperations(byHand: Readonly<Record<string, PageByHand>>): Routes {
  const pages = createRoutes();
  for (const operation of OPERATIONS) {
    const path = pagePath(operation);
    const { name, permission } = operation;
    if (operation.type === "change") {
      pages
        .get(path, permission, (c) => openChange(c, operation))
        .post(path, permission, (c, form) => submitChange(c, operation, form));
      continue;
    }
    const page = (c: ConsoleContext, texts?: FormTexts, query?: ShownPageQuery) =>
      operation.type === "list"
        ? listPage(c, operation, texts, query)
        : viewPage(c, operation, byHand[name], texts);
    pages.get(path, permission, (c) => page(c));
    if (operation.isPersonal) {
      pages.post(path, permission, (c, { values }) => {
        const { after, earlier, format, ...texts } = values;
        // An empty optional field counts as left out: as a list, it would select no objects.
        const given = Object.entries(texts).filter(
          ([name, text]) => text !== "" || !operation.input[name]?.isOptional,
        );
        return page(c, Object.fromEntries(given), { after, earlier, format });
      });
    }
  }
  return pages;
}
