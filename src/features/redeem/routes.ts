// Handlers of /redeem/{token}, the recipient's page. GET changes nothing, because mail scanners and link previews also
// open links, except `?opened`, which stores that a present was unwrapped. A POST with a `step` of ACTIONS changes the gift, or shows or sends its code. With the parameter
// `correct`, `accept` corrects where the gift is sent. With another `step`, a POST shows the form again, for another
// country, or checked (`check`). Without one, it opens the page that its URL names, and keeps what was typed.
import type { Context } from "hono";
import { ApiError } from "../../core/api-error.ts";
import { retrying } from "../../platform/db/faults.ts";
import { NEAREST } from "../../platform/db/sessions.ts";
import { BOOKMARK } from "../../platform/http/bookmark.ts";
import { type AppEnv, createRouter } from "../../platform/http/context.ts";
import { logFault } from "../../platform/log.ts";
import { methodNotAllowed } from "../../platform/http/error-response.ts";
import { limitByAddress } from "../../platform/http/rate-limit.ts";
import { mediaTypeOf } from "../../platform/http/request-headers.ts";
import { toGiftId } from "../../core/values/ids.ts";
import { unseal } from "../codes/seal.ts";
import { changeGift, unknownGift } from "../lifecycle/change.ts";
import { isEntitled } from "../lifecycle/gift-state.ts";
import { currentGiftUrl } from "../orders/gift-link.ts";
import { decideCodeEmail } from "../lifecycle/send.ts";
import { nudgeEmails } from "../schedule/nudge-emails.ts";
import { nudgeAfterResponse } from "../webhooks/nudge.ts";
import { loadAddressRules } from "../../platform/assets.ts";
import { addCookie, readCookie } from "./cookies.ts";
import { correctDelivery } from "./correct.ts";
import { DECLINE_REASONS } from "../events/event.ts";
import { isTicked } from "../pages/ticked.ts";
import { declinePage } from "./pages/decline.tsx";
import { decline, reinstate } from "./decline.ts";
import { inChosenCountry } from "./delivery.ts";
import { findList } from "./list.ts";
import { actionOf, formValues, hasChanged, type PageInput, readInput, readNote } from "./form.ts";
import { chosenLanguage, type PageContext, placeOf } from "../pages/page-context.ts";
import type { AddressRules } from "../../core/address/rules.ts";
import {
  type ClosedRequest,
  type Presented,
  presentClosed,
  presentCorrection,
  presentPage,
  presentRefusal,
  TEASER_WINDOW,
} from "./present.ts";
import { findGift, type LinkedGiftKey, openCode, writeOpening } from "./queries.ts";
import { type ChangeOutcome, redeem } from "./redeem.ts";
import { KEPT_BY_BROWSER, pageContextOf, respond } from "../pages/respond.ts";
import { thank } from "./thank.ts";
import { found, openToken } from "./token.ts";
import { translateView } from "../pages/translate.ts";
import type { GiftView } from "../pages/gift.ts";
import { NO_CLIENT } from "../lifecycle/order-key.ts";

/**
 * The token is everything after `/redeem/`, because mail programs may append slashes, punctuation and line breaks to a
 * link.
 */
const PATH = "/redeem/:token{[^]+}";

export const redeemRoutes = () =>
  createRouter()
    .use("/redeem/*", limitByAddress)

    .get(PATH, async (c) => {
      const key = await openToken(c.env, c.req.param("token"));
      if (c.req.query("opened") !== undefined) return keepOpened(c, key);
      return showPage(c, key, null);
    })

    .post(PATH, async (c) => {
      const key = await openToken(c.env, c.req.param("token"));
      const form = await readForm(c);
      switch (actionOf(form)) {
        case "accept": {
          const change = c.req.query("correct") === undefined ? accept : correct;
          return keepBookmark(c, await change(c, key, form));
        }
        case "decline":
          return keepBookmark(c, await declineGift(c, key, form));
        case "reinstate":
          return keepBookmark(c, await reinstateGift(c, key, form));
        case "thank":
          return keepBookmark(c, await thankSender(c, key, form));
        case "reveal":
          return keepBookmark(c, await revealCode(c, key));
        case "resend":
          return keepBookmark(c, await sendCodeAgain(c, key));
        case null:
          return showPage(c, key, form);
      }
    })

    .all(PATH, methodNotAllowed("GET", "HEAD", "POST"));

