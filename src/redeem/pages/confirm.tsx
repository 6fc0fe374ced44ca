// The third step: what is sent, where and to whom.
import type { Child } from "hono/jsx";
import { PLATFORM_BRANDING } from "../../clients/profile.ts";
import { displayLines } from "../address-format.ts";
import { countryName } from "../countries.ts";
import type { Destination, RecipientInput, Values } from "../form.ts";
import type { Gift } from "../gift.ts";
import { maskedEmail } from "../mask.ts";
import type { PageContext } from "../page-context.ts";
import type { CheckedInput } from "../redeem.ts";
import type { HtmlPage } from "./layout.tsx";
import { actionUrl, FORM_ID, HiddenFields, PageLink } from "./page-link.tsx";
import { Picture } from "./picture.tsx";
import { catalogueText, ChosenVariation } from "./product.tsx";
import { ActionBar, Steps, stepTitle } from "./steps.tsx";

export interface ConfirmPageInput {
  page: PageContext;
  gift: Gift;
  checked: CheckedInput;
  values: Values;
  input: RecipientInput;
}

export function confirmPage({ page, gift, checked, values, input }: ConfirmPageInput): HtmlPage {
  const { texts, locale } = page;
  const { choice, variationId, delivery } = checked;
  const { product } = choice;
  const branding = gift.branding ?? PLATFORM_BRANDING;
  const others = input.variationIds.filter((id) => id !== variationId);
  const toAddress = { step: "address", productId: product.id } as const;
  return {
    title: stepTitle(page, "confirm", texts.confirm.title),
    branding,
    logo: branding.logo,
    pictures: [product.featuredImage],
    here: { step: "confirm", productId: product.id },
    typed: true,
    content: (
      <section class="panel">
        <Steps page={page} current="confirm" />
        <h1>{texts.confirm.title}</h1>
        <p class="hint">{texts.confirm.final}</p>
        <form id={FORM_ID} method="post" action={actionUrl(page)}>
          <input type="hidden" name="product_id" value={String(product.id)} />
          {variationId !== null && (
            <input type="hidden" name="variation_id" value={String(variationId)} />
          )}
          <HiddenFields typed={{ values, variationIds: others }} />
        </form>
        <dl class="summary">
          <Item
            page={page}
            title={texts.confirm.gift}
            to={{ step: "gift", productId: product.id }}
            label={texts.confirm.changeGift}
          >
            <div class="receipt">
              <Picture page={page} url={product.featuredImage} alt="" sizes="7rem" />
              <div>
                <p class="name" {...catalogueText(gift)}>
                  {product.name}
                </p>
                <ChosenVariation product={product} gift={gift} id={variationId} />
              </div>
            </div>
          </Item>
          <Item page={page} title={texts.confirm.to}>
            <bdi>{`${gift.firstName} ${gift.lastName}`}</bdi>
          </Item>
          {delivery.address ? (
            <Item
              page={page}
              title={texts.confirm.address}
              to={toAddress}
              label={texts.confirm.changeAddress}
            >
              <AddressLines
                lines={displayLines(delivery.address)}
                country={countryName(delivery.address.country ?? "", locale.language)}
              />
            </Item>
          ) : (
            <Item
              page={page}
              title={texts.confirm.email}
              to={toAddress}
              label={texts.confirm.changeEmail}
            >
              <bdi class="email">{delivery.email ?? maskedEmail(gift.email)}</bdi>
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
        <ActionBar step="accept" label={texts.confirm.accept} />
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
          <PageLink page={page} to={to} typed {...(label !== undefined && { label })}>
            {page.texts.confirm.change}
          </PageLink>
        </dd>
      )}
    </div>
  );
}

export function AddressLines({ lines, country }: { lines: string[]; country: string }) {
  return (
    <address dir="auto">
      {[...lines, country].map((line) => (
        <>
          <bdi>{line}</bdi>
          <br />
        </>
      ))}
    </address>
  );
}
