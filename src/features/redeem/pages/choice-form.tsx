// The form of the first step: the choice between the variations of a gift.
import type { Problems, Typed } from "../form.ts";
import type { Gift, GiftProduct } from "../gift.ts";
import type { PageContext } from "../page-context.ts";
import { HiddenFields } from "./hidden-fields.tsx";
import { actionUrl, FORM_ID } from "./page-link.tsx";
import { attributeNames, catalogueText, ChosenVariation, variationName } from "./product.tsx";
import { fill } from "./text.tsx";

interface ChoiceFormProps {
  page: PageContext;
  gift: Gift;
  choice: GiftProduct;
  /** The available variations of `choice`, at least one. */
  options: (number | null)[];
  /** Null before the recipient has typed anything. */
  typed: Typed | null;
  problems: Problems;
}

/**
 * The form uses GET until the recipient has typed something. Then it uses POST, because personal data must not be part
 * of a URL.
 */
export function ChoiceForm(input: ChoiceFormProps) {
  const { page, choice, typed } = input;
  const { product } = choice;
  const others = (typed?.variationIds ?? []).filter(
    (id) => !product.variations.some((own) => own.id === id),
  );
  return (
    <form
      id={FORM_ID}
      // Without an action, the browser would keep the fragment of this page's URL.
      {...(typed ? { method: "post", action: actionUrl(page) } : { method: "get", action: "?" })}
      novalidate
    >
      {!typed && page.chosenLanguage && (
        <input type="hidden" name="lang" value={page.chosenLanguage} />
      )}
      <input type="hidden" name="product_id" value={String(product.id)} />
      {typed && <HiddenFields typed={{ ...typed, variationIds: others }} />}
      <Variations {...input} />
    </form>
  );
}

const PROBLEM_ID = "variation-problem";

function Variations({ page, gift, choice, options, typed, problems }: ChoiceFormProps) {
  const { product } = choice;
  const [first] = options;
  if (first === null || first === undefined) return null;
  if (options.length === 1) {
    return (
      <>
        <ChosenVariation product={product} gift={gift} id={first} />
        <input type="hidden" name="variation_id" value={String(first)} />
      </>
    );
  }
  const chosen = typed?.variationIds.find((id) => options.includes(id)) ?? gift.offeredVariationId;
  const isMissing = problems.has("variation_id");
  const { lang } = catalogueText(gift, product, "options");
  return (
    <fieldset {...(isMissing && { "aria-describedby": PROBLEM_ID })}>
      <legend>
        {fill(page.texts.gift.choose, {
          attributes: <bdi lang={lang}>{attributeNames(product)}</bdi>,
        })}
      </legend>
      {isMissing && (
        <p id={PROBLEM_ID} class="fault" role="alert">
          {page.texts.gift.choiceMissing}
        </p>
      )}
      <div class="options" lang={lang}>
        {options.map((id, index) => (
          <label class="option">
            <input
              type="radio"
              name="variation_id"
              value={String(id)}
              checked={id === chosen}
              required
              autofocus={isMissing && index === 0}
            />
            <bdi>{variationName(product, id)}</bdi>
          </label>
        ))}
      </div>
    </fieldset>
  );
}
