// The form to accept a gift: variation, address and delivery notes.
import type { Child } from "hono/jsx";
import { REQUIRED_ADDRESS_FIELDS } from "../../orders/address.ts";
import { copy } from "./copy.ts";
import {
  ADDRESS_FIELDS,
  type AddressField,
  type FormField,
  MAX_LENGTHS,
  type Problems,
  type Typed,
} from "../form.ts";
import type { Gift, GiftProduct } from "../gift.ts";
import { attributeNames, ChosenVariation, variationName } from "./layout.tsx";
import { HiddenFields, FORM_ID } from "./page-link.tsx";

export interface AcceptFormInput extends Typed {
  gift: Gift;
  /** The gift to accept: the offered one, or another one that the recipient views. */
  choice: GiftProduct;
  /** The available variations of `choice`, at least one. */
  options: (number | null)[];
  problems: Problems;
}

/** The error message of a field, or an empty text. */
export function faultOf(problems: Problems, field: FormField | "variation_id"): string {
  const problem = problems.get(field);
  if (problem === undefined) return "";
  if (problem === "unavailable") return copy.faults.unavailable;
  return problem === "required" || field === "variation_id"
    ? copy.faults.required[field]
    : copy.faults.invalid(copy.fields[field], MAX_LENGTHS[field]);
}

/** The DOM id of the first option. The list of invalid fields links to it. */
export const variationDomId = ({ product }: GiftProduct) => `variation-of-${String(product.id)}`;

export function AcceptForm(input: AcceptFormInput) {
  const { gift, choice, values, variationIds, problems } = input;
  const { product } = choice;
  const ofOthers = variationIds.filter((id) => !product.variations.some((own) => own.id === id));
  const isPhysical = product.delivery === "physical";
  // A digital gift needs no address. The entered address is kept, because the recipient may still choose a physical
  // gift.
  const carriesAddress = !isPhysical && gift.giftOfChoice === "Y";
  return (
    <form id={FORM_ID} class="accept" method="post" action="?" novalidate>
      <input type="hidden" name="product_id" value={String(product.id)} />
      <HiddenFields variationIds={ofOthers} {...(carriesAddress && { values })} />
      <Variations {...input} />
      {isPhysical ? (
        <Delivery values={values} problems={problems} />
      ) : (
        <p class="digital">{copy.digital}</p>
      )}
      <button class="primary">{copy.accept}</button>
      <p class="hint">{copy.onceOnly}</p>
    </form>
  );
}

function Variations({ gift, choice, options, variationIds, problems }: AcceptFormInput) {
  const { product } = choice;
  const [first] = options;
  if (first === null || first === undefined) return null;
  if (options.length === 1) {
    return (
      <>
        <ChosenVariation product={product} id={first} />
        <input type="hidden" name="variation_id" value={String(first)} />
      </>
    );
  }
  const chosen = variationIds.find((id) => options.includes(id)) ?? gift.offeredVariationId;
  const fault = faultOf(problems, "variation_id");
  return (
    <fieldset {...(fault && { "aria-describedby": "variation-fault" })}>
      <legend>{copy.chooseVariation(attributeNames(product))}</legend>
      {fault && (
        <p id="variation-fault" class="fault">
          {fault}
        </p>
      )}
      <div class="options">
        {options.map((id, index) => (
          <label class="option">
            <input
              type="radio"
              name="variation_id"
              value={String(id)}
              checked={id === chosen}
              required
              {...(index === 0 && { id: variationDomId(choice) })}
            />
            <bdi>{variationName(product, id)}</bdi>
          </label>
        ))}
      </div>
    </fieldset>
  );
}

/** The hint in the label of an optional field. Empty for a required field. */
function optionalNote(field: FormField): string {
  if (field === "postcode_zipcode") return copy.postcodeIsOptional;
  return (REQUIRED_ADDRESS_FIELDS as readonly FormField[]).includes(field) ? "" : copy.optional;
}

const AUTOCOMPLETE: Record<AddressField, string> = {
  address_line_1: "address-line1",
  address_line_2: "address-line2",
  suburb: "address-level2",
  state: "address-level1",
  postcode_zipcode: "postal-code",
  country: "country-name",
};

function Delivery({ values, problems }: Pick<AcceptFormInput, "values" | "problems">) {
  return (
    <fieldset>
      <legend>{copy.whereTo}</legend>
      <p class="hint">{copy.fillIn}</p>
      <div class="fields">
        {ADDRESS_FIELDS.map((field) => (
          <Row field={field} problems={problems}>
            <input
              {...inputProps(field, problems)}
              type="text"
              value={values[field]}
              autocomplete={`shipping ${AUTOCOMPLETE[field]}`}
              required={!optionalNote(field)}
            />
          </Row>
        ))}
        <Row field="delivery_notes" problems={problems}>
          <p class="hint" id="delivery_notes-hint">
            {copy.notesHint}
          </p>
          <textarea {...inputProps("delivery_notes", problems)} rows={3}>
            {values.delivery_notes}
          </textarea>
        </Row>
      </div>
    </fieldset>
  );
}

function Row(props: { field: FormField; problems: Problems; children: Child }) {
  const { field, problems, children } = props;
  const fault = faultOf(problems, field);
  const optional = optionalNote(field);
  return (
    <div class={`field ${field}`}>
      <label for={field}>
        {copy.fields[field]} {optional && <span class="optional">({optional})</span>}
      </label>
      {fault && (
        <p id={`${field}-fault`} class="fault">
          {fault}
        </p>
      )}
      {children}
    </div>
  );
}

function inputProps(field: FormField, problems: Problems) {
  const described = [
    ...(field === "delivery_notes" ? ["delivery_notes-hint"] : []),
    ...(problems.has(field) ? [`${field}-fault`] : []),
  ];
  return {
    id: field,
    name: field,
    dir: "auto",
    maxlength: MAX_LENGTHS[field],
    ...(problems.has(field) && { "aria-invalid": "true" }),
    ...(described.length > 0 && { "aria-describedby": described.join(" ") }),
  };
}
