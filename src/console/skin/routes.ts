// The pages of all operations, each at the path of its name.
import { OPERATIONS } from "../../operator/operations.ts";
import { createRoutes } from "../router.ts";
import { openChange, submitChange } from "./change-page.tsx";
import { pagePath } from "./paths.ts";
import { listPage, viewPage } from "./read-page.tsx";

export const operationPages = createRoutes();

for (const operation of OPERATIONS) {
  const path = pagePath(operation);
  const { permission } = operation;
  if (operation.type === "change") {
    operationPages
      .get(path, permission, (c) => openChange(c, operation))
      .post(path, permission, (c, form) => submitChange(c, operation, form));
    continue;
  }
  const page = operation.type === "list" ? listPage : viewPage;
  operationPages.get(path, permission, (c) => page(c, operation as never));
  if (operation.isPersonal) {
    operationPages.post(path, permission, (c, { values }) => {
      const { after, format, ...texts } = values;
      return page(c, operation as never, texts, { after, format });
    });
  }
}