/** Shows the page that the URL selects, or the form again. */
async function showPage(c: Context<AppEnv>, key: LinkedGiftKey, form: URLSearchParams | null) {
  const { search, searchParams: parameters } = new URL(c.req.url);
  const isMove = form === null || !form.has("step");
  const given = readInput(isMove ? parameters : form);
  given.values = form && readInput(form).values;
  if (!isMove) given.destination = { step: "address", productId: given.productId };
  const isPost = form !== null;
  const to = given.destination;
  const q = form?.get("q") ?? c.req.query("q") ?? "";
  const place = placeOf({ ...c.req.query(), q });
  const nowMs = c.get("nowMs");
  const view = await readNear(c, (db) =>
    to.step === "others"
      ? findList(db, key, place, given.values, nowMs)
      : findGift(db, key, { productId: to.productId, window: TEASER_WINDOW }, nowMs),
  );
  const { state, successor } = view.gift;
  // The recipient of the gift is that of its successor.
  if (state === "cancelled" && successor) {
    const url = await currentGiftUrl(c.env, successor, { sequence: 1, generation: 0 });
    return c.redirect(url + search, 303);
  }
  if (parameters.has("another")) {
    given.values = { ...formValues(given, view.gift), address_line_1: "" };
  }
  const isOpen = view.gift.state === "open";
  const isTyped = given.values !== null && hasChanged(given.values, view.gift);
  if (isPost && view.gift.isUnopened === 1) recordOpening(c, key);
  if (isPost && isMove && isOpen && !isTyped) {
    return c.redirect(pathOf(c) + search, 303);
  }
  const addresses = await loadAddressRules(c.env.ASSETS);
  const input = inShownCountry(given, addresses);
  const page = { ...(await pageOf(c, view, input.values)), place };
  if (page.isCorrection && to.step === "address") {
    return show(c, page, view, presentCorrection(page, view, input, { isPost }));
  }
  const id = idOf(key);
  const isStart = isOpen && to.step === "gift" && to.productId === null;
  const isWrapped = isStart && !isPost && !openedIn(c).includes(id);
  const justRedeemed =
    !isPost && readCookie(c.req.raw.headers, "accepted") === view.gift.redemptionId;
  const correction = parameters.has("corrected") ? "saved" : undefined;
  const resendHours = parameters.has("resent") && view.gift.code ? 0 : undefined;
  const isChecked = form?.get("step") === "check";
  const request = { isPost, isChecked, justRedeemed, isWrapped, correction, resendHours } as const;
  const response = await show(c, page, view, presentPage(page, view, input, request));
  if (justRedeemed) addCookie(response, "accepted", "", 0);
  // With Back, the browser requests the page again instead of showing what it has kept.
  if (isWrapped || justRedeemed) response.headers.append("Vary", "Cookie");
  return response;
}

const inShownCountry = (input: PageInput, rules: AddressRules): PageInput => ({
  ...input,
  values: input.values && inChosenCountry(input.values, rules),
});

/** The maximum number of earlier gifts in the cookie. */
const MAX_OPENED = 20;

const openedIn = (c: Context<AppEnv>): string[] =>
  readCookie(c.req.raw.headers, "opened").match(/\d+/g) ?? [];

/** Answers the request that the page sends when the gift is unwrapped. */
function keepOpened(c: Context<AppEnv>, key: LinkedGiftKey) {
  if (c.req.method === "GET") recordOpening(c, key);
  const response = c.body(null, 204);
  const ids = new Set([idOf(key), ...openedIn(c).slice(0, MAX_OPENED)]);
  addCookie(response, "opened", [...ids].join("."));
  return response;
}

/** Whether a person sends the request, whose browser does not ask not to be tracked. Browsers load some pages in advance. */
const mayTrack = (c: Context<AppEnv>): boolean =>
  c.req.header("DNT") !== "1" &&
  c.req.header("Sec-GPC") !== "1" &&
  !(c.req.header("Sec-Purpose") ?? "").startsWith("prefetch");

/**
 * Stores after the response that a person has opened the gift: mail scanners load no picture of an opened present, and send no
 * form. A form that accepts or declines the gift stores it with its own change.
 */
function recordOpening(c: Context<AppEnv>, key: LinkedGiftKey): void {
  if (!mayTrack(c)) return;
  const { DB, WEBHOOK_QUEUE } = c.env;
  const work = retrying(() => writeOpening(DB, key, c.get("nowMs"))).then(
    (ids) => {
      nudgeAfterResponse(WEBHOOK_QUEUE, c.executionCtx, ids);
    },
    (error: unknown) => {
      logFault("gift.opening_failed", error, { requestId: c.get("requestId") });
    },
  );
  c.executionCtx.waitUntil(work);
}

/** The gift in cookies. */
const idOf = ({ orderId, sequence }: LinkedGiftKey) => String(toGiftId(orderId, sequence));

