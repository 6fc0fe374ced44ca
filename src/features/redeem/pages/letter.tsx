// The sender's message.
import type { Gift } from "../gift.ts";
import type { PageContext } from "../page-context.ts";
import { fill, fillText, Name } from "./text.tsx";

/** The message on a sheet with the name of the sender. Null if there is no message. */
export function Letter({ page, gift }: { page: PageContext; gift: Gift }) {
  if (!gift.message?.trim()) return null;
  const { texts } = page;
  const { senderName: person, company } = gift;
  const sender = person === null ? company : fillText(texts.gift.person, { person, company });
  return (
    <figure class="letter" aria-label={fillText(texts.gift.messageFrom, { sender })}>
      <blockquote>
        <p lang="" dir="auto">
          {gift.message}
        </p>
      </blockquote>
      <figcaption>
        {person === null ? (
          <Name>{company}</Name>
        ) : (
          fill(texts.gift.person, {
            person: <Name>{person}</Name>,
            company: <Name>{company}</Name>,
          })
        )}
      </figcaption>
    </figure>
  );
}
