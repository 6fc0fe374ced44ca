// The page that asks whether the recipient declines the gift.
import { DECLINE_REASONS } from "../../events/event.ts";
import type { PageGift } from "../../pages/gift.ts";
import type { PageContext } from "../../pages/page-context.ts";
import type { HtmlPage } from "../../pages/layout.tsx";
import { actionUrl, PageLink } from "../../pages/page-link.tsx";
import { fill, Name } from "../../pages/text.tsx";

/** `isMissing`: whether the form had no reason. */
export function declinePage(page: PageContext, gift: PageGift, isMissing = false): HtmlPage {
  const { decline } = page.texts;
  return {
    title: decline.title,
    branding: gift.branding,
    pictures: [],
    here: { step: "question", productId: null },
    content: (
      <section class="panel message">
        <h1>{decline.title}</h1>
        <p class="lead">{fill(decline.text, { company: <Name>{gift.company}</Name> })}</p>
        <p>
          <PageLink page={page} to={{ step: "gift", productId: null }} class="primary">
            {decline.keep}
          </PageLink>
        </p>
        <form method="post" action={actionUrl(page)}>
          <fieldset {...(isMissing && { "aria-describedby": "reason-problem" })}>
            <legend>{decline.reason}</legend>
            {isMissing && (
              <p id="reason-problem" class="fault" role="alert">
                {page.texts.gift.choiceMissing}
              </p>
            )}
            <div class="options">
              {DECLINE_REASONS.map((reason) => (
                <label class="option">
                  <input type="radio" name="reason" value={reason} required />
                  {decline.reasons[reason]}
                </label>
              ))}
            </div>
          </fieldset>
          <button class="secondary" name="step" value="decline">
            {decline.decline}
          </button>
        </form>
      </section>
    ),
  };
}
