// Builds the pages on which a recipient corrects where an accepted gift is sent.
import { checkCorrection, correctionValues, refusalOf } from "./correct.ts";
import type { PageInput } from "./form.ts";
import type { PageContext } from "./page-context.ts";
import { addressPage } from "./pages/address.tsx";
import { confirmPage } from "./pages/confirm.tsx";
import { type Presented, presentClosed } from "./present.ts";
import type { GiftView } from "./queries.ts";

/** The form or its confirmation, or the accepted gift with the reason why it can no longer be corrected. */
export function presentCorrection(
  page: PageContext,
  view: GiftView,
  input: PageInput,
  isPost: boolean,
): Presented {
  const { gift, selected } = view;
  const refusal = refusalOf(gift);
  if (refusal) return presentClosed(page, view, { isPost, correction: refusal });
  const values = correctionValues(input, gift);
  const form = { page, gift, values, variationIds: [] };
  const isSubmitted = input.values !== null && input.destination.step !== "address";
  const checked = isSubmitted ? checkCorrection(view, input, page.addresses) : null;
  if (checked?.kind === "valid" && !input.hasNewCountry)
    return { page: confirmPage({ ...form, checked }), status: 200 };
  const problems = checked?.kind === "invalid" ? checked.problems : new Map<never, never>();
  const variationId = gift.selectedVariationId;
  return {
    page: addressPage({ ...form, choice: selected, variationId, problems }),
    status: problems.size > 0 ? 422 : 200,
  };
}
