// The page on which the recipient enters where the gift is sent, and accepts it.
import { addressFormatOf } from "../../../core/address/format.ts";
import { type Problems, shownValues, type Values } from "../form.ts";
import type { GiftProduct, PageGift } from "../../pages/gift.ts";
import type { PageContext } from "../../pages/page-context.ts";
import { AddressFields, addressLabels, EmailField, emailLabels } from "./fields.tsx";
import type { HtmlPage } from "../../pages/layout.tsx";
import { Notice, type NoticeTexts } from "./notice.tsx";
import { ActionBar, actionUrl, FORM_ID, PageLink } from "../../pages/page-link.tsx";
import { Picture } from "../../pages/picture.tsx";
import { type FieldsProps, problemText } from "./problem-text.ts";
import { catalogueText, ChosenVariation } from "../../pages/product.tsx";
import { fill, fillText, Name } from "../../pages/text.tsx";

export interface AddressPageInput {
  page: PageContext;
  gift: PageGift;
  choice: GiftProduct;
  variationId: number | null;
  values: Values;
  problems: Problems;
  /** Why another gift was not available. */
  notice?: NoticeTexts | undefined;
  /** Whether other gifts ship to the country. */
  hasOthers?: boolean;
}

export function addressPage(input: AddressPageInput): HtmlPage {
  const { page, gift, choice, variationId, values, problems, notice } = input;
  const { texts, isCorrection } = page;
  const { product } = choice;
  const isDigital = product.delivery === "digital";
  const { accepted, address, confirm } = texts;
  const [forAddress, forEmail] = isCorrection
    ? [accepted.correct, accepted.correctEmail]
    : [address.title, gift.isMailed === 1 ? address.emailTitle : accepted.email];
  const title = isDigital ? forEmail : forAddress;
  const format = addressFormatOf(page.addresses, values.country, values);
  const labels = isDigital ? emailLabels(page) : addressLabels(page, format);
  const fields = { page, labels, values, problems };
  const company = <Name>{gift.company}</Name>;
  return {
    title: problems.size > 0 ? fillText(texts.problems.pageTitle, { title }) : title,
    branding: gift.branding,
    pictures: [product.featuredImage],
    here: { step: "address", productId: product.id, variationId },
    keepsInput: true,
    content: (
      <section class="panel">
        {notice && (
          <Notice {...notice}>
            <OthersLink {...input} label={texts.others.below} />
          </Notice>
        )}
        <h1>{title}</h1>
        {problems.size > 0 && <Problems {...fields} {...input} />}
        <form id={FORM_ID} class="fields" method="post" action={actionUrl(page)} novalidate>
          {/* Enter in a field activates the first button, and must not accept the gift. */}
          <button hidden disabled />
          <HiddenInput {...input} isDigital={isDigital} />
          {isDigital ? (
            <EmailField {...input} labels={labels} />
          ) : (
            <AddressFields {...input} format={format} labels={labels} />
          )}
        </form>
        <p class="hint privacy">{fill(address.privacy, { company })}</p>
        {!isCorrection && (
          <section class="summary" aria-labelledby="summary">
            <h2 id="summary">{confirm.gift}</h2>
            <div class="receipt">
              <Picture page={page} url={product.featuredImage} alt="" sizes="7rem" />
              <div>
                <p class="name" {...catalogueText(gift, product, "name")}>
                  {product.name}
                </p>
                <ChosenVariation product={product} gift={gift} id={variationId} />
                <PageLink page={page} to={{ step: "gift", productId: product.id, variationId }}>
                  {gift.giftOfChoice === "Y" ? confirm.changeGift : texts.others.back}
                </PageLink>
              </div>
            </div>
          </section>
        )}
        <p class="hint">{isCorrection ? fill(accepted.correctText, { company }) : confirm.final}</p>
        <ActionBar step="accept" label={isCorrection ? accepted.save : confirm.accept} />
      </section>
    ),
  };
}

/** What the form is about, and what it showed at first. */
function HiddenInput(input: AddressPageInput & { isDigital: boolean }) {
  const { choice, variationId, values, isDigital } = input;
  const hidden = {
    product_id: choice.product.id,
    variation_id: variationId,
    country: isDigital ? values.country : null,
    ...shownValues(values),
  };
  return (
    <>
      {Object.entries(hidden).map(
        ([name, value]) =>
          value !== null && <input type="hidden" name={name} value={String(value)} />,
      )}
    </>
  );
}

type FieldsAndOthers = Pick<AddressPageInput, "page" | "values" | "hasOthers">;

/** Leads to the gifts that ship to the country. */
const OthersLink = ({ page, values, hasOthers, label }: FieldsAndOthers & { label: string }) =>
  hasOthers ? (
    <p>
      <PageLink page={{ ...page, shipsTo: values.country }} to={{ step: "others" }}>
        {label}
      </PageLink>
    </p>
  ) : null;

type ProblemsProps = FieldsProps & Pick<AddressPageInput, "gift" | "hasOthers">;

/** The problems, in the order of the fields. */
function Problems({ gift, hasOthers = false, ...fields }: ProblemsProps) {
  const { page, values, problems, labels } = fields;
  const { texts } = page;
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
          <OthersLink {...{ page, values, hasOthers }} label={texts.problems.otherGifts} />
          <p>{fill(texts.problems.ask, { company: <Name>{gift.company}</Name> })}</p>
        </>
      )}
    </div>
  );
}
