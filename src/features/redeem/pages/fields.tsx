// The fields of the second step: an address, or an e-mail address.
import type { Child } from "hono/jsx";
import { type FormattedField, phoneIsRequired } from "../address-format.ts";
import { rulesOf, stateIn } from "../address-rules.ts";
import { countryName, type NamedCountry, shippingCountries } from "../countries.ts";
import {
  type FieldProblem,
  type FormField,
  MAX_LENGTHS,
  type Problems,
  type RecipientField,
  type Values,
} from "../form.ts";
import type { Gift, GiftProduct } from "../gift.ts";
import { maskedEmail } from "../mask.ts";
import type { PageContext } from "../page-context.ts";
import { fill, fillText, naturalCase } from "./text.tsx";

/** The label of each field of the page, in order. */
export type Labels = ReadonlyMap<FormField, string>;

/** `format` has the fields of the address. */
export function addressLabels(page: PageContext, format: FormattedField[]): Labels {
  const { texts } = page;
  return new Map<FormField, string>([
    ...nameLabels(page),
    ["country", texts.address.country],
    ...format.map(({ name, label }) => [name, texts.labels[label]] as const),
    ["phone_number", texts.address.phone_number],
    ["delivery_notes", texts.address.delivery_notes],
  ]);
}

export const emailLabels = (page: PageContext): Labels =>
  new Map<FormField, string>([
    ...nameLabels(page),
    ["delivery_email", page.texts.address.delivery_email],
  ]);

type NameField = Exclude<RecipientField, "phone_number">;

/** The names in the order of the page's language. */
function nameLabels({ texts, locale }: PageContext): [NameField, string][] {
  const names = ["first_name", "last_name"] as const;
  const isFamilyFirst = ["ja", "zh"].includes(locale.language);
  return (isFamilyFirst ? names.toReversed() : [...names]).map((name) => [
    name,
    texts.address[name],
  ]);
}

export interface FieldsProps {
  page: PageContext;
  labels: Labels;
  values: Values;
  problems: Problems;
}

/** The field in which the recipient of a digital gift corrects the e-mail address. */
export function EmailField(input: FieldsProps & { gift: Gift }) {
  const { page, gift, values, problems } = input;
  const { texts } = page;
  return (
    <>
      <p>{fill(texts.address.emailTo, { email: <bdi>{maskedEmail(gift.email)}</bdi> })}</p>
      <NameFields {...input} />
      <Row {...input} field="delivery_email" isOptional>
        <p class="hint" id="delivery_email-hint">
          {texts.address.emailHint}
        </p>
        <input
          {...inputProps("delivery_email", problems, true)}
          type="email"
          value={values.delivery_email}
          autocomplete="email"
        />
      </Row>
    </>
  );
}

const NAME_AUTOCOMPLETE = { first_name: "given-name", last_name: "family-name" };

