// The page with which a recipient stops the e-mails about a gift.
import type { PageGift } from "../../pages/gift.ts";
import type { PageContext } from "../../pages/page-context.ts";
import { messagePage } from "../../pages/message-page.tsx";

export function stopPage(page: PageContext, { branding }: PageGift, isStopped: boolean) {
  const { stop } = page.texts;
  const content = isStopped ? (
    <p class="lead">{stop.stoppedText}</p>
  ) : (
    <form method="post">
      <p class="lead">{stop.text}</p>
      <button class="primary">{stop.button}</button>
    </form>
  );
  return messagePage(page, { title: isStopped ? stop.stopped : stop.title, content }, branding);
}
