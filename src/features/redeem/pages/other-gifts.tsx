// The pages that list other gifts.
import type { GiftProduct, PageGift } from "../../pages/gift.ts";
import type { PageContext } from "../../pages/page-context.ts";
import { LastDay } from "./last-day.tsx";
import type { HtmlPage } from "../../pages/layout.tsx";
import { plainText } from "../../catalogue/markup.ts";
import { PageLink } from "../../pages/page-link.tsx";
import { Picture } from "../../pages/picture.tsx";
import { catalogueText } from "../../pages/product.tsx";

export interface OtherGiftsPageInput {
  page: PageContext;
  gift: PageGift;
  products: GiftProduct[];
  /** The product after which this page starts. Null on the first page. */
  after: number | null;
  /** The product after which the next page starts. Null on the last page. */
  next: number | null;
}

export function otherGiftsPage(input: OtherGiftsPageInput): HtmlPage {
  const { page, gift, products, after, next } = input;
  const { texts } = page;
  return {
    title: texts.others.title,
    branding: gift.branding,
    pictures: products.map(({ product }) => product.featuredImage),
    here: { step: "others", after },
    content: (
      <section class="other-gifts alone">
        <p>
          <PageLink page={page} to={{ step: "gift", productId: null }}>
            {texts.others.back}
          </PageLink>
        </p>
        <h1>{texts.others.title}</h1>
        <CollectionIntroduction gift={gift} />
        {products.length > 0 && <p class="hint">{texts.others.hint}</p>}
        {products.length === 0 && next === null && <p class="hint">{texts.others.empty}</p>}
        <LastDay page={page} gift={gift} text={texts.others.acceptBy} class="hint" />
        <Cards page={page} gift={gift} products={products} />
        {(after !== null || next !== null) && (
          <nav class="pages" aria-label={texts.others.pages}>
            {after !== null && (
              <PageLink page={page} to={{ step: "others", after: null }} class="secondary">
                {texts.others.first}
              </PageLink>
            )}
            {next !== null && (
              <PageLink page={page} to={{ step: "others", after: next }} class="secondary">
                {texts.others.next}
              </PageLink>
            )}
          </nav>
        )}
      </section>
    ),
  };
}

/** The name and the text of the collection from which the recipient chooses. */
export function CollectionIntroduction({
  gift: { collection, catalogueLanguage },
}: {
  gift: PageGift;
}) {
  if (!collection) return null;
  const language = { lang: collection.language ?? catalogueLanguage ?? "", dir: "auto" } as const;
  return (
    <div class="collection" {...language}>
      <p class="name">{collection.name}</p>
      {collection.description && <p>{collection.description}</p>}
    </div>
  );
}

interface CardsProps {
  page: PageContext;
  gift: PageGift;
  products: GiftProduct[];
}

export function Cards({ page, gift, products }: CardsProps) {
  return (
    <ul class="cards">
      {products.map(({ product }) => (
        <li>
          <PageLink page={page} class="card" to={{ step: "gift", productId: product.id }}>
            <Picture
              page={page}
              url={product.featuredImage}
              alt=""
              sizes="(min-width: 48rem) 16rem, 50vw"
            />
            <span class="name" {...catalogueText(gift, product, "name")}>
              {product.name}
            </span>
            {product.categories[0] && (
              <span class="category" {...catalogueText(gift, product, "categories")}>
                {product.categories[0].split(">").at(-1)?.trim()}
              </span>
            )}
            <span class="short" {...catalogueText(gift, product, "shortDescription")}>
              {plainText(product.shortDescription)}
            </span>
          </PageLink>
        </li>
      ))}
    </ul>
  );
}
