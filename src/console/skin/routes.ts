// The pages of all operations, each at the path of its name.
import type { Operation } from "../../operator/declaration/declare.ts";
import { operationFor } from "../../operator/declaration/input.ts";
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
    const { name } = operation;
    if (operation.type === "change") {
      pages
        .get(path, operation, (c) => openChange(c, own(c, operation)))
        .post(path, operation, (c, form) => submitChange(c, own(c, operation), form));
      continue;
    }
    const page = (c: ConsoleContext, texts?: FormTexts, query?: ShownPageQuery) =>
      operation.type === "list"
        ? listPage(c, own(c, operation), texts, query)
        : viewPage(c, own(c, operation), byHand[name], texts);
    pages.get(path, operation, (c) => page(c));
    if (operation.isPersonal) {
      pages.post(path, operation, (c, { values }) => {
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

const own = <O extends Operation>(c: ConsoleContext, operation: O) =>
  operationFor(c.get("user"), operation);
