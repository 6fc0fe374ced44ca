// Links between the pages of a gift, which keep what the recipient has typed and the language.
import type { Child } from "hono/jsx";
import type { Destination } from "../form.ts";
import { type Language, LANGUAGE_NAMES } from "../language.ts";
import type { PageContext } from "../page-context.ts";

/** The DOM id of the element to scroll to: the notice, or the gift's name. */
export const LANDING_ID = "shown";

/** The DOM id of the form that contains the recipient's input. */
export const FORM_ID = "input";

interface PageLinkProps {
  page: PageContext;
  to: Destination;
  /** Whether the recipient has typed something that the other page must keep. */
  keepsInput: boolean;
  children: Child;
  class?: string;
  label?: string;
}

/** A link to another page, which scrolls to the gift's name or to the notice. */
export function PageLink({ page, to, keepsInput, children, class: name, label }: PageLinkProps) {
  return (
    <OpeningElement
      page={page}
      to={to}
      keepsInput={keepsInput}
      fragment={to.step === "gift" ? `#${LANDING_ID}` : ""}
      attributes={{
        class: name ?? (keepsInput ? "textual" : undefined),
        ...(label !== undefined && { "aria-label": label }),
      }}
    >
      {children}
    </OpeningElement>
  );
}

interface OpeningElementProps extends Pick<PageLinkProps, "to" | "keepsInput" | "children"> {
  page: UrlContext;
  fragment?: string;
  attributes: Record<string, string | undefined>;
}

/**
 * A link. With `keepsInput`, it is a button that submits the form, so that the recipient's input is kept without being
 * part of a URL.
 */
function OpeningElement(props: OpeningElementProps) {
  const { page, to, keepsInput, fragment = "", attributes, children } = props;
  if (!keepsInput) {
    return (
      <a {...attributes} href={urlOf(to, page) + fragment}>
        {children}
      </a>
    );
  }
  const [name, value] = buttonOf(to);
  return (
    <button
      {...attributes}
      form={FORM_ID}
      name={name}
      value={value}
      formaction={actionUrl(page, fragment)}
    >
      {children}
    </button>
  );
}

/** The parameter that a button adds to the form. The form itself contains the product. */
function buttonOf(to: Destination): [name: string, value: string] {
  if (to.step === "others") return ["others", String(to.after ?? "")];
  return to.step === "gift" ? ["show", String(to.productId ?? "")] : ["step", to.step];
}

/** The parameters that all URLs of the pages keep. */
type UrlContext = Pick<PageContext, "chosenLanguage" | "isCorrection">;

/** The query of a page's URL. */
export function urlOf(to: Destination, { chosenLanguage, isCorrection }: UrlContext) {
  const query = new URLSearchParams();
  const set = (name: string, value: number | string | null | undefined) => {
    if (value !== null && value !== undefined) query.set(name, String(value));
  };
  set("lang", chosenLanguage);
  set("correct", isCorrection ? "" : null);
  if (to.step === "others") {
    set("others", to.after ?? "");
  } else if (to.step === "gift") {
    set("show", to.productId);
  } else {
    set("step", to.step);
    set("product_id", to.productId);
    set("variation_id", to.variationId);
  }
  return `?${query.toString()}`;
}

/** The URL to which forms are sent. Its query contains nothing that the recipient has typed. */
export function actionUrl({ chosenLanguage, isCorrection }: UrlContext, fragment = ""): string {
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

/** The same page in another language. The name of the current language is not a link. */
export function LanguageLink({ page, language, isCurrent, here, keepsInput }: LanguageLinkProps) {
  const name = LANGUAGE_NAMES[language];
  if (isCurrent) {
    return (
      <span lang={language} aria-current="true">
        {name}
      </span>
    );
  }
  return (
    <OpeningElement
      page={{ ...page, chosenLanguage: language }}
      to={here}
      keepsInput={keepsInput}
      attributes={
        keepsInput ? { class: "textual", lang: language } : { lang: language, hreflang: language }
      }
    >
      {name}
    </OpeningElement>
  );
}
