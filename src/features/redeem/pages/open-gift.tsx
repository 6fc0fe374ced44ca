// The page of an open gift: the present, the sender's letter and the choice.
import type { Product } from "../../catalogue/product.ts";
import type { Problems } from "../form.ts";
import { greetingName } from "../../pages/full-name.ts";
import type { Choices, GiftProduct, PageGift } from "../../pages/gift.ts";
import type { PageContext } from "../../pages/page-context.ts";
import { ChoiceForm } from "./choice-form.tsx";
import type { HtmlPage } from "../../pages/layout.tsx";
import { LastDay } from "./last-day.tsx";
import { Letter, senderOf } from "./letter.tsx";
import { Cards, CollectionIntroduction } from "./other-gifts.tsx";
import { ActionBar, LANDING_ID, PageLink } from "../../pages/page-link.tsx";
import { Picture } from "../../pages/picture.tsx";
import { catalogueText, MadeBy, Markup, VendorDetails } from "../../pages/product.tsx";
import { Notice, type NoticeTexts } from "./notice.tsx";
import { fill, fillText, Name } from "../../pages/text.tsx";

export interface GiftPageInput {
  page: PageContext;
  gift: PageGift;
  /** The gift to choose: the offered one, or another one that the recipient views. */
  choice: GiftProduct;
  /** The offered gift. */
  original: GiftProduct;
  /** The available variations of `choice`, at least one. */
  options: (number | null)[];
  /** The variation that the recipient has chosen. */
  variationId: number | null;
  choices: Choices;
  problems: Problems;
  /** Whether the gift is wrapped until the recipient opens it. */
  isWrapped: boolean;
  /** The reason why the recipient's choice is not available. Null if it is. */
  notice: NoticeTexts | null;
  /** The first other gifts. */
  others: GiftProduct[];
  /** Whether there may be more other gifts. */
  hasMore: boolean;
}

/** The maximum number of pictures after the first. */
const MAX_MORE_PICTURES = 3;

export function giftPage(input: GiftPageInput): HtmlPage {
  const { page, gift, choice, original, problems, notice, others } = input;
  const { product } = choice;
  const { texts } = page;
  const title = fillText(texts.gift.title, { name: greetingName(gift, page.locale) });
  const pictures = [product.featuredImage, ...product.additionalImages.slice(0, MAX_MORE_PICTURES)];
  const description = product.description ? "description" : "shortDescription";
  return {
    title: problems.size > 0 ? fillText(texts.problems.pageTitle, { title }) : title,
    branding: gift.branding,
    cover: gift.branding.cover,
    pictures: [
      ...pictures,
      product.vendor.logo,
      ...others.map((other) => other.product.featuredImage),
    ],
    here: {
      step: "gift",
      productId: choice === original ? null : product.id,
      variationId: input.variationId,
    },
    hasForm: page.kept !== null,
    content: (
      <div class="gift">
        <Greeting page={page} gift={gift} notice={notice} />
        <div class="present">
          {input.isWrapped && <Wrapping page={page} />}
          <div class="box">
            <Gallery page={page} product={product} pictures={pictures} />
          </div>
          <div class="details">
            <hgroup {...(!notice && { id: LANDING_ID, tabindex: -1 })}>
              <p class="eyebrow">{choice === original ? texts.gift.yours : texts.gift.other}</p>
              <h2 id="gift-name" {...catalogueText(gift, product, "name")}>
                {product.name}
              </h2>
              <MadeBy page={page} product={product} />
            </hgroup>
            {choice === original && !notice && <Letter gift={gift} page={page} />}
            {product.delivery === "digital" && gift.isMailed === 1 && (
              <p class="digital">{texts.gift.digital}</p>
            )}
            <ChoiceForm {...input} />
          </div>
          <ActionBar step="address" label={texts.gift.continue} />
          <div class="more">
            {(choice !== original || others.length > 0) && (
              <p class="to-others">
                {choice === original ? (
                  <a href="#other-gifts">{texts.others.below}</a>
                ) : (
                  <PageLink page={page} to={{ step: "others" }}>
                    {texts.others.title}
                  </PageLink>
                )}
              </p>
            )}
            <section class="about" aria-labelledby="about-title">
              <h3 id="about-title">{texts.gift.about}</h3>
              <Markup
                source={product[description]}
                {...catalogueText(gift, product, description)}
              />
              <VendorDetails product={product} gift={gift} page={page} />
            </section>
          </div>
          {(others.length > 0 || input.hasMore) && <OtherGifts {...input} />}
          <p class="decline">
            {choice !== original && (
              <PageLink page={page} to={{ step: "gift", productId: null }}>
                {fill(texts.others.backTo, { product: <Name>{original.product.name}</Name> })}
              </PageLink>
            )}
            <PageLink page={page} to={{ step: "question", productId: null }}>
              {texts.gift.decline}
            </PageLink>
          </p>
        </div>
      </div>
    ),
  };
}

/** The wrapping of the gift and its label, which opens it. Without the styles, the gift is shown as well. */
const Wrapping = ({ page: { texts } }: { page: PageContext }) => (
  <details class="wrapping">
    <summary>
      <span>{texts.email.open}</span>
    </summary>
  </details>
);

function Greeting({ page, gift, notice }: Pick<GiftPageInput, "page" | "gift" | "notice">) {
  const { texts } = page;
  return (
    <section class="greeting">
      {notice && <Notice {...notice} />}
      <h1>{fill(texts.gift.title, { name: <Name>{greetingName(gift, page.locale)}</Name> })}</h1>
      <p class="from">{fill(texts.gift.sender, { sender: senderOf(page, gift) })}</p>
      <LastDay page={page} gift={gift} text={texts.gift.acceptBy} class="until" />
    </section>
  );
}

interface GalleryProps {
  page: PageContext;
  product: Product;
  pictures: string[];
}

// The eye sees no difference between two and three pixels for each CSS pixel, so phones with three load two.
const GALLERY_SIZES = "(min-width: 48rem) min(35rem, 52vw), (min-resolution: 2.5dppx) 67vw, 100vw";

/** The pictures: side by side on a phone, otherwise the chosen one is large. */
function Gallery({ page, product, pictures }: GalleryProps) {
  const { texts } = page;
  const isSingle = pictures.length === 1;
  return (
    <ul class="gallery" aria-label={texts.gift.pictures}>
      {pictures.map((url, index) => {
        const first = index === 0;
        const alt = first
          ? fillText(texts.gift.picture, { product: product.name })
          : fillText(texts.gift.pictureNumber, { product: product.name, number: index + 1 });
        return (
          <li>
            {!isSingle && <input type="radio" name="picture" aria-label={alt} checked={first} />}
            <Picture page={page} url={url} alt={alt} sizes={GALLERY_SIZES} first={first} />
          </li>
        );
      })}
    </ul>
  );
}

function OtherGifts({ page, gift, others, hasMore }: GiftPageInput) {
  const { texts } = page;
  return (
    <section class="other-gifts" id="other-gifts" aria-labelledby="other-gifts-title">
      <h2 id="other-gifts-title">{texts.others.teaser}</h2>
      <CollectionIntroduction gift={gift} />
      <p class="hint">{texts.others.teaserHint}</p>
      <Cards page={page} gift={gift} products={others} Heading="h3" />
      {hasMore && (
        <p class="centred">
          <PageLink page={page} to={{ step: "others" }} class="secondary">
            {texts.others.all}
          </PageLink>
        </p>
      )}
    </section>
  );
}
