// A way from one page of a gift to another.
import type { Child } from "hono/jsx";
import { type Destination, FIELDS, type Typed } from "../form.ts";

/** The id of what a page shows first: the notice if there is one, else the gift's name. */
export const LANDING_ID = "shown";

/** The id of the form that carries what was typed from page to page. */
export const FORM_ID = "accept";

/**
 * Leads to another page. `typed`: a button that submits the form, so that what was typed goes along without being
 * part of a URL. Otherwise a link.
 */
export function PageLink(props: {
  to: Destination;
  typed: boolean;
  children: Child;
  class?: string;
}) {
  const { to, typed, children } = props;
  const [name, id, landing] =
    "show" in to ? ["show", to.show, `#${LANDING_ID}`] : ["gifts", to.gifts, ""];
  return typed ? (
    <button
      class={props.class ?? "textual"}
      form={FORM_ID}
      name={name}
      value={String(id ?? "")}
      formaction={`?${landing}`}
    >
      {children}
    </button>
  ) : (
    <a class={props.class} href={queryTo(to)}>
      {children}
    </a>
  );
}

/** The query, with its fragment, under which GET shows a destination. */
export function queryTo(to: Destination): string {
  if ("gifts" in to) return to.gifts === null ? "?gifts" : `?gifts=${String(to.gifts)}`;
  return `?${to.show === null ? "" : `gift=${String(to.show)}`}#${LANDING_ID}`;
}

/** What was typed on other pages and is not asked for on this one. */
export function HiddenFields({ values, variationIds }: Partial<Typed>) {
  return (
    <>
      {values && FIELDS.map((field) => <input type="hidden" name={field} value={values[field]} />)}
      {variationIds && variationIds.length > 0 && (
        <input type="hidden" name="other_variation_ids" value={variationIds.join(" ")} />
      )}
    </>
  );
}
