// Builds the page for the state of a gift, with its HTTP status.
import { inStock } from "../catalogue/product.ts";
import { type Destination, prefilled, type Problems, type Typed } from "./form.ts";
import { type GiftProduct, optionsOf } from "./gift.ts";
import { copy } from "./pages/copy.ts";
import { giftPage } from "./pages/gift.tsx";
import type { HtmlPage } from "./pages/layout.tsx";
import { closedPage, redeemedPage } from "./pages/notices.tsx";
import { otherGiftsPage } from "./pages/other-gifts.tsx";
import type { GiftView, ViewOptions } from "./queries.ts";
import { type RedeemOutcome, choiceOf } from "./redeem.ts";

export interface Presented {
  page: HtmlPage;
  status: 200 | 409 | 410 | 422;
}

/** The maximum number of other gifts on the page of a gift, and on a page of other gifts. */
const TEASER_SIZE = 4;
const PAGE_SIZE = 24;

/**
 * The number of catalogue entries to read for each gift on the page, because some are sold out or not available in the
 * recipient's country. It bounds the cost of a page for every catalogue.
 */
const ENTRIES_PER_GIFT = 4;

/** The entries to read for the other gifts on the page of a gift. */
export const TEASER = { window: TEASER_SIZE * ENTRIES_PER_GIFT, after: null };

/** The products to read for a page. */
export function viewOptionsOf(to: Destination): ViewOptions {
  return "show" in to
    ? { productId: to.show, others: TEASER }
    : { others: { window: PAGE_SIZE * ENTRIES_PER_GIFT, after: to.gifts } };
}

interface PageRequest {
  publicUrl: string;
  /** Whether the recipient has just redeemed the gift. */
  justRedeemed: boolean;
  isPost: boolean;
}

/** The requested page. If the gift is not open, the page of its state. */
export function presentDestination(
  view: GiftView,
  to: Destination,
  typed: Typed | null,
  request: PageRequest,
): Presented {
  const { publicUrl } = request;
  if (view.gift.state !== "open") return presentClosed(view, request);
  return "show" in to
    ? presentGift(view, { choice: choiceOf(view, to.show), typed, publicUrl })
    : presentOtherGifts(view, to.gifts, typed, publicUrl);
}

/** The page after a submission that did not redeem the gift. */
export function presentOutcome(
  outcome: Exclude<RedeemOutcome, { kind: "redeemed" }>,
  typed: Typed,
  publicUrl: string,
): Presented {
  const { view } = outcome;
  switch (outcome.kind) {
    case "closed":
      return presentClosed(view, { publicUrl, justRedeemed: false, isPost: true });
    case "invalid":
      return { ...presentGift(view, { ...outcome, typed, publicUrl }), status: 422 };
    case "gone":
      return { ...presentGift(view, { ...outcome, typed, publicUrl, isGone: true }), status: 409 };
  }
}

/** The status depends on the method: viewing a redeemed gift is a success, redeeming it again is a conflict. */
function presentClosed(
  { gift, selected }: GiftView,
  { justRedeemed: justNow, isPost, publicUrl }: PageRequest,
): Presented {
  const { state } = gift;
  if (state === "redeemed" || state === "open") {
    return {
      page: redeemedPage({ gift, selected, justNow, publicUrl }),
      status: state === "redeemed" && !isPost ? 200 : 409,
    };
  }
  return { page: closedPage(gift, state, publicUrl), status: state === "unpaid" ? 409 : 410 };
}

interface GiftPresentation {
  /** The product that the recipient views. Null if it is not in the catalogue. */
  choice: GiftProduct | null;
  /** Null before the recipient has typed anything. */
  typed: Typed | null;
  problems?: Problems;
  /** Whether the recipient chose the product and it is not available. */
  isGone?: boolean;
  publicUrl: string;
}

/** The page of an open gift. If `choice` is not available, the page shows the offered product and a notice. */
function presentGift(
  view: GiftView,
  { choice, typed, problems = new Map(), isGone = false, publicUrl }: GiftPresentation,
): Presented {
  const { gift, selected } = view;
  const options = choice ? optionsOf(gift, choice) : [];
  const shown = choice && options.length > 0 ? choice : selected;
  const others = available(view).filter(({ product }) => product.id !== shown.product.id);
  const page = giftPage({
    values: typed?.values ?? prefilled(gift.deliveryAddress),
    variationIds: typed?.variationIds ?? [],
    problems,
    gift,
    choice: shown,
    original: selected,
    options: shown === choice ? options : optionsOf(gift, selected),
    notice: isGone || shown !== choice ? noticeOf(view, choice, shown, typed) : null,
    others: others.slice(0, TEASER_SIZE),
    hasMore: others.length > TEASER_SIZE || view.others.length === TEASER.window,
    publicUrl,
  });
  return { page, status: 200 };
}

/** Why `choice` is not available, and what the page shows instead. */
function noticeOf(
  { gift }: GiftView,
  choice: GiftProduct | null,
  shown: GiftProduct,
  typed: Typed | null,
) {
  const hasRunOut = choice && gift.giftOfChoice === "Y" && !choice.stock.every(inStock);
  return {
    title: hasRunOut ? copy.gone.ranOut(choice.product.name) : copy.gone.other,
    text:
      shown === choice
        ? copy.gone.otherOption
        : copy.gone.original(shown.product.name, typed !== null),
  };
}

/** A page of other gifts. `after` is the last product of the previous page. */
function presentOtherGifts(
  view: GiftView,
  after: number | null,
  typed: Typed | null,
  publicUrl: string,
): Presented {
  const all = available(view);
  const products = all.slice(0, PAGE_SIZE);
  const last =
    all.length > PAGE_SIZE
      ? products.at(-1)
      : view.others.length === PAGE_SIZE * ENTRIES_PER_GIFT
        ? view.others.at(-1)
        : undefined;
  const page = otherGiftsPage({
    gift: view.gift,
    products,
    next: last?.product.id ?? null,
    isFirst: after === null,
    typed,
    publicUrl,
  });
  return { page, status: 200 };
}

const available = ({ gift, others }: GiftView) =>
  others.filter((product) => optionsOf(gift, product).length > 0);
