// The page with which a recipient stops the e-mails about a gift.
import type { PageGift } from "../../pages/gift.ts";
import type { PageContext } from "../../pages/page-context.ts";
import { FORM_ID } from "../../pages/page-link.tsx";
import { Tick } from "../../pages/tick.tsx";
import { messagePage } from "../../pages/message-page.tsx";

/** `isStopped`: null before the form is sent, and false if it had no tick. */
export function stopPage(page: PageContext, { branding }: PageGift, isStopped: boolean | null) {
  const { stop, problems } = page.texts;
  const content = isStopped ? (
    <p class="lead">{stop.stoppedText}</p>
  ) : (
    <form id={FORM_ID} method="post">
      <p class="lead">{stop.text}</p>
      <Tick label={stop.tick} problem={isStopped === false && problems.tick} />
      <button class="primary">{stop.button}</button>
    </form>
  );
  return messagePage(page, { title: isStopped ? stop.stopped : stop.title, content }, branding);
}
