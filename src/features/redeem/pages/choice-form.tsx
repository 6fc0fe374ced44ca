// The form of the first step: the choice between the variations of a gift.
import type { Problems, Typed } from "../form.ts";
import { type Choices, type Gift, type GiftProduct, optionField } from "../gift.ts";
import type { PageContext } from "../page-context.ts";
import { HiddenFields } from "./hidden-fields.tsx";
import { actionUrl, FORM_ID } from "./page-link.tsx";
import { attributeNames, catalogueText, ChosenVariation, variationName } from "./product.tsx";
import { fill, Name } from "./text.tsx";

interface ChoiceFormProps {
  page: PageContext;
  gift: Gift;
  choice: GiftProduct;
  /** The available variations of `choice`, at least one. */
  options: (number | null)[];
  /** Null before the recipient has typed anything. */
  typed: Typed | null;
  choices: Choices;
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

function Variations(input: ChoiceFormProps) {
  const { gift, choice, options, typed, problems } = input;
  const { product } = choice;
  const [first] = options;
  if (first === null || first === undefined) return null;
  if (options.length === 1) {
    return (
      <>
        {problems.has("variation_id") && <Problem {...input} />}
        <ChosenVariation product={product} gift={gift} id={first} />
        <input type="hidden" name="variation_id" value={String(first)} />
      </>
    );
  }
  const chosen = typed?.variationIds.find((id) => options.includes(id)) ?? gift.offeredVariationId;
  const attributes = product.variations[0]?.options ?? [];
  if (attributes.length > 1) return <Attributes {...input} chosen={chosen} />;
  return (
    <Options
      {...input}
      legend={attributeNames(product)}
      name="variation_id"
      options={options.map((id) => [String(id), variationName(product, id)])}
      chosen={String(chosen)}
      hasProblem={problems.has("variation_id")}
    />
  );
}

/** The maximum number of unavailable combinations that the page lists. */
const MAX_UNAVAILABLE = 8;

/** A choice for each attribute, such as size and colour. Some combinations may not be available. */
function Attributes(input: ChoiceFormProps & { chosen: number | null }) {
  const { page, gift, choice, options, choices, problems } = input;
  const { variations } = choice.product;
  const available = variations.filter(({ id }) => options.includes(id));
  const shown = variations.find(({ id }) => id === input.chosen);
  const groups = (variations[0]?.options ?? []).map(({ id, name }) => {
    const optionOf = (each?: (typeof variations)[number]) =>
      each?.options.find((option) => option.id === id)?.option ?? "";
    const values = [...new Set(available.map(optionOf))];
    const field = optionField(id);
    const chosen = choices[field] ?? (values.length === 1 ? values[0] : optionOf(shown));
    return { name, field, values, chosen: values.find((value) => value === chosen), optionOf };
  });
  const unavailable = groups
    .reduce<string[][]>(
      (all, { values }) => all.flatMap((before) => values.map((value) => [...before, value])),
      [[]],
    )
    .filter((each) =>
      available.every((one) => groups.some(({ optionOf }, at) => optionOf(one) !== each[at])),
    );
  const atFault = problems.has("variation_id")
    ? (groups.find(({ chosen }) => chosen === undefined) ?? groups[0])
    : undefined;
  const combination = groups.map(({ chosen }) => chosen).join(", ");
  return (
    <>
      {groups.map((group) => (
        <Options
          {...input}
          legend={group.name}
          name={group.field}
          options={group.values.map((value) => [value, value])}
          chosen={group.chosen}
          hasProblem={group === atFault}
          combination={combination}
        />
      ))}
      {unavailable.length > 0 && unavailable.length <= MAX_UNAVAILABLE && (
        <p class="hint">
          {fill(page.texts.gift.unavailable, {
            combinations: (
              <bdi lang={catalogueText(gift, choice.product, "options").lang}>
                {unavailable.map((each) => each.join(", ")).join(" · ")}
              </bdi>
            ),
          })}
        </p>
      )}
    </>
  );
}

/** Names of attributes whose options are colours, in the languages of the page. */
const COLOUR = /colou?r|farbe|couleur|colore|\bcor\b|kleur|色|カラー|لون/i;

interface OptionsProps extends Pick<ChoiceFormProps, "page" | "gift" | "choice" | "problems"> {
  legend: string;
  name: string;
  options: [value: string, label: string][];
  chosen: string | undefined;
  hasProblem: boolean;
  /** The chosen combination, which may not be available. */
  combination?: string;
}

function Options(input: OptionsProps) {
  const { page, gift, choice, legend, name, options, chosen, hasProblem } = input;
  const { lang } = catalogueText(gift, choice.product, "options");
  const isChosen = options.some(([value]) => value === chosen);
  return (
    <fieldset {...(hasProblem && { "aria-describedby": PROBLEM_ID })}>
      <legend>
        {fill(page.texts.gift.choose, { attributes: <bdi lang={lang}>{legend}</bdi> })}
      </legend>
      {hasProblem && <Problem {...input} />}
      <div class="options" lang={lang}>
        {options.map(([value, label], index) => (
          <label class="option">
            <input
              type="radio"
              name={name}
              value={value}
              checked={value === chosen}
              required
              autofocus={hasProblem && (isChosen ? value === chosen : index === 0)}
            />
            {COLOUR.test(legend) && <span class="swatch" data-name={label} />}
            <bdi>{label}</bdi>
          </label>
        ))}
      </div>
    </fieldset>
  );
}

function Problem(props: Pick<OptionsProps, "page" | "problems" | "combination">) {
  const { page, problems, combination = "" } = props;
  const { gift } = page.texts;
  return (
    <p id={PROBLEM_ID} class="fault" role="alert">
      {problems.get("variation_id") === "required"
        ? gift.choiceMissing
        : fill(gift.combination, { combination: <Name>{combination}</Name> })}
    </p>
  );
}
