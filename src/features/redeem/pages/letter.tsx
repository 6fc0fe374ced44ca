// The sender's message.
import type { Child } from "hono/jsx";
import type { PageGift } from "../../pages/gift.ts";
import type { PageContext } from "../../pages/page-context.ts";
import { fill, fillText, Name } from "../../pages/text.tsx";

/** The sender's names, for display. */
export function senderOf({ texts }: PageContext, { senderName: person, company }: PageGift): Child {
  if (person === null) return <Name>{company}</Name>;
  return fill(texts.gift.person, {
    person: <Name>{person}</Name>,
    company: <Name>{company}</Name>,
  });
}

/** The message on a sheet with the name of the sender. Null if there is no message. */
export function Letter({ page, gift }: { page: PageContext; gift: PageGift }) {
  if (!gift.message?.trim()) return null;
  const { texts } = page;
  const { senderName: person, company } = gift;
  const sender = person === null ? company : fillText(texts.gift.person, { person, company });
  return (
    <figure class="letter" aria-label={fillText(texts.gift.messageFrom, { sender })}>
      <blockquote>
        {gift.message
          .trim()
          .split(/\n\s*\n/)
          .map((paragraph) => (
            <p lang="" dir="auto">
              {paragraph}
            </p>
          ))}
      </blockquote>
      <figcaption>{senderOf(page, gift)}</figcaption>
    </figure>
  );
}