/** The gift on the nearest replica. The primary answers if the replica may not have the gift or the link yet. */
async function readNear(
  c: Context<AppEnv>,
  read: (db: D1Database) => Promise<GiftView | null>,
): Promise<GiftView> {
  const near = await read(c.get("sessions").near(bookmarkOf(c))).catch(() => null);
  if (near && near.gift.state !== "replaced") return near;
  return found(await read(c.env.DB));
}

async function accept(c: Context<AppEnv>, key: LinkedGiftKey, form: URLSearchParams) {
  const addresses = await loadAddressRules(c.env.ASSETS);
  const input = inShownCountry(readInput(form), addresses);
  const rules = { addresses, isForm: true };
  const outcome = found(await redeem(redeemContextOf(c), key, input, TEASER_WINDOW, rules));
  if (outcome.kind === "redeemed") {
    const { nextEmailMs, redemptionId } = outcome.gift;
    if (nextEmailMs !== null) nudgeEmails(c.env, c.executionCtx);
    const response = seeOther(c, outcome.webhookIds);
    addCookie(response, "accepted", redemptionId ?? "", COOKIE_SECONDS);
    return response;
  }
  if (outcome.view.gift.isUnopened === 1) recordOpening(c, key);
  const page = await pageOf(c, outcome.view, input.values);
  return show(c, page, outcome.view, presentRefusal(page, outcome, { input, isPost: true }));
}

async function correct(c: Context<AppEnv>, key: LinkedGiftKey, form: URLSearchParams) {
  const rules = await loadAddressRules(c.env.ASSETS);
  const input = inShownCountry(readInput(form), rules);
  const correcting = correctDelivery(redeemContextOf(c), key, input, rules);
  const corrected = await correcting.catch((error: unknown) => {
    if (!(error instanceof ApiError) || error.code === "service_unavailable") throw error;
    if (error.code === "too_many_requests") return showUnsent(c, key, error);
    // The gift's state has changed at the same time. Its page shows why.
    return seeOther(c, [], "correct=&step=address");
  });
  const outcome = found(corrected);
  if (outcome instanceof Response) return outcome;
  if (outcome.kind === "saved") {
    nudgeEmails(c.env, c.executionCtx);
    return seeOther(c, outcome.webhookIds, "corrected");
  }
  const { view } = outcome;
  if (!isEntitled(view.gift.state)) return showClosed(c, view);
  const page = await pageOf(c, view);
  const problems = outcome.kind === "invalid" ? outcome.problems : undefined;
  return show(c, page, view, presentCorrection(page, view, input, { isPost: true, problems }));
}

async function declineGift(c: Context<AppEnv>, key: LinkedGiftKey, form: URLSearchParams) {
  const reason = DECLINE_REASONS.find((each) => each === form.get("reason"));
  if (reason) return showOutcome(c, found(await decline(redeemContextOf(c), key, reason)));
  const view = found(await findGift(c.env.DB, key, {}, c.get("nowMs")));
  if (view.gift.state !== "open") return showClosed(c, view);
  if (view.gift.isUnopened === 1) recordOpening(c, key);
  const page = await pageOf(c, view);
  return show(c, page, view, { page: declinePage(page, view.gift, true), status: 422 });
}

async function reinstateGift(c: Context<AppEnv>, key: LinkedGiftKey, form: URLSearchParams) {
  if (isTicked(form)) return showOutcome(c, found(await reinstate(redeemContextOf(c), key)));
  const view = found(await findGift(c.env.DB, key, {}, c.get("nowMs")));
  return showClosed(c, view, { isUnticked: true });
}

async function thankSender(c: Context<AppEnv>, key: LinkedGiftKey, form: URLSearchParams) {
  const { note, problem } = readNote(form);
  if (problem !== null) {
    const view = found(await findGift(c.env.DB, key, {}, c.get("nowMs")));
    return showClosed(c, view, { rejectedNote: { note, problem } });
  }
  return showOutcome(c, found(await thank(redeemContextOf(c), key, note)));
}

/** Only this response contains the code, and nothing stores it. */
async function revealCode(c: Context<AppEnv>, key: LinkedGiftKey) {
  const view = found(await openCode(c.env.DB, key, c.get("nowMs")));
  const { state, code } = view.gift;
  if (code === null || !isEntitled(state)) return showClosed(c, view);
  const content = await unseal(c.env, code);
  const page = await pageOf(c, view);
  return respond(c, page, presentClosed(page, view, { isPost: false, content }));
}

