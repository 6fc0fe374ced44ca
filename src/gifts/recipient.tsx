// /redeem/{token}: what the recipient of a gift link sees and does. Opening it changes nothing, since mail
// scanners and link previews open links too; posting its form redeems the gift.
import { type Context, Hono, type MiddlewareHandler } from "hono";
import { inStock } from "../catalogue/product.ts";
import { countAddress } from "../clients/authenticate.ts";
import type { AppEnv } from "../env.ts";
import { ApiError } from "../errors.ts";
import { mediaTypeOf } from "../http/body.ts";
import { allowOnly } from "../http/errors.ts";
import { readToken } from "../orders/link.ts";
import { answerPage } from "./respond.tsx";
import { copy } from "./copy.ts";
import {
  type Destination,
  isTyped,
  prefilled,
  type Problems,
  readForm,
  readId,
  type RedemptionForm,
  type Typed,
} from "./form.ts";
import { type GiftProduct, type GiftState, optionsOf, stateOf } from "./gift.ts";
import { closedPage, redeemedPage } from "./notices.tsx";
import { queryTo } from "./look.tsx";
import { giftPage } from "./page.tsx";
import { choiceOf, redeem } from "./redeem.ts";
import { shelfPage } from "./shelf.tsx";
import { type GiftView, readGift, type SubOrderKey } from "./store.ts";

/** Other gifts shown under the gift, and on a page of their own. */
const TEASER_SIZE = 4;
const SHELF_SIZE = 24;
/**
 * Entries of the catalogue looked through for each gift shown: some are sold out or do not go to the
 * recipient's country. A bound, so that a page costs the same whatever the catalogue holds
 * (decision 38).
 */
const ENTRIES_PER_GIFT = 4;

/** All that follows `/redeem/`: programs that find links in text append to them, slashes and line breaks too. */
const PATH = "/redeem/:token{[^]+}";

const TEASER = { window: TEASER_SIZE * ENTRIES_PER_GIFT, after: null };

const limitByAddress: MiddlewareHandler<AppEnv> = async (c, next) => {
  await countAddress(c);
  await next();
};

export const recipientRoutes = new Hono<AppEnv>()
  .use("/redeem/*", limitByAddress)

  .get(PATH, async (c) => {
    const { gift, gifts, thanks } = c.req.query();
    const to = gifts === undefined ? { show: readId(gift) } : { gifts: readId(gifts) };
    return answerDestination(c, await openToken(c), to, null, thanks !== undefined);
  })

  .post(PATH, async (c) => {
    const key = await openToken(c);
    const form = await readFormBody(c);
    if (form.destination) return answerDestination(c, key, form.destination, form);
    const context = { d1: c.env.DB, nowMs: c.get("nowMs"), requestId: c.get("requestId") };
    const outcome = found(await redeem(context, key, form, TEASER));
    switch (outcome.kind) {
      case "redeemed":
        return c.redirect(`${pathOf(c)}?thanks`, 303);
      case "closed":
        return answerClosed(c, outcome.view, false);
      case "invalid":
        return answerGift(c, outcome.view, { ...outcome, typed: form }, 422);
      case "gone":
        return answerGift(c, outcome.view, { ...outcome, typed: form, gone: true }, 409);
    }
  })
  .all(PATH, allowOnly("GET", "HEAD", "POST"));

/** The path as it came: decoded it may hold a line break, which no header may. */
const pathOf = (c: Context<AppEnv>) => new URL(c.req.url).pathname;

const NO_GIFT = "This link opens no gift.";

/** Errors: `not_found` for a token that is not ours, without a query. */
async function openToken(c: Context<AppEnv, typeof PATH>): Promise<SubOrderKey> {
  const key = await readToken(c.env, c.req.param("token"));
  if (!key) throw new ApiError("not_found", NO_GIFT);
  return key;
}

function found<T>(value: T | null): T {
  if (value === null) throw new ApiError("not_found", NO_GIFT);
  return value;
}

async function readFormBody(c: Context<AppEnv>): Promise<RedemptionForm> {
  if (mediaTypeOf(c) !== "application/x-www-form-urlencoded") {
    throw new ApiError("unsupported_media_type", "The form must come as a form.");
  }
  // Read as bytes: the runtime warns of text that is not declared as text.
  return readForm(new TextDecoder().decode(await c.req.arrayBuffer()));
}

