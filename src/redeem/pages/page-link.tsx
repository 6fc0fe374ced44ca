// Links between the pages of a gift, which keep what the recipient has typed.
import type { Child } from "hono/jsx";
import { type Destination, FIELDS, type Typed } from "../form.ts";

/** The DOM id of the element to scroll to: the notice, or the gift's name. */
export const LANDING_ID = "shown";

/** The DOM id of the form that contains the recipient's input. */
export const FORM_ID = "accept";

/**
 * A link to another page. With `typed`, it is a button that submits the form, so that the recipient's input is kept
 * without being part of a URL.
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

/** The query and fragment of a page's URL. */
export function queryTo(to: Destination): string {
  if ("gifts" in to) return to.gifts === null ? "?gifts" : `?gifts=${String(to.gifts)}`;
  return `?${to.show === null ? "" : `gift=${String(to.show)}`}#${LANDING_ID}`;
}

/** Hidden fields with input that this page does not show. */
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
