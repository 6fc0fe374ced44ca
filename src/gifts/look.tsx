// A way from one gift to another.
import type { Child } from "hono/jsx";

/** Leads to another gift, or back to the offered one: a link, or a button that takes along what was typed. */
export function Look(props: {
  productId: number | null;
  typed: boolean;
  children: Child;
  class?: string;
}) {
  const { productId, typed, children } = props;
  return typed ? (
    <button
      class={props.class ?? "textual"}
      form="accept"
      name="show"
      value={String(productId ?? "original")}
    >
      {children}
    </button>
  ) : (
    <a class={props.class} href={productId === null ? "?" : `?gift=${String(productId)}`}>
      {children}
    </a>
  );
}
