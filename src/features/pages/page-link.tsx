// Links between the pages of a gift, which keep the language.
import type { Child } from "hono/jsx";
import { type Language, LANGUAGE_NAMES } from "./language.ts";
import type { PageContext } from "./page-context.ts";

/** The DOM id of the element to scroll to: the notice, or the gift's name. */
export const LANDING_ID = "shown";

/** The DOM id of the form that contains the recipient's input. */
export const FORM_ID = "input";

/** The main action. On phones, it stays on the screen. `step` is the value that the button sends. */
export const ActionBar = ({ step, label }: { step: string; label: string }) => (
  <div class="bar">
    <button class="primary" form={FORM_ID} name="step" value={step}>
      {label}
    </button>
  </div>
);

export interface PageLinkProps {
  page: UrlContext;
  to: Destination;
  children: Child;
  class?: string | undefined;
}

/** A link to another page, which scrolls to the gift's name or to the notice. */
export const PageLink = ({ page, to, children, class: name }: PageLinkProps) => (
  <a class={name} href={urlOf(to, page) + (to.step === "gift" ? `#${LANDING_ID}` : "")}>
    {children}
  </a>
);

/** The parameters that all URLs of the pages keep. */
type UrlContext = Pick<PageContext, "chosenLanguage" | "shipsTo" | "isCorrection" | "place">;

/** The parameters of a page's URL, for a form with the method GET. */
export const UrlFields = ({ page, to }: { page: UrlContext; to: Destination }) =>
  [...new URLSearchParams(urlOf(to, page))].map(([name, value]) => (
    <input type="hidden" name={name} value={value} />
  ));

/** The query of a page's URL. */
export function urlOf(
  to: Destination,
  { chosenLanguage, shipsTo, isCorrection, place }: UrlContext,
) {
  const query = new URLSearchParams();
  const set = (name: string, value: number | string | null | undefined) => {
    if (value !== null && value !== undefined) query.set(name, String(value));
  };
  set("lang", chosenLanguage);
  set("ships_to", shipsTo);
  set("correct", isCorrection ? "" : null);
  if (to.step === "others") {
    set("others", "");
  } else if (to.step === "gift") {
    set("show", to.productId);
    set("variation_id", to.variationId);
  } else {
    set("step", to.step);
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
  { chosenLanguage, isCorrection }: Omit<UrlContext, "shipsTo" | "place">,
  fragment = "",
) {
  const query = [chosenLanguage && `lang=${chosenLanguage}`, isCorrection && "correct"];
  return `?${query.filter(Boolean).join("&")}${fragment}`;
}

interface LanguageLinkProps {
  page: UrlContext;
  language: Language;
  isCurrent: boolean;
  /** The page to show in this language. */
  here: Destination;
  keepsInput: boolean;
}

/**
 * The same page in another language: a link, or with `keepsInput` a button that submits the form, so that what was typed
 * is kept without being part of a URL. The name of the current language is neither.
 */
export function LanguageLink({ page, language, isCurrent, here, keepsInput }: LanguageLinkProps) {
  const name = LANGUAGE_NAMES[language];
  const there = { ...page, chosenLanguage: language };
  if (isCurrent) {
    return (
      <span lang={language} aria-current="true">
        {name}
      </span>
    );
  }
  if (!keepsInput) {
    return (
      <a lang={language} hreflang={language} href={urlOf(here, there)}>
        {name}
      </a>
    );
  }
  return (
    <button
      class="textual"
      lang={language}
      form={FORM_ID}
      name="step"
      value="address"
      formaction={actionUrl(there)}
    >
      {name}
    </button>
  );
}

/** The pages of an open gift: the choice, where it is sent, and the `question` whether the recipient declines it. */
export type Step = "gift" | "address" | "question";

/** The page to show. A null product is the offered one. */
export type Destination =
  { step: Step; productId: number | null; variationId?: number | null } | { step: "others" };
