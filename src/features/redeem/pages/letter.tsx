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

/** A letter of more lines is shortened until the recipient opens it. */
const MAX_LINES = 6;
const LINE_LENGTH = 50;

/** The number of lines. East Asian characters are twice as wide as others. */
const linesOf = (message: string) =>
  message
    .replace(/[\u3000-\uffff]/g, "  ")
    .split("\n")
    .reduce((lines, line) => lines + Math.max(1, Math.ceil(line.length / LINE_LENGTH)), 0);

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
      {linesOf(gift.message.trim()) > MAX_LINES && (
        <details>
          <summary>{texts.gift.readLetter}</summary>
        </details>
      )}
      <figcaption>{senderOf(page, gift)}</figcaption>
    </figure>
  );
}
