// Builds the page for the state of a gift, with its HTTP status.
import { inStock, isAvailableIn } from "../catalogue/product.ts";
import { isLate, refusalOf } from "./correct.ts";
import { countryName } from "./countries.ts";
import { checkDelivery } from "./delivery.ts";
import {
  countryIn,
  formValues,
  isSentAsOrdered,
  type PageInput,
  type Problems,
  valuesIn,
} from "./form.ts";
import { type GiftProduct, type GiftView, optionsOf, type PageGift } from "../pages/gift.ts";
import type { PageContext } from "../pages/page-context.ts";
import { acceptedPage, type AcceptedPageInput } from "./pages/accepted.tsx";
import { addressPage, type AddressPageInput } from "./pages/address.tsx";
import { closedPage } from "./pages/closed.tsx";
import { declinePage } from "./pages/decline.tsx";
import { giftPage } from "./pages/open-gift.tsx";
import type { HtmlPage } from "../pages/layout.tsx";
import { otherGiftsPage } from "./pages/other-gifts.tsx";
import { fill, Name } from "../pages/text.tsx";
import { checkChoice, checkInput, choiceOf, type Refusal } from "./redeem.ts";

export interface Presented {
  page: HtmlPage;
  status: 200 | 409 | 410 | 422;
}

/** The maximum number of other gifts on the page of a gift. */
const TEASER_SIZE = 4;

/**
 * The number of catalogue entries to read for each gift on the page, because some may be sold out or not ship to the
 * recipient's country. It limits the cost of a page for every catalogue.
 */
const ENTRIES_PER_GIFT = 4;

/** The entries to read for the other gifts on the page of a gift. */
export const TEASER_WINDOW = TEASER_SIZE * ENTRIES_PER_GIFT;

/** The requested page of an open gift, otherwise the page of the gift's state. */
export function presentPage(
  page: PageContext,
  view: GiftView,
  input: PageInput,
  request: ClosedRequest & { isWrapped: boolean; isChecked: boolean },
): Presented {
  const { gift } = view;
  const to = input.destination;
  if (gift.state !== "open") {
    return presentClosed(page, view, { ...request, sent: request.isPost ? input : undefined });
  }
  if (to.step === "others") return { page: otherGiftsPage(page, view), status: 200 };
  if (to.step === "question") return { page: declinePage(page, gift), status: 200 };
  if (to.step === "gift") {
    const { isWrapped } = request;
    return presentGift(page, view, { choice: choiceOf(view, to.productId), input, isWrapped });
  }
  const chosen = request.isChecked
    ? checkInput(view, input, { addresses: page.addresses, isForm: true })
    : checkChoice(view, input);
  return chosen.kind === "valid"
    ? presentAddress(page, view, { ...chosen, input })
    : presentRefusal(page, chosen, { input, isPost: request.isPost });
}

/**
 * The page after input with which the gift cannot be redeemed. If the choice in a form is gone, the form is shown again
 * with the offered gift, so that what was typed is kept.
 */
export function presentRefusal(
  page: PageContext,
  refusal: Refusal,
  { input, isPost }: { input: PageInput; isPost: boolean },
): Presented {
  const { view } = refusal;
  switch (refusal.kind) {
    case "closed":
      return presentClosed(page, view, { isPost: true, sent: input });
    case "gone": {
      if (!isPost) return presentGift(page, view, { ...refusal, input, isGone: true });
      const { gift, selected } = view;
      const country = countryIn(input, gift);
      const notice = {
        title: reasonOf(page, gift, refusal.choice, country),
        text: withProduct(page, page.texts.gone.original, selected, country),
      };
      const { offeredVariationId: variationId } = gift;
      const offered = { choice: selected, variationId, input, notice };
      return { ...presentAddress(page, view, offered), status: 409 };
    }
    case "invalid": {
      const { choice, problems } = refusal;
      const { variationId } = input;
      const presented = problems.has("variation_id")
        ? presentGift(page, view, { choice, input, problems })
        : presentAddress(page, view, { choice, variationId, input, problems });
      return { ...presented, status: 422 };
    }
  }
}

export interface ClosedRequest extends Pick<
  AcceptedPageInput,
  "rejectedNote" | "correction" | "content" | "resendHours"
> {
  isPost: boolean;
  /** The input of a form that belongs to an open gift. */
  sent?: PageInput | undefined;
  justRedeemed?: boolean;
  /** Whether the form to take back that the gift was declined had no tick. */
  isUnticked?: boolean;
}

/**
 * The page of a gift that is not open. The status depends on the method: viewing a redeemed or declined gift is a
 * success, changing it is a conflict.
 */
export function presentClosed(
  page: PageContext,
  view: GiftView,
  { isPost, justRedeemed: justNow = false, sent, isUnticked = false, ...outcome }: ClosedRequest,
): Presented {
  const { gift, selected } = view;
  const { state } = gift;
  const statusOfFinished = isPost ? 409 : 200;
  switch (state) {
    // Callers do not pass open gifts.
    case "open":
    case "bought":
    case "redeemed": {
      const late = sent !== undefined && state === "redeemed" && isLate(view, sent, page.addresses);
      return {
        page: acceptedPage({ page, gift, selected, justNow, isLate: late, ...outcome }),
        // With a stored note, the page has no form in which the rejected one could be corrected.
        status: outcome.rejectedNote && gift.thankYou === null ? 422 : statusOfFinished,
      };
    }
    case "declined":
    case "erased":
      return { page: closedPage(page, view, state, isUnticked), status: statusOfFinished };
    case "unpaid":
      return { page: closedPage(page, view, state), status: 409 };
    case "cancelled":
    case "expired":
    case "failed":
    case "replaced":
      return { page: closedPage(page, view, state), status: 410 };
  }
}

