// Pages with a title and some text, and those of errors.
import type { Child } from "hono/jsx";
import { PLATFORM_BRANDING } from "../clients/profile.ts";
import type { PageContext } from "./page-context.ts";
import type { HtmlPage } from "./layout.tsx";
import { pictureUrl } from "./picture.tsx";

/** The page of an error, by its HTTP status. */
export function errorPage(page: PageContext, status: number): HtmlPage {
  const { title, text } = errorTexts(page, status);
  const content = <p class="lead">{text}</p>;
  return { ...messagePage(page, { title, content }, PLATFORM_BRANDING), isClosed: status === 404 };
}

function errorTexts({ texts: { errors } }: PageContext, status: number) {
  if (status === 404) return errors.unknown;
  if (status === 413) return errors.tooLarge;
  if (status === 429) return errors.tooMany;
  return status < 500 ? errors.method : errors.unexpected;
}

/** A page with the sender's picture, a title and some text. */
export function messagePage(
  { publicUrl }: PageContext,
  { title, content }: { title: string; content: Child },
  branding: HtmlPage["branding"],
): HtmlPage {
  const picture = pictureUrl(branding.claimLogo, publicUrl);
  return {
    title,
    branding,
    hidesLogo: picture !== "",
    pictures: [branding.claimLogo],
    here: { step: "gift", productId: null },
    content: (
      <section class="panel message">
        {picture && (
          <img class="claim" src={picture} alt={branding.company ?? ""} width="240" height="180" />
        )}
        <h1>{title}</h1>
        {content}
      </section>
    ),
  };
}