/**
 * Each state's own status, by what was tried: looking at a redeemed gift is right, redeeming it is not
 * (decision 36).
 */
function closedStatus(state: GiftState, method: string): 200 | 409 | 410 {
  if (state === "cancelled" || state === "failed") return 410;
  return state === "redeemed" && method !== "POST" ? 200 : 409;
}

function answerClosed(c: Context<AppEnv>, { gift, selected }: GiftView, justNow: boolean) {
  const state = stateOf(gift);
  const publicUrl = c.env.PUBLIC_URL;
  const page =
    state === "redeemed" || state === "open"
      ? redeemedPage({ gift, selected, justNow, publicUrl })
      : closedPage(gift, state, publicUrl);
  return answerPage(c, page, closedStatus(state, c.req.method));
}

/**
 * Shows a gift or a page of gifts; it changes nothing. `form` is what was posted on the way, null for a link. A form
 * in which nothing was typed leads to the page's own URL, where the browser's Back and Reload need no confirmation.
 */
async function answerDestination(
  c: Context<AppEnv>,
  key: SubOrderKey,
  to: Destination,
  form: Typed | null,
  justNow = false,
) {
  const look =
    "show" in to
      ? { productId: to.show, shelf: TEASER }
      : { shelf: { window: SHELF_SIZE * ENTRIES_PER_GIFT, after: to.gifts } };
  const view = found(await readGift(c.env.DB, key, look));
  if (stateOf(view.gift) !== "open") return answerClosed(c, view, justNow);
  if (form && !isTyped(form, view.gift)) return c.redirect(pathOf(c) + queryTo(to), 303);
  return "show" in to
    ? answerGift(c, view, { choice: choiceOf(view, to.show), typed: form })
    : answerShelf(c, view, to.gifts, form);
}

interface Shown {
  /** What the recipient looks at; null when the catalogue does not have it. */
  choice: GiftProduct | null;
  /** Null before anything was typed. */
  typed: Typed | null;
  problems?: Problems;
  /** Whether it was chosen and could not be had. */
  gone?: boolean;
}

/** The page of an open gift. What cannot be had gives way to the offered gift, and the page says so. */
function answerGift(
  c: Context<AppEnv>,
  view: GiftView,
  { choice, typed, problems = new Map(), gone = false }: Shown,
  status: 200 | 409 | 422 = 200,
) {
  const { gift, selected } = view;
  const options = choice ? optionsOf(gift, choice) : [];
  const kept = choice && options.length > 0 ? choice : selected;
  const others = choosable(view).filter(({ product }) => product.id !== kept.product.id);
  const page = giftPage({
    values: typed?.values ?? prefilled(gift.deliveryAddress),
    variationIds: typed?.variationIds ?? [],
    problems,
    gift,
    choice: kept,
    original: selected,
    options: kept === choice ? options : optionsOf(gift, selected),
    notice:
      gone || kept !== choice
        ? {
            title:
              choice && gift.giftOfChoice === "Y" && !choice.stock.every(inStock)
                ? copy.gone.ranOut(choice.product.name)
                : copy.gone.other,
            text:
              kept === choice
                ? copy.gone.otherOption
                : copy.gone.original(kept.product.name, typed !== null),
          }
        : null,
    shelf: others.slice(0, TEASER_SIZE),
    hasMore: others.length > TEASER_SIZE || view.shelf.length === TEASER.window,
    publicUrl: c.env.PUBLIC_URL,
  });
  return answerPage(c, page, status);
}

/** A page of other gifts; `after` is the last product of the page before. */
function answerShelf(
  c: Context<AppEnv>,
  view: GiftView,
  after: number | null,
  typed: Typed | null,
) {
  const all = choosable(view);
  const products = all.slice(0, SHELF_SIZE);
  const last =
    all.length > SHELF_SIZE
      ? products.at(-1)
      : view.shelf.length === SHELF_SIZE * ENTRIES_PER_GIFT
        ? view.shelf.at(-1)
        : undefined;
  return answerPage(
    c,
    shelfPage({
      gift: view.gift,
      products,
      next: last?.product.id ?? null,
      isFirst: after === null,
      typed,
      publicUrl: c.env.PUBLIC_URL,
    }),
  );
}

const choosable = ({ gift, shelf }: GiftView) =>
  shelf.filter((product) => optionsOf(gift, product).length > 0);