function NameFields(input: FieldsProps) {
  const { page, values, problems } = input;
  return (
    <>
      {nameLabels(page).map(([name]) => (
        <Row {...input} field={name} isOptional={false}>
          <input
            {...inputProps(name, problems)}
            type="text"
            value={values[name]}
            autocomplete={`shipping ${NAME_AUTOCOMPLETE[name]}`}
            required
          />
        </Row>
      ))}
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

/** The fields of the recipient and of an address, in the format of the selected country. */
export function AddressFields(input: AddressFieldsProps) {
  const { page, format, values, problems } = input;
  const { texts } = page;
  const isPhoneRequired = phoneIsRequired(values.country);
  return (
    <>
      <p class="hint">{texts.address.hint}</p>
      <NameFields {...input} />
      <Row {...input} field="country" isOptional={false}>
        <CountrySelect {...input} />
      </Row>
      {format.map((field) => (
        <Row {...input} field={field.name} isOptional={!field.required}>
          <AddressField {...input} field={field} />
        </Row>
      ))}
      <Row {...input} field="phone_number" isOptional={!isPhoneRequired}>
        <p class="hint" id="phone_number-hint">
          {texts.address.phoneHint}
        </p>
        <input
          {...inputProps("phone_number", problems, true)}
          type="tel"
          value={values.phone_number}
          autocomplete="shipping tel"
          required={isPhoneRequired}
        />
      </Row>
      <Row {...input} field="delivery_notes" isOptional>
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

/** A text field, or the list of the country's states. A value that is not in the list is an option too, so that it is not lost. */
function AddressField(input: FieldsProps & { field: FormattedField }) {
  const { page, values, problems } = input;
  const { name, initial, required } = input.field;
  const country = rulesOf(page.addresses, values.country);
  const value = values[name] || initial;
  const autocomplete = `shipping ${AUTOCOMPLETE[name]}`;
  if (name !== "state" || !country.states) {
    return (
      <input
        {...inputProps(name, problems)}
        type="text"
        value={value}
        autocomplete={autocomplete}
        required={required}
      />
    );
  }
  const selected = stateIn(country, value)?.value ?? value;
  const { language } = page.locale;
  const { compare } = new Intl.Collator(language);
  const states = country.states.map((state) => ({
    value: state.value,
    text:
      country.language === undefined
        ? (state.name ?? state.value)
        : country.language === language || state.name === undefined
          ? state.value
          : `${state.name} (${state.value})`,
  }));
  // In their own script, the states keep the order of the data.
  if (country.language !== language) states.sort((a, b) => compare(a.text, b.text));
  return (
    <select {...inputProps(name, problems)} autocomplete={autocomplete} required={required}>
      <option value=""></option>
      {selected !== "" && !states.some((state) => state.value === selected) && (
        <option value={selected} selected>
          {selected}
        </option>
      )}
      {states.map((state) => (
        <option value={state.value} selected={state.value === selected}>
          {state.text}
        </option>
      ))}
    </select>
  );
}

/** All countries, first those to which the gift ships. The other fields follow the country when the button is pressed. */
function CountrySelect({ page, choice, values, problems }: AddressFieldsProps) {
  const { texts, locale } = page;
  const { shipping, others } = shippingCountries(choice.product.locations, locale.language);
  const isKnown = [...shipping, ...others].some(({ code }) => code === values.country);
  const options = (countries: NamedCountry[]) =>
    countries.map(({ code, name }) => (
      <option value={code} selected={code === values.country}>
        {name}
      </option>
    ));
  return (
    <div class="country-row">
      <select {...inputProps("country", problems)} autocomplete="shipping country" required>
        {!isKnown && <option value=""></option>}
        {others.length === 0 ? (
          options(shipping)
        ) : (
          <>
            <optgroup label={texts.address.shipsTo}>{options(shipping)}</optgroup>
            <optgroup label={texts.address.otherCountries}>{options(others)}</optgroup>
          </>
        )}
      </select>
      <button class="textual" name="step" value="address">
        {texts.address.changeCountry}
      </button>
    </div>
  );
}

interface RowProps extends FieldsProps {
  field: FormField;
  isOptional: boolean;
  children: Child;
}

/** A field with its label and its error message. */
function Row({ field, isOptional, children, ...fields }: RowProps) {
  const { page, labels } = fields;
  const problem = problemText(fields, field);
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

/** What to enter in the field. Empty if the field is valid. */
export function problemText(fields: FieldsProps, field: FormField): string {
  const { page, labels, values, problems } = fields;
  const problem = problems.get(field);
  if (problem === undefined) return "";
  const { locale, addresses } = page;
  const { states, examples } = rulesOf(addresses, values.country);
  const state = states && stateIn({ states }, values.state);
  return fillText(templateOf(fields, field, problem), {
    field: naturalCase(labels.get(field) ?? "", locale),
    max: MAX_LENGTHS[field],
    example: examples?.[0] ?? "",
    postcode: values.postcode_zipcode,
    state: state?.name ?? state?.value ?? "",
    country: countryName(values.country, locale.language),
  });
}

function templateOf(
  { page, labels, values }: FieldsProps,
  field: FormField,
  problem: FieldProblem,
) {
  const { labels: labelTexts, problems: texts } = page.texts;
  const { states, examples } = rulesOf(page.addresses, values.country);
  if (problem === "unavailable" || problem === "mismatch") return texts[problem];
  if (field === "delivery_email") return texts.email;
  if (field === "phone_number") return texts.phone;
  if (field === "country" || (field === "state" && states)) return texts.choose;
  if (field === "postcode_zipcode" && examples) {
    return labels.get(field) === labelTexts.eircode ? texts.eircode : texts.postcode;
  }
  return texts[problem];
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