/** Sends the code by e-mail again. */
async function sendCodeAgain(c: Context<AppEnv>, key: LinkedGiftKey) {
  const nowMs = c.get("nowMs");
  try {
    await changeGift(c.env.DB, { ...key, ...NO_CLIENT, nowMs }, (gift) => {
      if (gift.linkNonce !== key.nonce || gift.linkGeneration !== key.generation)
        throw unknownGift();
      return decideCodeEmail(gift, nowMs);
    });
  } catch (error) {
    return showUnsent(c, key, error);
  }
  nudgeEmails(c.env, c.executionCtx);
  return seeOther(c, [], "resent");
}

/** The page after a refusal to send the code: after how many hours it can be sent, if it was sent too often. */
async function showUnsent(c: Context<AppEnv>, key: LinkedGiftKey, error: unknown) {
  if (!(error instanceof ApiError) || error.code === "service_unavailable") throw error;
  const view = found(await findGift(c.env.DB, key, {}, c.get("nowMs")));
  const { retryAfterSeconds: seconds } = error;
  const resendHours = seconds === undefined ? undefined : Math.ceil(seconds / 3_600);
  return showClosed(c, view, { resendHours });
}

const showOutcome = (c: Context<AppEnv>, outcome: ChangeOutcome) =>
  outcome.kind === "changed" ? seeOther(c, outcome.webhookIds) : showClosed(c, outcome.view);

const redeemContextOf = (c: Context<AppEnv>) => ({
  d1: c.env.DB,
  near: c.get("sessions").near(bookmarkOf(c)),
  nowMs: c.get("nowMs"),
  requestId: c.get("requestId"),
  tracksOpening: mayTrack(c),
});

/** A replica usually lags behind by less, and browsers follow redirects faster. */
const COOKIE_SECONDS = 60;

/** After a change, the recipient's browser sends its bookmark, so that no later page is older. */
function keepBookmark(c: Context<AppEnv>, response: Response): Response {
  const bookmark = c.get("sessions").bookmark();
  if (bookmark !== null) addCookie(response, "bookmark", bookmark, COOKIE_SECONDS);
  return response;
}

/** The bookmark in the request's cookie, or any state. */
function bookmarkOf(c: Context<AppEnv>): string {
  const sent = readCookie(c.req.raw.headers, "bookmark");
  return BOOKMARK.test(sent) ? sent : NEAREST;
}

/** Redirects to the page of the gift's new state, and starts the delivery of its event. */
function seeOther(c: Context<AppEnv>, webhookIds: number[], parameter?: string) {
  nudgeAfterResponse(c.env.WEBHOOK_QUEUE, c.executionCtx, webhookIds);
  const language = chosenLanguage(c.req.query("lang"));
  const query = [language && `lang=${language}`, parameter].filter(Boolean).join("&");
  return c.redirect(pathOf(c) + (query && `?${query}`), 303);
}

/** Shows the page after a change that the gift's state does not allow, or after a rejected note. */
async function showClosed(
  c: Context<AppEnv>,
  view: GiftView,
  outcome: Partial<ClosedRequest> = {},
) {
  // The pages of an open gift have no form for a note.
  if (view.gift.state === "open") return seeOther(c, []);
  const page = await pageOf(c, view);
  return show(c, page, view, presentClosed(page, view, { isPost: true, ...outcome }));
}

/**
 * The context of the view's pages. Puts the texts of its products in the recipient's language. `typed` is kept on the
 * pages of an open gift.
 */
async function pageOf(c: Context<AppEnv>, view: GiftView, typed: PageContext["kept"] = null) {
  const page = await pageContextOf(c, view.gift);
  translateView(view, page.locale.tag);
  return { ...page, kept: view.gift.state === "open" ? typed : null };
}

function show(c: Context<AppEnv>, page: PageContext, { gift }: GiftView, presented: Presented) {
  const { state, thankYou } = gift;
  if (state === "open" || (state === "redeemed" && thankYou === null) || page.isCorrection) {
    c.header("Cache-Control", KEPT_BY_BROWSER);
  }
  return respond(c, page, presented);
}

/** The path in its encoded form. A decoded path may contain a line break, which is not allowed in a header. */
const pathOf = (c: Context<AppEnv>) => new URL(c.req.url).pathname;

async function readForm(c: Context<AppEnv>): Promise<URLSearchParams> {
  if (mediaTypeOf(c.req.raw) !== "application/x-www-form-urlencoded") {
    throw new ApiError(
      "unsupported_media_type",
      "Content-Type must be application/x-www-form-urlencoded.",
    );
  }
  // The body is read as bytes, because the runtime warns if a body without a text type is read as text.
  return new URLSearchParams(new TextDecoder().decode(await c.req.arrayBuffer()));
}
