// Other gifts to choose from, a page at a time.
import { PLATFORM_BRANDING } from "../../clients/profile.ts";
import { copy } from "./copy.ts";
import type { Typed } from "../form.ts";
import type { Gift, GiftProduct } from "../gift.ts";
import { type Page, Picture } from "./layout.tsx";
import { Carried, FORM_ID, Look } from "./look.tsx";
import { plainText } from "./markup.ts";

export interface ShelfPageInput {
  gift: Gift;
  products: GiftProduct[];
  /** The product after which the next page begins; null on the last page. */
  next: number | null;
  isFirst: boolean;
  /** What goes along; null when nothing was typed yet. */
  typed: Typed | null;
  publicUrl: string;
}

export function shelfPage(input: ShelfPageInput): Page {
  const { gift, products, next, isFirst, publicUrl } = input;
  const typed = input.typed !== null;
  const branding = gift.branding ?? PLATFORM_BRANDING;
  return {
    title: copy.shelf.title,
    branding,
    logo: branding.logo,
    pictures: products.map(({ product }) => product.featuredImage),
    content: (
      <section class="shelf alone">
        {input.typed && (
          <form id={FORM_ID} method="post">
            <Carried {...input.typed} />
          </form>
        )}
        <p>
          <Look to={{ show: null }} typed={typed}>
            {copy.shelf.back}
          </Look>
        </p>
        <h1>{copy.shelf.title}</h1>
        <p class="hint">{products.length > 0 ? copy.shelf.hint : copy.shelf.empty}</p>
        <Cards products={products} typed={typed} publicUrl={publicUrl} />
        {(!isFirst || next !== null) && (
          <nav class="pages" aria-label={copy.shelf.navigation}>
            {!isFirst && (
              <Look to={{ gifts: null }} typed={typed} class="secondary">
                {copy.shelf.start}
              </Look>
            )}
            {next !== null && (
              <Look to={{ gifts: next }} typed={typed} class="secondary">
                {copy.shelf.next}
              </Look>
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
          <Look class="card" to={{ show: product.id }} typed={typed}>
            <Picture url={product.featuredImage} publicUrl={publicUrl} alt="" lazy />
            <span class="name" dir="auto">
              {product.name}
            </span>
            <span class="short" dir="auto">
              {plainText(product.shortDescription)}
            </span>
          </Look>
        </li>
      ))}
    </ul>
  );
}
