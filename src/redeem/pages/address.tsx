// The second step: where the gift is sent.
import type { Child } from "hono/jsx";
import { PLATFORM_BRANDING } from "../../clients/profile.ts";
import { addressFormatOf, type FormattedField } from "../address-format.ts";
import { shippingCountries } from "../countries.ts";
import {
  type FormField,
  MAX_LENGTHS,
  type Problems,
  type RecipientInput,
  type Values,
} from "../form.ts";
import type { Gift, GiftProduct } from "../gift.ts";
import { maskedEmail } from "../mask.ts";
import type { PageContext } from "../page-context.ts";
import type { HtmlPage } from "./layout.tsx";
import { actionUrl, FORM_ID, HiddenFields, PageLink } from "./page-link.tsx";
import { ActionBar, Steps, stepTitle } from "./steps.tsx";
import { fill, fillText, Name } from "./text.tsx";

export interface AddressPageInput {
  page: PageContext;
  gift: Gift;
  choice: GiftProduct;
  variationId: number | null;
  values: Values;
  input: Pick<RecipientInput, "variationIds">;
  problems: Problems;
}

export function addressPage(input: AddressPageInput): HtmlPage {
  const { page, gift, choice, variationId, values, problems } = input;
  const { texts } = page;
  const { product } = choice;
  const isDigital = product.delivery === "digital";
  const heading = isDigital ? texts.address.emailTitle : texts.address.title;
  const title = stepTitle(page, "address", heading);
  const branding = gift.branding ?? PLATFORM_BRANDING;
  const fields: FormField[] = isDigital
    ? ["delivery_email"]
    : ["country", ...addressFormatOf(values.country).map(({ name }) => name), "delivery_notes"];
  const others = input.input.variationIds.filter((id) => id !== variationId);
  return {
    title: problems.size > 0 ? fillText(texts.problems.pageTitle, { title }) : title,
    branding,
    logo: branding.logo,
    pictures: [],
    here: { step: "address", productId: product.id, variationId },
    typed: true,
    content: (
      <section class="panel">
        <Steps page={page} current="address" />
        {problems.size > 0 && <Problems page={page} problems={problems} values={values} />}
        <h1>{heading}</h1>
        <form id={FORM_ID} class="fields" method="post" action={actionUrl(page)} novalidate>
          <DefaultButton />
          <input type="hidden" name="product_id" value={String(product.id)} />
          {variationId !== null && (
            <input type="hidden" name="variation_id" value={String(variationId)} />
          )}
          <HiddenFields typed={{ values, variationIds: others }} shown={fields} />
          {isDigital ? <EmailField {...input} /> : <AddressFields {...input} />}
        </form>
        <p class="hint privacy">
          {fill(texts.address.privacy, { company: <Name>{gift.company}</Name> })}
        </p>
        <ActionBar step="confirm" label={texts.gift.continue}>
          <PageLink page={page} to={{ step: "gift", productId: product.id }} typed>
            {texts.address.back}
          </PageLink>
        </ActionBar>
      </section>
    ),
  };
}

/** The form's first button, which Enter in a field activates. The main button comes after that of the country. */
function DefaultButton() {
  return <button class="hidden" name="step" value="confirm" tabindex={-1} aria-hidden="true" />;
}

function EmailField({ page, gift, values, problems }: AddressPageInput) {
  const { texts } = page;
  return (
    <>
      <p>
        {fill(texts.address.emailTo, { email: <bdi class="email">{maskedEmail(gift.email)}</bdi> })}
      </p>
      <Row page={page} field="delivery_email" values={values} problems={problems} isOptional>
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

const AUTOCOMPLETE: Record<FormattedField["name"], string> = {
  address_line_1: "address-line1",
  address_line_2: "address-line2",
  suburb: "address-level2",
  state: "address-level1",
  postcode_zipcode: "postal-code",
};

function AddressFields(input: AddressPageInput) {
  const { page, values, problems } = input;
  const { texts } = page;
  const rowProps = { page, values, problems };
  return (
    <>
      <p class="hint">{texts.address.hint}</p>
      <Row {...rowProps} field="country" isOptional={false}>
        <CountrySelect {...input} />
      </Row>
      {addressFormatOf(values.country).map(({ name, required, initial }) => (
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
function CountrySelect({ page, choice, values, problems }: AddressPageInput) {
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

interface RowProps {
  page: PageContext;
  field: FormField;
  values: Values;
  problems: Problems;
  isOptional: boolean;
  children: Child;
}

function Row({ page, field, values, problems, isOptional, children }: RowProps) {
  const problem = problemText(page, field, values, problems);
  const label = labelOf(page, field, values);
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

/** The label of a field, which follows the country. */
function labelOf({ texts }: PageContext, field: FormField, values: Values): string {
  if (field === "country" || field === "delivery_notes" || field === "delivery_email") {
    return texts.address[field];
  }
  const format = addressFormatOf(values.country).find(({ name }) => name === field);
  return texts.labels[format?.label ?? "address_line_1"];
}

/** The error message of a field, or an empty text. */
function problemText(page: PageContext, field: FormField, values: Values, problems: Problems) {
  const problem = problems.get(field);
  if (problem === undefined) return "";
  const { texts } = page;
  if (problem === "unavailable") return texts.problems.unavailable;
  const template = field === "delivery_email" ? texts.problems.email : texts.problems[problem];
  return fillText(template, { field: labelOf(page, field, values), max: MAX_LENGTHS[field] });
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

interface ProblemsProps {
  page: PageContext;
  problems: Problems;
  values: Values;
}

function Problems({ page, problems, values }: ProblemsProps) {
  return (
    <div class="notice fault" role="alert" tabindex={-1} autofocus>
      <h2>{page.texts.problems.title}</h2>
      <ul>
        {[...problems.keys()]
          .filter((field) => field !== "variation_id")
          .map((field) => (
            <li>
              <a href={`#${field}`}>{problemText(page, field, values, problems)}</a>
            </li>
          ))}
      </ul>
    </div>
  );
}
