// The fields of the form: an address, or an e-mail address.
import type { Child } from "hono/jsx";
import { type FormattedField, phoneIsRequired } from "../../../core/address/format.ts";
import { rulesOf } from "../../../core/address/rules.ts";
import { type FormField, MAX_LENGTHS, type Problems, type RecipientField } from "../form.ts";
import { isFamilyFirst } from "../../pages/full-name.ts";
import type { GiftProduct, PageGift } from "../../pages/gift.ts";
import { maskedEmail } from "../mask.ts";
import type { PageContext } from "../../pages/page-context.ts";
import { fieldProps, type FieldsProps, type Labels, problemText } from "./problem-text.ts";
import { CompanyLink } from "./company-link.tsx";
import { PageLink } from "../../pages/page-link.tsx";
import { CountrySelect, StateSelect } from "./region-selects.tsx";
import { fill, fillText } from "../../pages/text.tsx";

/** `format` has the fields of the address. */
export function addressLabels(page: PageContext, format: FormattedField[]): Labels {
  const { texts } = page;
  return new Map<FormField, string>([
    ["country", texts.address.country],
    ...nameLabels(page),
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
  return (isFamilyFirst(locale) ? names.toReversed() : [...names]).map((name) => [
    name,
    texts.address[name],
  ]);
}

/** The field in which the recipient of a digital gift corrects the e-mail address. */
export function EmailField(input: FieldsProps & { gift: PageGift }) {
  const { page, gift, values, problems } = input;
  const { texts, isCorrection } = page;
  const email = <bdi>{maskedEmail(gift.deliveryEmail ?? gift.email)}</bdi>;
  return (
    <>
      <p>{gift.isMailed === 1 ? fill(texts.address.emailTo, { email }) : email}</p>
      <NameFields {...input} />
      <Row {...input} field="delivery_email" isOptional={!isCorrection}>
        {!isCorrection && (
          <p class="hint" id="delivery_email-hint">
            {texts.address.emailHint}
          </p>
        )}
        <input
          {...inputProps("delivery_email", problems, !isCorrection)}
          // The type `email` would encode a domain in another script.
          type="text"
          inputmode="email"
          autocapitalize="none"
          spellcheck={false}
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
            required={name === "first_name"}
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

/** The keyboard for postcodes like the examples. Spaces and hyphens need not be typed. */
const postcodeKeys = (examples: string[] = []) =>
  examples.length > 0 && examples.every((example) => /^[\d\s-]+$/.test(example))
    ? { inputmode: "numeric" as const }
    : { autocapitalize: "characters" as const };

interface OthersLinkProps {
  page: PageContext;
  /** Whether other gifts ship to the country. */
  hasOthers?: boolean;
}

/** Leads to the gifts that ship to the country. */
export const OthersLink = ({ page, hasOthers, label }: OthersLinkProps & { label: string }) =>
  hasOthers ? (
    <p>
      <PageLink page={page} to={{ step: "others" }} class="secondary">
        {label}
      </PageLink>
    </p>
  ) : null;

interface AddressFieldsProps extends FieldsProps, OthersLinkProps {
  gift: PageGift;
  choice: GiftProduct;
  format: FormattedField[];
}

/** The fields of the recipient and of an address, in the format of the selected country. */
export function AddressFields(input: AddressFieldsProps) {
  const { page, format, values, problems } = input;
  const { texts } = page;
  const rules = rulesOf(page.addresses, values.country);
  const states = rules.states?.filter(({ isRegion }) => !isRegion);
  const isPhoneRequired = phoneIsRequired(page.addresses, values.country);
  return (
    <>
      <p class="hint">{page.isCorrection ? texts.accepted.correctHint : texts.address.hint}</p>
      <Row {...input} field="country" isOptional={false}>
        <CountrySelect {...input} />
        {problems.get("country") === "unavailable" && (
          <>
            <OthersLink {...input} label={texts.problems.otherGifts} />
            <p>{fill(texts.problems.ask, { company: <CompanyLink {...input} /> })}</p>
          </>
        )}
      </Row>
      <NameFields {...input} />
      {format.map((field) => (
        <Row {...input} field={field.name} isOptional={!field.required}>
          {field.name === "state" && states ? (
            <StateSelect {...input} states={states} required={field.required} />
          ) : (
            <input
              {...inputProps(field.name, problems)}
              type="text"
              value={values[field.name] || field.initial}
              autocomplete={`shipping ${AUTOCOMPLETE[field.name]}`}
              required={field.required}
              {...(field.name === "postcode_zipcode" && postcodeKeys(rules.examples))}
            />
          )}
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

function inputProps(field: FormField, problems: Problems, hasHint = false) {
  return { ...fieldProps(field, problems, hasHint), dir: "auto", maxlength: MAX_LENGTHS[field] };
}
