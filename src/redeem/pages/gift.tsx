// The page of an open gift: the sender's message, the product, and the form to accept it.
import type { Child } from "hono/jsx";
import type { Product } from "../../catalogue/product.ts";
import { PLATFORM_BRANDING } from "../../clients/profile.ts";
import { redeemByOf } from "../../values/redeem-by.ts";
import { copy } from "./copy.ts";
import { AcceptForm, type AcceptFormInput, faultOf, variationDomId } from "./fields.tsx";
import type { Problems } from "../form.ts";
import type { Gift, GiftProduct } from "../gift.ts";
import { Markup, type HtmlPage, Picture } from "./layout.tsx";
import { LANDING_ID, PageLink } from "./page-link.tsx";
import { Cards } from "./other-gifts.tsx";

export interface GiftPageInput extends AcceptFormInput {
  /** The offered gift. */
  original: GiftProduct;
  /** The reason why the recipient's choice is not available. Null if it is. */
  notice: { title: Child; text: Child } | null;
  /** The first other gifts. */
  others: GiftProduct[];
  /** Whether there may be more other gifts. */
  hasMore: boolean;
  publicUrl: string;
}

/** The maximum number of pictures below the first. */
const MAX_MORE_PICTURES = 3;

export function giftPage(input: GiftPageInput): HtmlPage {
  const { gift, choice, original, problems, notice, others, publicUrl } = input;
  const { product } = choice;
  const title = copy.title(gift.firstName);
  const branding = gift.branding ?? PLATFORM_BRANDING;
  const morePictures = product.additionalImages.slice(0, MAX_MORE_PICTURES);
  return {
    title: problems.size > 0 ? copy.faults.pageTitle(title) : title,
    branding,
    logo: branding.logo,
    pictures: [product, ...others.map((other) => other.product)]
      .map(({ featuredImage }) => featuredImage)
      .concat(morePictures),
    content: (
      <>
        {problems.size > 0 && <Faults problems={problems} choice={choice} />}
        {notice && <Notice {...notice} />}
        <Greeting gift={gift} />
        <div class="gift">
          <Pictures product={product} more={morePictures} publicUrl={publicUrl} />
          <div class="details">
            <section aria-labelledby="gift-name">
              <hgroup {...(!notice && { id: LANDING_ID, tabindex: -1 })}>
                <p class="eyebrow">{choice === original ? copy.gift : copy.otherGift}</p>
                <h2 id="gift-name" dir="auto">
                  {product.name}
                </h2>
              </hgroup>
              {product.vendor.name && <p class="vendor">{copy.madeBy(product.vendor.name)}</p>}
              <Markup source={product.description || product.shortDescription} />
              {others.length > 0 && (
                <p>
                  <a href="#other-gifts">{copy.otherGifts.below}</a>
                </p>
              )}
            </section>
            {/* Enter activates the form's first button, so the accept button must come first. */}
            <AcceptForm {...input} />
            {choice !== original && (
              <p class="centred">
                <PageLink to={{ show: null }} typed>
                  {copy.otherGifts.backToOriginal(original.product.name)}
                </PageLink>
              </p>
            )}
          </div>
        </div>
        {others.length > 0 && <OtherGifts {...input} />}
      </>
    ),
  };
}

interface PicturesProps {
  product: Product;
  /** The URLs of the pictures after the first. */
  more: string[];
  publicUrl: string;
}

function Pictures({ product, more, publicUrl }: PicturesProps) {
  return (
    <div class="pictures">
      <Picture
        url={product.featuredImage}
        publicUrl={publicUrl}
        alt={copy.pictureOf(product.name)}
      />
      {more.length > 0 && (
        <ul class="thumbs" aria-label={copy.otherPictures}>
          {more.map((url, index) => (
            <li>
              <Picture
                url={url}
                publicUrl={publicUrl}
                alt={copy.pictureNumber(product.name, index + 2)}
                lazy
              />
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

function OtherGifts({ others, hasMore, publicUrl }: GiftPageInput) {
  return (
    <section class="other-gifts" id="other-gifts" aria-labelledby="other-gifts-title">
      <h2 id="other-gifts-title">{copy.otherGifts.teaser}</h2>
      <p class="hint">{copy.otherGifts.teaserHint}</p>
      <Cards products={others} typed publicUrl={publicUrl} />
      {hasMore && (
        <p class="centred">
          <PageLink to={{ gifts: null }} typed class="secondary">
            {copy.otherGifts.more}
          </PageLink>
        </p>
      )}
    </section>
  );
}

function Greeting({ gift }: { gift: Gift }) {
  const lastDay = redeemByOf(gift.expiresAtMs);
  return (
    <section class="greeting">
      <h1>{copy.greeting(gift.firstName)}</h1>
      <p class="from">{copy.from(gift.sender)}</p>
      {lastDay !== null && <p class="until">{copy.acceptBy(lastDay)}</p>}
      {gift.message?.trim() && (
        <figure class="letter">
          <blockquote>
            <p dir="auto">{gift.message}</p>
          </blockquote>
          <figcaption>
            <span class="hidden">{copy.messageFrom}</span> <bdi>{gift.sender}</bdi>
          </figcaption>
        </figure>
      )}
    </section>
  );
}

function Faults({ problems, choice }: { problems: Problems; choice: GiftProduct }) {
  return (
    <div class="notice fault" role="alert" tabindex={-1} autofocus>
      <h2>{copy.faults.title}</h2>
      <ul>
        {[...problems].map(([field]) => (
          <li>
            <a href={`#${field === "variation_id" ? variationDomId(choice) : field}`}>
              {faultOf(problems, field)}
            </a>
          </li>
        ))}
      </ul>
    </div>
  );
}

function Notice({ title, text }: { title: Child; text: Child }) {
  return (
    <div id={LANDING_ID} class="notice" role="alert" tabindex={-1} autofocus>
      <h2>{title}</h2>
      <p>{text}</p>
    </div>
  );
}
