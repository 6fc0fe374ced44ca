// The pages that list other gifts.
import { PLATFORM_BRANDING } from "../../clients/profile.ts";
import { redeemByOf } from "../../values/redeem-by.ts";
import { copy } from "./copy.ts";
import type { Typed } from "../form.ts";
import type { Gift, GiftProduct } from "../gift.ts";
import { type HtmlPage, Picture } from "./layout.tsx";
import { HiddenFields, FORM_ID, PageLink } from "./page-link.tsx";
import { plainText } from "./markup.ts";

export interface OtherGiftsPageInput {
  gift: Gift;
  products: GiftProduct[];
  /** The product after which the next page starts. Null on the last page. */
  next: number | null;
  isFirst: boolean;
  /** Input to keep. Null before the recipient has typed anything. */
  typed: Typed | null;
  publicUrl: string;
}

export function otherGiftsPage(input: OtherGiftsPageInput): HtmlPage {
  const { gift, products, next, isFirst, publicUrl } = input;
  const typed = input.typed !== null;
  const branding = gift.branding ?? PLATFORM_BRANDING;
  const lastDay = redeemByOf(gift.expiresAtMs);
  return {
    title: copy.otherGifts.title,
    branding,
    logo: branding.logo,
    pictures: products.map(({ product }) => product.featuredImage),
    content: (
      <section class="other-gifts alone">
        {input.typed && (
          <form id={FORM_ID} method="post">
            <HiddenFields {...input.typed} />
          </form>
        )}
        <p>
          <PageLink to={{ show: null }} typed={typed}>
            {copy.otherGifts.back}
          </PageLink>
        </p>
        <h1>{copy.otherGifts.title}</h1>
        <p class="hint">
          {products.length > 0 ? copy.otherGifts.hint : copy.otherGifts.empty}
          {lastDay !== null && <> {copy.otherGifts.acceptBy(lastDay)}</>}
        </p>
        <Cards products={products} typed={typed} publicUrl={publicUrl} />
        {(!isFirst || next !== null) && (
          <nav class="pages" aria-label={copy.otherGifts.navigation}>
            {!isFirst && (
              <PageLink to={{ gifts: null }} typed={typed} class="secondary">
                {copy.otherGifts.start}
              </PageLink>
            )}
            {next !== null && (
              <PageLink to={{ gifts: next }} typed={typed} class="secondary">
                {copy.otherGifts.next}
              </PageLink>
            )}
          </nav>
        )}
      </section>
    ),
  };
}

interface CardsProps {
  products: GiftProduct[];
  typed: boolean;
  publicUrl: string;
}

export function Cards({ products, typed, publicUrl }: CardsProps) {
  return (
    <ul class="cards">
      {products.map(({ product }) => (
        <li>
          <PageLink class="card" to={{ show: product.id }} typed={typed}>
            <Picture url={product.featuredImage} publicUrl={publicUrl} alt="" lazy />
            <span class="name" dir="auto">
              {product.name}
            </span>
            <span class="short" dir="auto">
              {plainText(product.shortDescription)}
            </span>
          </PageLink>
        </li>
      ))}
    </ul>
  );
}
