// Links between the pages of a gift, which keep what the recipient has typed and the language.
import type { Child } from "hono/jsx";
import type { Destination } from "../form.ts";
import type { Language } from "../language.ts";
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

/**
 * A link to another page. With `keepsInput`, it is a button that submits the form, so that the recipient's input is kept
 * without being part of a URL.
 */
export function PageLink(props: PageLinkProps) {
  const { page, to, keepsInput, children, label } = props;
  const accessible = label === undefined ? {} : { "aria-label": label };
  if (!keepsInput) {
    return (
      <a
        class={props.class}
        href={urlOf(to, page) + (to.step === "gift" ? `#${LANDING_ID}` : "")}
        {...accessible}
      >
        {children}
      </a>
    );
  }
  const [name, value] = buttonOf(to);
  return (
    <button
      class={props.class ?? "textual"}
      form={FORM_ID}
      name={name}
      value={value}
      formaction={actionUrl(page, name === "show" ? `#${LANDING_ID}` : "")}
      {...accessible}
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

/** The query of a page's URL. */
export function urlOf(to: Destination, { chosenLanguage }: Pick<PageContext, "chosenLanguage">) {
  const query = new URLSearchParams();
  const set = (name: string, value: number | string | null | undefined) => {
    if (value !== null && value !== undefined) query.set(name, String(value));
  };
  set("lang", chosenLanguage);
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

/** The URL to which forms are sent. Its query contains the chosen language only. */
export function actionUrl(
  { chosenLanguage }: Pick<PageContext, "chosenLanguage">,
  fragment = "",
): string {
  return `?${chosenLanguage ? `lang=${chosenLanguage}` : ""}${fragment}`;
}

const LANGUAGE_NAMES: Record<Language, string> = {
  en: "English",
  de: "Deutsch",
  fr: "Français",
  es: "Español",
  pt: "Português",
  it: "Italiano",
  nl: "Nederlands",
  ja: "日本語",
  zh: "简体中文",
  ar: "العربية",
};

interface LanguageLinkProps {
  language: Language;
  isCurrent: boolean;
  /** The page to show in this language. */
  here: Destination;
  keepsInput: boolean;
}

export function LanguageLink({ language, isCurrent, here, keepsInput }: LanguageLinkProps) {
  const name = LANGUAGE_NAMES[language];
  if (isCurrent) {
    return (
      <span lang={language} aria-current="true">
        {name}
      </span>
    );
  }
  const chosen = { chosenLanguage: language };
  if (!keepsInput) {
    return (
      <a lang={language} hreflang={language} href={urlOf(here, chosen)}>
        {name}
      </a>
    );
  }
  const [parameter, value] = buttonOf(here);
  return (
    <button
      class="textual"
      lang={language}
      form={FORM_ID}
      name={parameter}
      value={value}
      formaction={actionUrl(chosen)}
    >
      {name}
    </button>
  );
}
