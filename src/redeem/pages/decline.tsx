// The page that asks whether the recipient declines the gift.
import { PLATFORM_BRANDING } from "../../clients/profile.ts";
import type { Gift } from "../gift.ts";
import type { PageContext } from "../page-context.ts";
import type { HtmlPage } from "./layout.tsx";
import { actionUrl, PageLink } from "./page-link.tsx";
import { fill, Name } from "./text.tsx";

export function declinePage(page: PageContext, gift: Gift): HtmlPage {
  const { decline } = page.texts;
  const branding = gift.branding ?? PLATFORM_BRANDING;
  return {
    title: decline.title,
    branding,
    logo: branding.logo,
    pictures: [],
    here: { step: "decline", productId: null },
    typed: false,
    content: (
      <section class="panel message">
        <h1>{decline.title}</h1>
        <p class="lead">{fill(decline.text, { company: <Name>{gift.company}</Name> })}</p>
        <p>
          <PageLink
            page={page}
            to={{ step: "gift", productId: null }}
            typed={false}
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
