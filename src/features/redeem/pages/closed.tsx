// Pages for gifts that cannot be redeemed.
import type { GiftState } from "../../lifecycle/gift-state.ts";
import type { GiftView } from "../../pages/gift.ts";
import type { PageContext } from "../../pages/page-context.ts";
import { mailAbout } from "./company-link.tsx";
import { LastDay } from "./last-day.tsx";
import type { HtmlPage } from "../../pages/layout.tsx";
import { fill, Name } from "../../pages/text.tsx";
import { actionUrl, FORM_ID } from "../../pages/page-link.tsx";
import { Tick } from "../../pages/tick.tsx";
import { messagePage } from "../../pages/message-page.tsx";

/** The page of a gift that cannot be redeemed, with the reason. */
export function closedPage(
  page: PageContext,
  { gift, canReinstate }: GiftView,
  state: Exclude<GiftState, "open" | "bought" | "redeemed">,
  isUnticked = false,
): HtmlPage {
  const { closed, others } = page.texts;
  const { title, text } = closed[state];
  const isUnpaid = state === "unpaid";
  const { declined } = closed;
  if (state === "declined" && canReinstate) {
    const form = (
      <form id={FORM_ID} method="post" action={actionUrl(page)}>
        <p class="lead">{declined.undoText}</p>
        <Tick label={declined.undoTick} problem={isUnticked && page.texts.problems.tick} />
        <button class="primary" name="step" value="reinstate">
          {declined.undo}
        </button>
      </form>
    );
    return messagePage(page, { title, content: form }, gift.branding);
  }
  const company = <Name>{gift.company}</Name>;
  const content = (
    <>
      {state === "expired" && (
        <LastDay page={page} gift={gift} text={closed.expired.day} class="lead" />
      )}
      <p class="lead">{fill(text, { company })}</p>
      {isUnpaid ? (
        <LastDay page={page} gift={gift} text={others.acceptBy} class="lead" />
      ) : (
        <p>
          <a class="primary" href={mailAbout(page, gift)}>
            {/* Without an address of its own, the company does not get the mail. */}
            {fill(page.texts.page.write, {
              company: gift.supportEmail === null ? <Name>{page.supportEmail}</Name> : company,
            })}
          </a>
        </p>
      )}
    </>
  );
  return { ...messagePage(page, { title, content }, gift.branding), isClosed: !isUnpaid };
}
