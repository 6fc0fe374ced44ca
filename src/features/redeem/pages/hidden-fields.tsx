// Hidden fields, which carry the recipient's input from page to page (DECISIONS.md: Three steps on one URL).
import { FIELDS, SHOWN_FIELDS, type Typed, withShownRegion } from "../form.ts";
import type { PageContext } from "../page-context.ts";
import { actionUrl, FORM_ID } from "./page-link.tsx";

/** The input that this page does not show. `shown` are the fields that it shows. */
export function HiddenFields({ typed, shown = [] }: { typed: Typed; shown?: readonly string[] }) {
  const { variationIds } = typed;
  const values = typed.values && withShownRegion(typed.values);
  return (
    <>
      {values &&
        [...FIELDS, ...SHOWN_FIELDS]
          .filter((field) => !shown.includes(field) && values[field] !== undefined)
          .map((field) => <input type="hidden" name={field} value={values[field]} />)}
      {variationIds.length > 0 && (
        <input type="hidden" name="other_variation_ids" value={variationIds.join(" ")} />
      )}
    </>
  );
}

interface HiddenInputProps {
  productId: number;
  /** Null for a simple product. */
  variationId: number | null;
  typed: Typed;
  shown?: readonly string[];
}

/** The choice, and the other input that this page does not show. */
export function HiddenInput({ productId, variationId, typed, shown = [] }: HiddenInputProps) {
  const others = typed.variationIds.filter((id) => id !== variationId);
  return (
    <>
      <input type="hidden" name="product_id" value={String(productId)} />
      {variationId !== null && (
        <input type="hidden" name="variation_id" value={String(variationId)} />
      )}
      <HiddenFields typed={{ ...typed, variationIds: others }} shown={shown} />
    </>
  );
}

interface KeptInputProps {
  page: PageContext;
  /** The gift to which the page leads back. Null: the offered gift. */
  productId: number | null;
  /** Null before the recipient has typed anything. */
  typed: Typed | null;
}

/** The form of a page that shows none of the input. The links of the page submit it. */
export function KeptInput({ page, productId, typed }: KeptInputProps) {
  if (!typed) return null;
  return (
    <form id={FORM_ID} method="post" action={actionUrl(page)}>
      {productId !== null && <input type="hidden" name="product_id" value={String(productId)} />}
      <HiddenFields typed={typed} />
    </form>
  );
}
