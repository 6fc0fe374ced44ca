// The page on which the recipient enters where the gift is sent, and accepts it.
import { addressFormatOf } from "../../../core/address/format.ts";
import { type FormField, type Problems, shownValues, type Values } from "../form.ts";
import type { GiftProduct, PageGift } from "../../pages/gift.ts";
import type { PageContext } from "../../pages/page-context.ts";
import { nameOnPage } from "../../pages/full-name.ts";
import { DeliveryAddress } from "./address-lines.tsx";
import { AddressFields, addressLabels, EmailField, emailLabels, OthersLink } from "./fields.tsx";
import type { HtmlPage } from "../../pages/layout.tsx";
import { Notice, type NoticeTexts } from "./notice.tsx";
import {
  ActionBar,
  actionUrl,
  FORM_ID,
  HiddenInputs,
  LANDING_ID,
  PageLink,
  withForm,
} from "../../pages/page-link.tsx";
import { Picture } from "../../pages/picture.tsx";
import { type FieldsProps, type Labels, problemText } from "./problem-text.ts";
import { catalogueText, ChosenVariation } from "../../pages/product.tsx";
import { fill, fillText, Name } from "../../pages/text.tsx";
import { Tick } from "../../pages/tick.tsx";
import { TICK } from "../../pages/ticked.ts";

export interface AddressPageInput {
  page: PageContext;
  gift: PageGift;
  choice: GiftProduct;
  variationId: number | null;
  values: Values;
  problems: Problems;
  /** Whether the gift is sent to the address of its order. */
  isStored?: boolean;
  /** Why another gift was not available. */
  notice?: NoticeTexts | undefined;
  isTicked?: boolean;
  /** Whether other gifts ship to the country. */
  hasOthers?: boolean;
}

export function addressPage(input: AddressPageInput): HtmlPage {
  const { gift, choice, variationId, values, problems, notice, isStored = false } = input;
  const page = isStored ? input.page : withForm(input.page);
  const { texts, isCorrection } = page;
  const { product } = choice;
  const isDigital = product.delivery === "digital";
  const { accepted, address, confirm } = texts;
  const [forAddress, forEmail] = isCorrection
    ? [accepted.correct, accepted.correctEmail]
    : [address.title, gift.isMailed === 1 ? address.emailTitle : accepted.email];
  const title = isDigital ? forEmail : forAddress;
  const format = addressFormatOf(page.addresses, values.country, values);
  const shown = isDigital ? emailLabels(page) : addressLabels(page, format);
  const labels: Labels = isStored ? new Map() : shown;
  const fields = { page, labels, values, problems };
  const country = !isStored && { country: values.country };
  // What was typed for another gift is kept too.
  const kept = Object.entries({ ...country, ...page.kept }).filter(
    ([name, value]) => value !== "" && !labels.has(name as FormField),
  );
  const hidden = {
    ...Object.fromEntries(kept),
    product_id: product.id,
    variation_id: variationId,
    ...(!isStored && shownValues(values)),
  };
  const landing = notice ? undefined : LANDING_ID;
  const company = <Name>{gift.company}</Name>;
  return {
    title: problems.size > 0 ? fillText(texts.problems.pageTitle, { title }) : title,
    branding: gift.branding,
    pictures: [product.featuredImage],
    here: { step: "address", productId: product.id, variationId },
    hasForm: page.kept !== null,
    content: (
      <section class="panel">
        {/* Enter activates the first button, which must not accept the gift. Safari ignores one that is hidden. */}
        {!isStored && (
          <button
            class="enter"
            tabindex={-1}
            aria-hidden="true"
            form={FORM_ID}
            formaction={actionUrl(page, `#${LANDING_ID}`)}
            name="step"
            value={isCorrection ? "accept" : "check"}
          />
        )}
        {notice && (
          <Notice {...notice}>
            <OthersLink {...input} page={page} label={texts.others.below} />
          </Notice>
        )}
        <h1>{title}</h1>
        {problems.size > 0 && <Problems {...fields} id={landing} />}
        {!isCorrection && (
          <section class="summary" aria-labelledby="summary">
            <h2 id="summary">{confirm.gift}</h2>
            <div class="receipt">
              <Picture page={page} url={product.featuredImage} alt="" sizes="5rem" />
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
        {isStored && <StoredAddress {...input} />}
        <form id={FORM_ID} class="fields" method="post" action={actionUrl(page)} novalidate>
          <HiddenInputs values={hidden} />
          {isDigital ? (
            <EmailField {...input} labels={labels} />
          ) : isStored ? null : (
            <AddressFields {...input} page={page} format={format} labels={labels} />
          )}
        </form>
        <p class="hint privacy">
          {fill(address.privacy, { company })}{" "}
          {page.privacyUrl !== "" && (
            <a href={page.privacyUrl} target="_blank" rel="noreferrer noopener">
              {address.privacyNotice}
            </a>
          )}
        </p>
        <p class="hint">{isCorrection ? fill(accepted.correctText, { company }) : confirm.final}</p>
        {!isCorrection && (isDigital || isStored) && (
          <Tick
            label={confirm.tick}
            problem={problems.has(TICK) && texts.problems.tick}
            checked={input.isTicked}
          />
        )}
        <ActionBar
          step="accept"
          label={isCorrection ? accepted.save : confirm.accept}
          id={problems.size > 0 ? undefined : landing}
        />
      </section>
    ),
  };
}

/** The address of the order, and the link to the form for another one, which has no value of it. */
function StoredAddress({ page, gift, choice, variationId, values }: AddressPageInput) {
  const { address } = page.texts;
  const to = { step: "address", productId: choice.product.id, variationId, another: true } as const;
  const { first_name: firstName, last_name: lastName } = values;
  return (
    <>
      <p class="hint">{address.hint}</p>
      <p>
        <bdi>{nameOnPage({ firstName, lastName }, page.locale)}</bdi>
      </p>
      <DeliveryAddress page={page} gift={gift} />
      <p>
        <PageLink page={page} to={to}>
          {address.another}
        </PageLink>
      </p>
    </>
  );
}

/** The problems, in the order of the fields. */
function Problems({ id, ...fields }: FieldsProps & { id: string | undefined }) {
  const { title, tick } = fields.page.texts.problems;
  const names = [...fields.labels.keys(), TICK] as const;
  return (
    <div id={id} class="notice fault" role="alert" tabindex={-1} autofocus>
      <h2>{title}</h2>
      <ul>
        {names
          .filter((name) => fields.problems.has(name))
          .map((name) => (
            <li>
              <a href={`#${name}`}>{name === TICK ? tick : problemText(fields, name)}</a>
            </li>
          ))}
      </ul>
    </div>
  );
}
