// Other gifts to choose from, a page at a time.
import { PLATFORM_BRANDING } from "../clients/profile.ts";
import { copy } from "./copy.ts";
import type { Gift, GiftProduct } from "./gift.ts";
import { type Page, Picture } from "./layout.tsx";
import { Look } from "./look.tsx";
import { plainText } from "./markup.ts";

export interface ShelfPageInput {
  gift: Gift;
  products: GiftProduct[];
  /** The product after which the next page begins; null on the last page. */
  next: number | null;
  isFirst: boolean;
  publicUrl: string;
}

export function shelfPage({ gift, products, next, isFirst, publicUrl }: ShelfPageInput): Page {
  return {
    title: copy.shelf.title,
    branding: gift.branding ?? PLATFORM_BRANDING,
    pictures: products.map(({ product }) => product.featuredImage),
    content: (
      <section class="shelf alone">
        <p>
          <a href="?">{copy.shelf.back}</a>
        </p>
        <h1>{copy.shelf.title}</h1>
        <p class="hint">{products.length > 0 ? copy.shelf.hint : copy.shelf.empty}</p>
        <Cards products={products} typed={false} publicUrl={publicUrl} />
        {(!isFirst || next !== null) && (
          <nav class="pages" aria-label={copy.shelf.navigation}>
            {!isFirst && (
              <a class="secondary" href="?gifts">
                {copy.shelf.start}
              </a>
            )}
            {next !== null && (
              <a class="secondary" href={`?gifts&after=${String(next)}`}>
                {copy.shelf.next}
              </a>
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
          <Look class="card" productId={product.id} typed={typed}>
            <Picture url={product.featuredImage} publicUrl={publicUrl} alt="" lazy />
            <span class="name">{product.name}</span>
            <span class="short">{plainText(product.shortDescription)}</span>
          </Look>
        </li>
      ))}
    </ul>
  );
}
