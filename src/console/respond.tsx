// Responses with pages, and the pages of errors.
import type { ErrorHandler, NotFoundHandler } from "hono";
import { routePath } from "hono/route";
import type { ContentfulStatusCode } from "hono/utils/http-status";
import { HTTPException } from "hono/http-exception";
import { ApiError } from "../core/api-error.ts";
import { isUnavailable } from "../platform/db/faults.ts";
import { logFault } from "../platform/log.ts";
import { formTokenOf } from "./access/forms.ts";
import { takeDone } from "./done.ts";
import type { ConsoleContext, ConsoleEnv } from "./environment.ts";
import { NotAllowed } from "./page-errors.ts";
import { CHANGE_TEXTS, ERRORS } from "./texts/common.ts";
import { ErrorMessage } from "./ui/form.tsx";
import { type ConsolePage, renderConsolePage } from "./ui/layout.tsx";

export async function pageResponse(
  c: ConsoleContext,
  page: ConsolePage,
  status: ContentfulStatusCode = 200,
): Promise<Response> {
  const view = {
    user: c.get("user"),
    environment: c.env.ENVIRONMENT,
    publicUrl: c.env.PUBLIC_URL,
    timeZone: c.get("timeZone"),
    nowMs: c.get("nowMs"),
    path: c.req.path,
    searchToken: await formTokenOf(c, "/order/find"),
    done: takeDone(c),
  };
  return c.html(renderConsolePage(page, view), status);
}

/** A page with a title and a sentence. */
export const sentencePage = ({ title, text }: { title: string; text: string }): ConsolePage => ({
  title,
  content: <p>{text}</p>,
});

/** Values of the query may be the reason. */
const refusalPage = (c: ConsoleContext, message: string): ConsolePage => ({
  title: CHANGE_TEXTS.refusedTitle,
  content: (
    <>
      <ErrorMessage text={message} />
      {c.req.url.includes("?") && (
        <p>
          <a href={c.req.path}>{ERRORS.withoutQuery}</a>
        </p>
      )}
    </>
  ),
});

export const onNotFound: NotFoundHandler<ConsoleEnv> = (c) =>
  pageResponse(c, sentencePage(ERRORS.notFound), 404);

export const onConsoleError: ErrorHandler<ConsoleEnv> = (error, c) => {
  if (error instanceof NotAllowed) {
    const { title, text } = ERRORS.notAllowed;
    return pageResponse(c, sentencePage({ title, text: text(error.roles.join(" or ")) }), 403);
  }
  if (error instanceof HTTPException && error.status === 403) {
    return pageResponse(c, sentencePage(ERRORS.expiredForm), 403);
  }
  if (error instanceof ApiError) {
    const status = error.code === "not_found" ? 404 : error.fields ? 400 : 409;
    return pageResponse(c, refusalPage(c, error.message), status);
  }
  logFault("request.failed", error, { requestId: c.get("requestId"), route: routePath(c, -1) });
  if (isUnavailable(error)) return pageResponse(c, sentencePage(ERRORS.unavailable), 503);
  const { title, text } = ERRORS.failed;
  return pageResponse(c, sentencePage({ title, text: `${text} ${c.get("requestId")}` }), 500);
};
