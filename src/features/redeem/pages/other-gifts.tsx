// The pages that list other gifts.
import {
  type GiftList,
  type GiftProduct,
  type GiftView,
  optionsOf,
  type PageGift,
} from "../../pages/gift.ts";
import { LIST_START, type ListPlace, type PageContext } from "../../pages/page-context.ts";
import { LastDay } from "./last-day.tsx";
import type { HtmlPage } from "../../pages/layout.tsx";
import { plainText } from "../../catalogue/markup.ts";
import { PageForm, PageLink, type PageLinkProps } from "../../pages/page-link.tsx";
import { Picture } from "../../pages/picture.tsx";
import { catalogueText } from "../../pages/product.tsx";
import { fillText } from "../../pages/text.tsx";

/** Up to this number of gifts, the list has no search and no categories. */
const MAX_PLAIN = 12;

const OTHERS = { step: "others" } as const;

const NO_GIFTS: GiftList = { ids: [], page: 1, pages: 0, total: 0, categories: [] };

export function otherGiftsPage(
  page: PageContext,
  { gift, others, list = NO_GIFTS }: GiftView,
): HtmlPage {
  const { texts, place } = page;
  const isFiltered = place.q !== "" || place.category !== "";
  const products = others.filter(({ product }) => list.ids.includes(product.id));
  return {
    title: texts.others.title,
    branding: gift.branding,
    pictures: products.map(({ product }) => product.featuredImage),
    here: { step: "others" },
    content: (
      <section class="other-gifts alone">
        <p>
          <PageLink page={page} to={{ step: "gift", productId: null }}>
            {texts.others.back}
          </PageLink>
        </p>
        <h1>{texts.others.title}</h1>
        <CollectionIntroduction gift={gift} />
        <p class="hint">{list.total > 0 || isFiltered ? texts.others.hint : texts.others.empty}</p>
        <LastDay page={page} gift={gift} text={texts.others.acceptBy} class="hint" />
        {(isFiltered || list.total > MAX_PLAIN) && (
          <>
            <Filters page={page} gift={gift} list={list} />
            <p>
              <span class="hint">{fillText(texts.others.count, { number: list.total })}</span>{" "}
              {isFiltered && (
                <ListLink page={page} place={LIST_START}>
                  {texts.others.all}
                </ListLink>
              )}
            </p>
          </>
        )}
        <Cards page={page} gift={gift} products={products} Heading="h2" />
        {list.pages > 1 && <Pages page={page} list={list} />}
      </section>
    ),
  };
}

interface ListLinkProps extends Pick<PageLinkProps, "page" | "children" | "class"> {
  /** What the list shows there, as far as it differs. */
  place: Partial<ListPlace>;
}

const ListLink = ({ page, place, ...rest }: ListLinkProps) => (
  <PageLink {...rest} page={{ ...page, place: { ...page.place, ...place } }} to={OTHERS} />
);

/** A search in all gifts, and the categories of those that it has found. */
function Filters({ page, gift, list }: { page: PageContext; gift: PageGift; list: GiftList }) {
  const { place } = page;
  const { others: texts } = page.texts;
  const levels = Map.groupBy(list.categories, ({ name }) => name.split(" > ").length);
  return (
    <>
      <PageForm
        class="field search"
        role="search"
        page={{ ...page, place: LIST_START }}
        to={OTHERS}
      >
        <input type="search" name="q" value={place.q} aria-label={texts.search} />
        <button class="secondary">{texts.search}</button>
      </PageForm>
      <nav class="categories" aria-label={texts.categories}>
        {[...levels.keys()].sort().map((depth) => (
          <ul>
            {levels.get(depth)?.map(({ name, label, language = gift.catalogueLanguage ?? "" }) => (
              <li lang={language}>
                {name === place.category ? (
                  <span aria-current="true">{label}</span>
                ) : (
                  <ListLink page={page} place={{ category: name, page: 1 }}>
                    {label}
                  </ListLink>
                )}
              </li>
            ))}
          </ul>
        ))}
      </nav>
    </>
  );
}

/** Links to the first and the last page, those near this one, and the next one. */
function Pages({ page, list }: { page: PageContext; list: GiftList }) {
  const { others: texts } = page.texts;
  const numbers = Array.from({ length: list.pages }, (_, index) => index + 1).filter(
    (number) => number === 1 || number === list.pages || Math.abs(number - list.page) <= 2,
  );
  return (
    <nav class="pages" aria-label={texts.pages}>
      {numbers.map((number, index) => (
        <>
          {number > 1 && numbers[index - 1] !== number - 1 && <span>…</span>}
          {number === list.page ? (
            <span aria-current="page">{number}</span>
          ) : (
            <ListLink page={page} place={{ page: number }}>
              {String(number)}
            </ListLink>
          )}
        </>
      ))}
      {list.page < list.pages && (
        <ListLink page={page} place={{ page: list.page + 1 }} class="secondary">
          {texts.next}
        </ListLink>
      )}
    </nav>
  );
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
  Heading: "h2" | "h3";
}

export function Cards({ page, gift, products, Heading }: CardsProps) {
  const { texts } = page;
  // A button has no headings.
  const Title = page.kept ? "span" : Heading;
  return (
    <ul class="cards">
      {products.map((choice) => {
        const { product } = choice;
        const isMailed = product.delivery === "digital" && gift.isMailed === 1;
        const isGone = optionsOf(gift, choice, null).length === 0;
        const content = (
          <>
            <Picture
              page={page}
              url={product.featuredImage}
              alt=""
              sizes="(min-width: 48rem) 16rem, 50vw"
            />
            <Title class="name" {...catalogueText(gift, product, "name")}>
              {product.name}
            </Title>
            {product.categories[0] && (
              <span class="category" {...catalogueText(gift, product, "categories")}>
                {product.categories[0].split(">").at(-1)?.trim()}
              </span>
            )}
            {(isMailed || product.delivery === "physical") && (
              <span class="by">{isMailed ? texts.others.byEmail : texts.others.byPost}</span>
            )}
            {isGone ? (
              <span class="short">{fillText(texts.gone.soldOut, { product: product.name })}</span>
            ) : (
              <span class="short" {...catalogueText(gift, product, "shortDescription")}>
                {plainText(product.shortDescription)}
              </span>
            )}
          </>
        );
        return (
          <li>
            {isGone ? (
              <div class="card">{content}</div>
            ) : (
              <PageLink page={page} class="card" to={{ step: "gift", productId: product.id }}>
                {content}
              </PageLink>
            )}
          </li>
        );
      })}
    </ul>
  );
}
