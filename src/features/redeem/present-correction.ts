// Builds the page on which a recipient corrects where an accepted gift is sent.
import { correctionValues, refusalOf } from "./correct.ts";
import type { PageInput, Problems } from "./form.ts";
import type { PageContext } from "../pages/page-context.ts";
import { addressPage } from "./pages/address.tsx";
import { type Presented, presentClosed } from "./present.ts";
import type { GiftView } from "../pages/gift.ts";

/** The form, or the accepted gift with the reason why it can no longer be corrected. */
export function presentCorrection(
  page: PageContext,
  view: GiftView,
  input: PageInput,
  { isPost, problems = new Map() }: { isPost: boolean; problems?: Problems | undefined },
): Presented {
  const { gift, selected: choice } = view;
  const refusal = refusalOf(gift);
  if (refusal) return presentClosed(page, view, { isPost, correction: refusal });
  const values = correctionValues(input, gift);
  const { selectedVariationId: variationId } = gift;
  return {
    page: addressPage({ page, gift, choice, variationId, values, problems }),
    status: problems.size > 0 ? 422 : 200,
  };
}
