// The second step: where the gift is sent.
import { addressFormatOf } from "../../../core/address/format.ts";
import type { Problems, Values } from "../form.ts";
import type { Gift, GiftProduct } from "../gift.ts";
import type { PageContext } from "../page-context.ts";
import { AddressFields, addressLabels, EmailField, emailLabels } from "./fields.tsx";
import { HiddenInput } from "./hidden-fields.tsx";
import type { HtmlPage } from "./layout.tsx";
import { actionUrl, FORM_ID, PageLink } from "./page-link.tsx";
import { type FieldsProps, problemText } from "./problem-text.ts";
import { ActionBar, Steps, stepTitle } from "./steps.tsx";
import { fill, fillText, Name } from "./text.tsx";

export interface AddressPageInput {
  page: PageContext;
  gift: Gift;
  choice: GiftProduct;
  variationId: number | null;
  values: Values;
  /** All variations that the recipient has chosen. */
  variationIds: number[];
  problems: Problems;
  /** Whether other gifts ship to the country. */
  hasOthers?: boolean;
}

export function addressPage(input: AddressPageInput): HtmlPage {
  const { page, gift, choice, variationId, variationIds, values, problems } = input;
  const { texts } = page;
  const { product } = choice;
  const isDigital = product.delivery === "digital";
  const { accepted, address } = texts;
  const [forAddress, forEmail] = page.isCorrection
    ? [accepted.correct, accepted.correctEmail]
    : [address.title, address.emailTitle];
  const heading = isDigital ? forEmail : forAddress;
  const title = stepTitle(page, "address", heading);
  const format = addressFormatOf(page.addresses, values.country, values);
  const labels = isDigital ? emailLabels(page) : addressLabels(page, format);
  const fields = { page, labels, values, problems };
  return {
    title: problems.size > 0 ? fillText(texts.problems.pageTitle, { title }) : title,
    branding: gift.branding,
    pictures: [],
    here: { step: "address", productId: product.id, variationId },
    keepsInput: true,
    content: (
      <section class="panel">
        <Steps page={page} current="address" />
        <h1>{heading}</h1>
        {problems.size > 0 && <Problems {...fields} {...input} />}
        <form id={FORM_ID} class="fields" method="post" action={actionUrl(page)} novalidate>
          <DefaultButton />
          <HiddenInput
            productId={product.id}
            variationId={variationId}
            typed={{ values, variationIds }}
            shown={[...labels.keys()]}
          />
          {isDigital ? (
            <EmailField {...input} labels={labels} />
          ) : (
            <AddressFields {...input} format={format} labels={labels} />
          )}
        </form>
        <p class="hint privacy">
          {fill(texts.address.privacy, { company: <Name>{gift.company}</Name> })}
        </p>
        <ActionBar step="confirm" label={texts.gift.continue}>
          <PageLink page={page} to={{ step: "gift", productId: product.id }} keepsInput>
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

type ProblemsProps = FieldsProps & Pick<AddressPageInput, "gift" | "hasOthers">;

/** The problems, in the order of the fields. */
function Problems({ gift, hasOthers, ...fields }: ProblemsProps) {
  const { page, problems, labels } = fields;
  const { texts } = page;
  const others = { step: "others", after: null } as const;
  return (
    <div class="notice fault" role="alert" tabindex={-1} autofocus>
      <h2>{texts.problems.title}</h2>
      <ul>
        {[...labels.keys()]
          .filter((field) => problems.has(field))
          .map((field) => (
            <li>
              <a href={`#${field}`}>{problemText(fields, field)}</a>
            </li>
          ))}
      </ul>
      {problems.get("country") === "unavailable" && (
        <>
          {hasOthers && (
            <p>
              <PageLink page={page} to={others} keepsInput>
                {texts.problems.otherGifts}
              </PageLink>
            </p>
          )}
          <p>{fill(texts.problems.ask, { company: <Name>{gift.company}</Name> })}</p>
        </>
      )}
    </div>
  );
}
