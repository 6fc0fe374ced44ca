// The page that asks whether the recipient declines the gift.
import type { Typed } from "../form.ts";
import type { Gift } from "../gift.ts";
import type { PageContext } from "../page-context.ts";
import { KeptInput } from "./hidden-fields.tsx";
import type { HtmlPage } from "./layout.tsx";
import { actionUrl, PageLink } from "./page-link.tsx";
import { fill, Name } from "./text.tsx";

export interface DeclinePageInput {
  page: PageContext;
  gift: Gift;
  /** The gift that the recipient has viewed. Null: the offered gift. */
  productId: number | null;
  /** Input to keep, in case the gift is not declined. Null before the recipient has typed anything. */
  typed: Typed | null;
}

export function declinePage({ page, gift, productId, typed }: DeclinePageInput): HtmlPage {
  const { decline } = page.texts;
  return {
    title: decline.title,
    branding: gift.branding,
    pictures: [],
    here: { step: "question", productId },
    keepsInput: typed !== null,
    content: (
      <section class="panel message">
        <KeptInput page={page} productId={productId} typed={typed} />
        <h1>{decline.title}</h1>
        <p class="lead">{fill(decline.text, { company: <Name>{gift.company}</Name> })}</p>
        <p>
          <PageLink
            page={page}
            to={{ step: "gift", productId }}
            keepsInput={typed !== null}
            class="primary"
          >
            {decline.keep}
          </PageLink>
        </p>
        <form method="post" action={actionUrl(page)}>
          <button class="secondary" name="step" value="decline">
            {decline.decline}
          </button>
        </form>
      </section>
    ),
  };
}
