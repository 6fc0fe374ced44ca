// Links between the pages of a gift, which keep the language.
import type { Child } from "hono/jsx";
import { type Language, LANGUAGE_NAMES } from "./language.ts";
import type { PageContext } from "./page-context.ts";

/** The DOM id of the element to scroll to: the notice, or the gift's name. */
export const LANDING_ID = "shown";

/** The DOM id of the form that contains the recipient's input. */
export const FORM_ID = "input";

/** The main action. On phones, it stays on the screen. `step` is the value that the button sends. */
export const ActionBar = (input: { step: string; label: string; id?: string | undefined }) => (
  <div class="bar">
    <button id={input.id} class="primary" form={FORM_ID} name="step" value={input.step}>
      {input.label}
    </button>
  </div>
);

export interface PageLinkProps {
  page: UrlContext & Pick<PageContext, "kept">;
  to: Destination;
  children: Child;
  class?: string | undefined;
  lang?: Language;
}

/**
 * A link to another page, which scrolls to the gift's name or to the notice. It is a button that submits the form if
 * the page has one, so that what was typed is kept without being part of a URL.
 */
export function PageLink({ page, to, children, class: name, lang }: PageLinkProps) {
  const url = urlOf(to, page) + (to.step === "gift" && !lang ? `#${LANDING_ID}` : "");
  return page.kept ? (
    <button class={name ?? "textual"} lang={lang} form={FORM_ID} formaction={url}>
      {children}
    </button>
  ) : (
    <a class={name} lang={lang} hreflang={lang} href={url}>
      {children}
    </a>
  );
}

/** The context of a page whose links submit its form. */
export const withForm = (page: PageContext): PageContext => ({ ...page, kept: page.kept ?? {} });

/** The fields that are not shown. */
export const HiddenInputs = ({ values }: { values: Record<string, string | number | null> }) => (
  <>
    {Object.entries(values).map(
      ([name, value]) =>
        value !== null && <input type="hidden" name={name} value={String(value)} />,
    )}
  </>
);

/** The parameters that all URLs of the pages keep. */
type UrlContext = Pick<PageContext, "chosenLanguage" | "isCorrection" | "place" | "parameters">;

interface PageFormProps extends Pick<PageLinkProps, "page" | "to" | "children" | "class"> {
  id?: string;
  role?: "search";
}

/** A form that opens another page: by its URL, or with the method POST if something was typed, which it keeps. */
export function PageForm({ page: { kept, ...page }, to, children, ...attributes }: PageFormProps) {
  const url = urlOf(to, page);
  return (
    // Without an action, the browser would keep the fragment of this page's URL.
    <form {...attributes} method={kept ? "post" : "get"} action={kept ? url : "?"} novalidate>
      <HiddenInputs values={kept ?? Object.fromEntries(new URLSearchParams(url))} />
      {children}
    </form>
  );
}

/** The query of a page's URL. */
export function urlOf(to: Destination, page: UrlContext) {
  const { chosenLanguage, isCorrection, place } = page;
  const query = new URLSearchParams(page.parameters);
  const set = (name: string, value: number | string | null | undefined) => {
    if (value !== null && value !== undefined) query.set(name, String(value));
  };
  set("lang", chosenLanguage);
  set("correct", isCorrection ? "" : null);
  if (to.step === "others") {
    set("others", "");
  } else if (to.step === "gift") {
    set("show", to.productId);
    set("variation_id", to.variationId);
  } else {
    set("step", to.step);
    set("another", to.another ? "" : null);
    set("product_id", to.productId);
    set("variation_id", to.variationId);
  }
  set("q", place.q || null);
  set("category", place.category || null);
  set("page", place.page > 1 ? place.page : null);
  return `?${query.toString()}`;
}

/** The URL to which forms are sent. Its query contains nothing that the recipient has typed. */
export function actionUrl(
  { chosenLanguage, isCorrection }: Omit<UrlContext, "place">,
  fragment = "",
) {
  const query = [chosenLanguage && `lang=${chosenLanguage}`, isCorrection && "correct"];
  return `?${query.filter(Boolean).join("&")}${fragment}`;
}

interface LanguageLinkProps {
  page: PageLinkProps["page"];
  language: Language;
  isCurrent: boolean;
  /** The page to show in this language. */
  here: Destination;
}

/** The same page in another language. The name of the current language is no link. */
export function LanguageLink({ page, language, isCurrent, here }: LanguageLinkProps) {
  const name = LANGUAGE_NAMES[language];
  return isCurrent ? (
    <span lang={language} aria-current="true">
      {name}
    </span>
  ) : (
    <PageLink page={{ ...page, chosenLanguage: language }} to={here} lang={language}>
      {name}
    </PageLink>
  );
}

/** The pages of an open gift: the choice, where it is sent, and the `question` whether the recipient declines it. */
export type Step = "gift" | "address" | "question";

/** The page to show. A null product is the offered one. `another` is the form for another address than the order's. */
export type Destination =
  | { step: Step; productId: number | null; variationId?: number | null; another?: boolean }
  | { step: "others" };