interface GiftPresentation {
  /** The product that the recipient views. Null if it is not in the catalogue. */
  choice: GiftProduct | null;
  input: PageInput;
  problems?: Problems;
  /** Whether the recipient chose the product and it is not available. */
  isGone?: boolean;
  isWrapped?: boolean;
}

/** The page of a gift. If `choice` is not available, it shows the offered product and a notice. */
function presentGift(
  page: PageContext,
  view: GiftView,
  { choice, input, problems = new Map(), isGone = false, isWrapped = false }: GiftPresentation,
): Presented {
  const { gift, selected } = view;
  const country = countryIn(input, gift);
  const options = choice ? optionsOf(gift, choice, country) : [];
  const shown = choice && options.length > 0 ? choice : selected;
  const others = available(view, country).filter(({ product }) => product.id !== shown.product.id);
  return {
    page: giftPage({
      page,
      gift,
      variationId: input.variationId,
      choices: input.choices,
      problems,
      isWrapped,
      choice: shown,
      original: selected,
      options: shown === choice ? options : optionsOf(gift, selected, country),
      notice:
        isGone || shown !== choice
          ? {
              title: reasonOf(page, gift, choice, country),
              text:
                shown === choice
                  ? page.texts.gone.chooseAgain
                  : withProduct(page, page.texts.gone.original, shown, country),
            }
          : null,
      others: sorted(page, gift, others.slice(0, TEASER_SIZE)),
      hasMore: others.length > TEASER_SIZE || mayHaveMore(view),
    }),
    status: isGone ? 409 : 200,
  };
}

/** Why the choice is not available to the recipient. */
function reasonOf(page: PageContext, gift: PageGift, choice: GiftProduct | null, country: string) {
  const { gone } = page.texts;
  if (!choice) return gone.other;
  const mayChoose = gift.giftOfChoice === "Y" || choice.product.id === gift.offeredProductId;
  const isSoldOut = mayChoose && !choice.stock.every(inStock);
  if (optionsOf(gift, choice, country).length > 0) {
    return isSoldOut ? gone.optionSoldOut : gone.other;
  }
  if (optionsOf(gift, choice, null).length > 0) {
    return withProduct(page, gone.country, choice, country);
  }
  return isSoldOut ? withProduct(page, gone.soldOut, choice, country) : gone.other;
}

/** The text with the names of the product and the country. */
const withProduct = (page: PageContext, text: string, { product }: GiftProduct, country: string) =>
  fill(text, {
    product: Name({ children: product.name }),
    country: countryName(country, page.locale.language),
  });

interface AddressChoice extends Pick<AddressPageInput, "choice" | "variationId" | "notice"> {
  input: PageInput;
  problems?: Problems;
}

/** The form for where the gift is sent. */
function presentAddress(
  page: PageContext,
  view: GiftView,
  { input, choice, variationId, notice, problems = new Map() }: AddressChoice,
): Presented {
  const { gift } = view;
  const { product } = choice;
  const values = valuesIn(input, gift);
  const rules = { addresses: page.addresses, isForm: true };
  const isStored =
    product.delivery === "physical" &&
    isSentAsOrdered(input, gift) &&
    !("problems" in checkDelivery(values, product, rules));
  const country = countryIn(input, gift);
  const isElsewhere = product.delivery !== "digital" && !isAvailableIn(product, country);
  const address = addressPage({
    page,
    gift,
    choice,
    variationId,
    values: isStored ? values : formValues(input, gift),
    isStored,
    isTicked: input.isTicked,
    notice,
    problems: isElsewhere ? new Map([...problems, ["country", "unavailable"]]) : problems,
    hasOthers: available(view, country).length > 0 || mayHaveMore(view),
  });
  return { page: address, status: 200 };
}

/** The form to correct where an accepted gift is sent, or the gift with the reason why that is too late. */
export function presentCorrection(
  page: PageContext,
  view: GiftView,
  input: PageInput,
  { isPost, problems = new Map() }: { isPost: boolean; problems?: Problems | undefined },
): Presented {
  const { gift, selected: choice } = view;
  const correction = refusalOf(gift);
  if (correction) return presentClosed(page, view, { isPost, correction });
  const { selectedVariationId: variationId } = gift;
  const values = formValues(input, gift);
  return {
    page: addressPage({ page, gift, choice, variationId, values, problems }),
    status: problems.size > 0 ? 422 : 200,
  };
}

/** The other gifts that the recipient may choose and that ship to the country. */
const available = ({ gift, others }: GiftView, country: string) =>
  others.filter((product) => optionsOf(gift, product, country).length > 0);

/** Whether there may be other gifts beyond those that were read for the page of a gift. */
const mayHaveMore = ({ others }: GiftView) => others.length === TEASER_WINDOW;

/** By name, because an order by price would tell which gifts cost more. Those of a collection are in its order. */
const sorted = ({ locale }: PageContext, gift: PageGift, gifts: GiftProduct[]) =>
  gift.collection
    ? gifts
    : gifts.toSorted((a, b) => a.product.name.localeCompare(b.product.name, locale.tag));
