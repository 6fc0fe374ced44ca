// The third step: what is sent, where and to whom.
import type { Child } from "hono/jsx";
import type { Destination, Values } from "../form.ts";
import { nameOnPage } from "../full-name.ts";
import type { Gift } from "../gift.ts";
import { maskedEmail } from "../mask.ts";
import type { PageContext } from "../page-context.ts";
import type { CheckedInput } from "../redeem.ts";
import { AddressLines } from "./address-lines.tsx";
import { HiddenInput } from "./hidden-fields.tsx";
import type { HtmlPage } from "./layout.tsx";
import { actionUrl, FORM_ID, PageLink } from "./page-link.tsx";
import { Picture } from "./picture.tsx";
import { catalogueText, ChosenVariation } from "./product.tsx";
import { ActionBar, Steps, stepTitle } from "./steps.tsx";
import { fill, Name } from "./text.tsx";

export interface ConfirmPageInput {
  page: PageContext;
  gift: Gift;
  checked: CheckedInput;
  values: Values;
  /** All variations that the recipient has chosen. */
  variationIds: number[];
}

export function confirmPage({
  page,
  gift,
  checked,
  values,
  variationIds,
}: ConfirmPageInput): HtmlPage {
  const { texts, isCorrection } = page;
  const { choice, variationId, delivery } = checked;
  const { product } = choice;
  const toAddress = { step: "address", productId: product.id } as const;
  return {
    title: stepTitle(page, "confirm", texts.confirm.title),
    branding: gift.branding,
    pictures: [product.featuredImage],
    here: { step: "confirm", productId: product.id },
    keepsInput: true,
    content: (
      <section class="panel">
        <Steps page={page} current="confirm" />
        <h1>{texts.confirm.title}</h1>
        <p class="hint">
          {isCorrection
            ? fill(texts.accepted.correctText, { company: <Name>{gift.company}</Name> })
            : texts.confirm.final}
        </p>
        <form id={FORM_ID} method="post" action={actionUrl(page)}>
          <HiddenInput
            productId={product.id}
            variationId={variationId}
            typed={{ values, variationIds }}
          />
        </form>
        <dl class="summary">
          <Item
            page={page}
            title={texts.confirm.gift}
            {...(!isCorrection && {
              to: { step: "gift", productId: product.id },
              label: texts.confirm.changeGift,
            })}
          >
            <div class="receipt">
              <Picture page={page} url={product.featuredImage} alt="" sizes="7rem" />
              <div>
                <p class="name" {...catalogueText(gift, product, "name")}>
                  {product.name}
                </p>
                <ChosenVariation product={product} gift={gift} id={variationId} />
              </div>
            </div>
          </Item>
          <Item
            page={page}
            title={texts.confirm.to}
            to={toAddress}
            label={texts.confirm.changeName}
          >
            <bdi>{nameOnPage(delivery.recipient, page.locale)}</bdi>
          </Item>
          {delivery.address ? (
            <Item
              page={page}
              title={texts.confirm.address}
              to={toAddress}
              label={texts.confirm.changeAddress}
            >
              <AddressLines page={page} address={delivery.address} />
            </Item>
          ) : (
            <Item
              page={page}
              title={texts.confirm.email}
              to={toAddress}
              label={texts.confirm.changeEmail}
            >
              <bdi>{delivery.email ?? maskedEmail(gift.email)}</bdi>
            </Item>
          )}
          {delivery.address && delivery.recipient.phoneNumber && (
            <Item page={page} title={texts.address.phone_number}>
              <bdi>{delivery.recipient.phoneNumber}</bdi>
            </Item>
          )}
          {delivery.notes && (
            <Item page={page} title={texts.confirm.notes}>
              <p class="prose" dir="auto">
                {delivery.notes}
              </p>
            </Item>
          )}
        </dl>
        <ActionBar
          step="accept"
          label={isCorrection ? texts.accepted.save : texts.confirm.accept}
        />
      </section>
    ),
  };
}

interface ItemProps {
  page: PageContext;
  title: string;
  /** The page on which it can be changed, and the label of its link. */
  to?: Destination;
  label?: string;
  children: Child;
}

function Item({ page, title, to, label, children }: ItemProps) {
  return (
    <div>
      <dt>{title}</dt>
      <dd>{children}</dd>
      {to && (
        <dd class="change">
          <PageLink page={page} to={to} keepsInput {...(label !== undefined && { label })}>
            {page.texts.confirm.change}
          </PageLink>
        </dd>
      )}
    </div>
  );
}
