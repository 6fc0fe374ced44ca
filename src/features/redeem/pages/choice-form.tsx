// The form of the gift: the choice between the variations of a gift.
import type { Problems } from "../form.ts";
import {
  type Choices,
  type GiftProduct,
  type LocalVariation,
  optionField,
  optionOf,
  originalOf,
  type PageGift,
  withId,
} from "../../pages/gift.ts";
import type { PageContext } from "../../pages/page-context.ts";
import { FORM_ID, HiddenInputs, PageForm } from "../../pages/page-link.tsx";
import {
  attributeNames,
  catalogueText,
  ChosenVariation,
  variationName,
} from "../../pages/product.tsx";
import { fill, fillText, naturalCase } from "../../pages/text.tsx";

interface ChoiceFormProps {
  page: PageContext;
  gift: PageGift;
  choice: GiftProduct;
  /** The available variations of `choice`, at least one. */
  options: (number | null)[];
  /** The variation that the recipient has chosen. */
  variationId: number | null;
  choices: Choices;
  problems: Problems;
}

export function ChoiceForm(input: ChoiceFormProps) {
  const { page, choice } = input;
  return (
    <PageForm id={FORM_ID} page={page} to={{ step: "gift", productId: null }}>
      <HiddenInputs values={{ product_id: choice.product.id }} />
      <Variations {...input} />
    </PageForm>
  );
}

const PROBLEM_ID = "variation-problem";

function Variations(input: ChoiceFormProps) {
  const { page, gift, choice, options, variationId, choices, problems } = input;
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
  const shownId = options.includes(variationId) ? variationId : gift.offeredVariationId;
  const available = product.variations.filter(({ id }) => options.includes(id));
  const attributes = available[0]?.options ?? [];
  const groups: Group[] =
    attributes.length > 1
      ? attributes.map(({ id, name: legend }, index) => {
          const name = optionField(id);
          const byOption = [...Map.groupBy(available, (each) => originalOf(each, id)).values()];
          const options = byOption.flatMap(([first]) => first ?? []);
          const shown = originalOf(withId(product, choices[name] ?? String(shownId)), id);
          const chosen = options.find(
            (each) => options.length === 1 || originalOf(each, id) === shown,
          );
          return {
            legend,
            name,
            chosen: chosen && String(chosen.id),
            options: options.map((each) => [String(each.id), optionOf(each, id)?.option ?? ""]),
            limits: index === attributes.length - 1 ? limitsOf(page, id, byOption) : [],
          };
        })
      : [
          {
            legend: attributeNames(product),
            name: "variation_id",
            chosen: String(shownId),
            options: options.map((id) => [String(id), variationName(product, id)]),
          },
        ];
  const { gift: texts } = page.texts;
  const combination = groups
    .map(({ chosen, options }) => options.find(([value]) => value === chosen)?.[1])
    .join(", ");
  const problem = problems.get("variation_id");
  const text =
    problem === "unavailable" ? fillText(texts.combination, { combination }) : texts.choiceMissing;
  const atFault = groups.find(({ chosen }) => chosen === undefined) ?? groups[0];
  return (
    <>
      {groups.map((group) => (
        <Options {...input} {...group} problem={problem && group === atFault ? text : null} />
      ))}
    </>
  );
}

/** The other options with which each option of an attribute exists, if it does not exist with all of them. */
function limitsOf(
  { texts, locale }: PageContext,
  attributeId: number,
  byOption: LocalVariation[][],
): string[] {
  const list = new Intl.ListFormat(locale.tag);
  const othersOf = (variation: LocalVariation) =>
    variation.options.flatMap(({ id, option }) => (id === attributeId ? [] : option)).join(" ");
  const all = new Set(byOption.flat().map(othersOf)).size;
  return byOption.flatMap((same) => {
    const option = optionOf(same[0], attributeId)?.option ?? "";
    return same.length < all
      ? fillText(texts.gift.comesIn, { option, options: list.format(same.map(othersOf)) })
      : [];
  });
}

/** The radio buttons for all variations, or for the options of one attribute. */
interface Group {
  legend: string;
  name: string;
  options: [value: string, label: string][];
  chosen: string | undefined;
  /** What exists together. */
  limits?: string[];
}

interface OptionsProps extends Group, Pick<ChoiceFormProps, "page" | "gift" | "choice"> {
  problem: string | null;
}

function Options(input: OptionsProps) {
  const { page, gift, choice, legend, name, options, chosen, limits, problem } = input;
  const { lang } = catalogueText(gift, choice.product, "options");
  const attributes = naturalCase(legend, {
    language: lang.startsWith("de") ? lang : page.locale.language,
  });
  const { choose } = page.texts.gift;
  const focused = options.find(([value]) => value === chosen) ?? options[0];
  return (
    <fieldset {...(problem && { "aria-describedby": PROBLEM_ID })}>
      <legend>
        {fill(/^[aeiou]/.test(attributes) ? choose.replace(" a {", " an {") : choose, {
          attributes: <bdi lang={lang}>{attributes}</bdi>,
        })}
      </legend>
      {problem && (
        <p id={PROBLEM_ID} class="fault" role="alert">
          {problem}
        </p>
      )}
      <div class="options" lang={lang}>
        {options.map((option) => (
          <label class="option">
            <input
              type="radio"
              name={name}
              value={option[0]}
              checked={option[0] === chosen}
              required
              autofocus={problem !== null && option === focused}
            />
            <bdi>{option[1]}</bdi>
          </label>
        ))}
      </div>
      {limits?.map((limit) => (
        <p class="hint">{limit}</p>
      ))}
    </fieldset>
  );
}
