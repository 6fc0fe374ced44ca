// Handlers of /redeem/{token}, the recipient's page. GET changes nothing, because mail scanners and link previews also
// open links. A POST of the form redeems the gift.
import { type Context, Hono } from "hono";
import { ApiError } from "../api-error.ts";
import type { AppEnv } from "../http/context.ts";
import { methodNotAllowed } from "../http/error-response.ts";
import { limitByAddress } from "../http/rate-limit.ts";
import { mediaTypeOf } from "../http/request-headers.ts";
import { readToken } from "../orders/gift-link.ts";
import { nudgeAfterResponse } from "../webhooks/nudge.ts";
import {
  type Destination,
  isTyped,
  readForm,
  readId,
  type RedemptionForm,
  type Typed,
} from "./form.ts";
import { queryTo } from "./pages/page-link.tsx";
import { presentDestination, presentOutcome, TEASER, viewOptionsOf } from "./present.ts";
import { readGift, type SubOrderKey } from "./queries.ts";
import { redeem } from "./redeem.ts";
import { respond } from "./respond.ts";

/**
 * The token is everything after `/redeem/`, because mail programs may append slashes, punctuation and line breaks to a
 * link.
 */
const PATH = "/redeem/:token{[^]+}";

export const redeemRoutes = () =>
  new Hono<AppEnv>()
    .use("/redeem/*", limitByAddress)

    .get(PATH, async (c) => {
      const { gift, gifts, thanks } = c.req.query();
      const to = gifts === undefined ? { show: readId(gift) } : { gifts: readId(gifts) };
      return show(c, await openToken(c), to, null, thanks !== undefined);
    })

    .post(PATH, async (c) => {
      const key = await openToken(c);
      const form = await readFormBody(c);
      if (form.destination) return show(c, key, form.destination, form);
      const context = { d1: c.env.DB, nowMs: c.get("nowMs"), requestId: c.get("requestId") };
      const outcome = found(await redeem(context, key, form, TEASER));
      if (outcome.kind === "redeemed") {
        nudgeAfterResponse(c.env.WEBHOOK_QUEUE, c.executionCtx, outcome.webhookIds);
        return c.redirect(`${pathOf(c)}?thanks`, 303);
      }
      return respond(c, presentOutcome(outcome, form, c.env.PUBLIC_URL));
    })

    .all(PATH, methodNotAllowed("GET", "HEAD", "POST"));

/** The path as it was sent. The decoded path may contain a line break, which a header must not. */
const pathOf = (c: Context<AppEnv>) => new URL(c.req.url).pathname;

/** Verifies the token without a query. Errors: `not_found`. */
async function openToken(c: Context<AppEnv, typeof PATH>): Promise<SubOrderKey> {
  return found(await readToken(c.env, c.req.param("token")));
}

function found<T>(value: T | null): T {
  if (value === null) throw new ApiError("not_found", "This link opens no gift.");
  return value;
}

async function readFormBody(c: Context<AppEnv>): Promise<RedemptionForm> {
  if (mediaTypeOf(c.req.raw) !== "application/x-www-form-urlencoded") {
    throw new ApiError(
      "unsupported_media_type",
      "Content-Type must be application/x-www-form-urlencoded.",
    );
  }
  // It is read as bytes, because the runtime warns if a body without a text type is read as text.
  return readForm(new TextDecoder().decode(await c.req.arrayBuffer()));
}

/**
 * Shows a gift or a page of other gifts. `form` is the submitted form, or null for a GET. If the recipient has typed
 * nothing, the response to the form is a redirect to the page's own URL, so that the browser's Back and Reload need no
 * confirmation.
 */
async function show(
  c: Context<AppEnv>,
  key: SubOrderKey,
  to: Destination,
  form: Typed | null,
  justRedeemed = false,
): Promise<Response> {
  const view = found(await readGift(c.env.DB, key, viewOptionsOf(to), c.get("nowMs")));
  const isOpen = view.gift.state === "open";
  if (isOpen && form && !isTyped(form, view.gift)) {
    return c.redirect(pathOf(c) + queryTo(to), 303);
  }
  const isPost = c.req.method === "POST";
  return respond(
    c,
    presentDestination(view, to, form, { justRedeemed, isPost, publicUrl: c.env.PUBLIC_URL }),
  );
}
