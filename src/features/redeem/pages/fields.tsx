// The fields of the second step: an address, or an e-mail address.
import type { Child } from "hono/jsx";
import type { FormattedField } from "../address-format.ts";
import { shippingCountries } from "../countries.ts";
import { type FormField, MAX_LENGTHS, type Problems, type Values } from "../form.ts";
import type { Gift, GiftProduct } from "../gift.ts";
import { maskedEmail } from "../mask.ts";
import type { PageContext } from "../page-context.ts";
import { fill, fillText } from "./text.tsx";

/** The label of each field of the page, in order. */
export type Labels = ReadonlyMap<FormField, string>;

/** `format` has the fields of the address. */
export function addressLabels({ texts }: PageContext, format: FormattedField[]): Labels {
  return new Map<FormField, string>([
    ["country", texts.address.country],
    ...format.map(({ name, label }) => [name, texts.labels[label]] as const),
    ["delivery_notes", texts.address.delivery_notes],
  ]);
}

export const emailLabels = ({ texts }: PageContext): Labels =>
  new Map([["delivery_email", texts.address.delivery_email]]);

interface FieldsProps {
  page: PageContext;
  labels: Labels;
  values: Values;
  problems: Problems;
}

/** The field in which the recipient of a digital gift corrects the e-mail address. */
export function EmailField(input: FieldsProps & { gift: Gift }) {
  const { page, gift, labels, values, problems } = input;
  const { texts, isCorrection } = page;
  const present = gift.deliveryEmail ?? gift.email;
  return (
    <>
      <p>{fill(texts.address.emailTo, { email: <bdi>{maskedEmail(present)}</bdi> })}</p>
      <Row
        page={page}
        field="delivery_email"
        labels={labels}
        problems={problems}
        isOptional={!isCorrection}
      >
        {!isCorrection && (
          <p class="hint" id="delivery_email-hint">
            {texts.address.emailHint}
          </p>
        )}
        <input
          {...inputProps("delivery_email", problems, !isCorrection)}
          type="email"
          value={values.delivery_email}
          autocomplete="email"
        />
      </Row>
    </>
  );
}

const AUTOCOMPLETE: Record<FormattedField["name"], string> = {
  address_line_1: "address-line1",
  address_line_2: "address-line2",
  suburb: "address-level2",
  state: "address-level1",
  postcode_zipcode: "postal-code",
};

interface AddressFieldsProps extends FieldsProps {
  choice: GiftProduct;
  format: FormattedField[];
}

/** The fields of an address, in the format of the selected country. */
export function AddressFields(input: AddressFieldsProps) {
  const { page, format, labels, values, problems } = input;
  const { texts } = page;
  const rowProps = { page, labels, problems };
  return (
    <>
      <p class="hint">{page.isCorrection ? texts.accepted.correctHint : texts.address.hint}</p>
      <Row {...rowProps} field="country" isOptional={false}>
        <CountrySelect {...input} />
      </Row>
      {format.map(({ name, required, initial }) => (
        <Row {...rowProps} field={name} isOptional={!required}>
          <input
            {...inputProps(name, problems)}
            type="text"
            value={values[name] || initial}
            autocomplete={`shipping ${AUTOCOMPLETE[name]}`}
            required={required}
          />
        </Row>
      ))}
      <Row {...rowProps} field="delivery_notes" isOptional>
        <p class="hint" id="delivery_notes-hint">
          {texts.address.notesHint}
        </p>
        <textarea {...inputProps("delivery_notes", problems, true)} rows={3}>
          {values.delivery_notes}
        </textarea>
      </Row>
    </>
  );
}

/** The countries to which the gift ships. The other fields follow the country when the button is pressed. */
function CountrySelect({ page, choice, values, problems }: AddressFieldsProps) {
  const countries = shippingCountries(choice.product.locations, page.locale.language);
  return (
    <div class="country-row">
      <select {...inputProps("country", problems)} autocomplete="shipping country" required>
        {!countries.some(({ code }) => code === values.country) && <option value=""></option>}
        {countries.map(({ code, name }) => (
          <option value={code} selected={code === values.country}>
            {name}
          </option>
        ))}
      </select>
      {countries.length > 1 && (
        <button class="textual" name="step" value="address">
          {page.texts.address.changeCountry}
        </button>
      )}
    </div>
  );
}

interface RowProps extends Omit<FieldsProps, "values"> {
  field: FormField;
  isOptional: boolean;
  children: Child;
}

/** A field with its label and its error message. */
function Row({ page, field, labels, problems, isOptional, children }: RowProps) {
  const problem = problemText(page, field, labels, problems);
  const label = labels.get(field) ?? "";
  return (
    <div class={`field ${field}`}>
      <label for={field}>
        {isOptional ? fillText(page.texts.address.optional, { field: label }) : label}
      </label>
      {problem && (
        <p id={`${field}-problem`} class="fault">
          {problem}
        </p>
      )}
      {children}
    </div>
  );
}

/** The error message of a field. Empty if the field is valid. */
export function problemText(
  page: PageContext,
  field: FormField,
  labels: Labels,
  problems: Problems,
): string {
  const problem = problems.get(field);
  if (problem === undefined) return "";
  const { texts } = page;
  if (problem === "unavailable") return texts.problems.unavailable;
  const template = field === "delivery_email" ? texts.problems.email : texts.problems[problem];
  return fillText(template, { field: labels.get(field) ?? "", max: MAX_LENGTHS[field] });
}

function inputProps(field: FormField, problems: Problems, hasHint = false) {
  const described = [
    ...(hasHint ? [`${field}-hint`] : []),
    ...(problems.has(field) ? [`${field}-problem`] : []),
  ];
  return {
    id: field,
    name: field,
    ...(field !== "country" && { dir: "auto", maxlength: MAX_LENGTHS[field] }),
    ...(problems.has(field) && { "aria-invalid": "true" }),
    ...(described.length > 0 && { "aria-describedby": described.join(" ") }),
  };
}
