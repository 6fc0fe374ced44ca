// The pages of the console: those of all operations, each at the path of its name, and the home page also at `/`.
import type { Operation } from "../../operator/declaration/declare.ts";
import { operationFor } from "../../operator/declaration/input.ts";
import { homeShow } from "../../operator/home/show.ts";
import { OPERATIONS } from "../../operator/operations.ts";
import type { ConsoleContext } from "../environment.ts";
import { createRoutes, type Routes } from "../router.ts";
import { openChange, submitChange } from "../skin/change-page.tsx";
import type { FormTexts } from "../skin/form-fields.ts";
import { pagePath } from "../skin/paths.ts";
import { listPage, type PageByHand, type ShownPageQuery, viewPage } from "../skin/read-page.tsx";
import { homePage } from "./home.tsx";
import { statementPage } from "./statement.tsx";

/** The pages that are written by hand, by the names of their views. */
const BY_HAND: Readonly<Record<string, PageByHand>> = { home: homePage, statement: statementPage };

export function consoleRoutes(): Routes {
  const routes = createRoutes().get("/", { ...homeShow, forVendors: {} }, (c) =>
    c.get("user").vendor === undefined
      ? viewPage(c, homeShow, homePage)
      : c.redirect("/shipment/list", 303),
  );

  for (const operation of OPERATIONS) {
    const path = pagePath(operation);
    const { name } = operation;
    if (operation.type === "change") {
      routes.get(path, operation, (c) => openChange(c, own(c, operation)));
      routes.post(path, operation, (c, form) => submitChange(c, own(c, operation), form));
      continue;
    }
    const page = (c: ConsoleContext, texts?: FormTexts, query?: ShownPageQuery) =>
      operation.type === "list"
        ? listPage(c, own(c, operation), texts, query)
        : viewPage(c, own(c, operation), BY_HAND[name], texts);
    routes.get(path, operation, (c) => page(c));
    if (operation.isPersonal) {
      routes.post(path, operation, (c, { values }) => {
        const { after, earlier, format, ...texts } = values;
        // An empty optional field counts as left out: as a list, it would select no objects.
        const given = Object.entries(texts).filter(
          ([name, text]) => text !== "" || !operation.input[name]?.isOptional,
        );
        return page(c, Object.fromEntries(given), { after, earlier, format });
      });
    }
  }
  return routes;
}

const own = <O extends Operation>(c: ConsoleContext, operation: O) =>
  operationFor(c.get("user"), operation);
