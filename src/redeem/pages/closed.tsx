// Pages for gifts that are not open, and for errors.
import type { Child } from "hono/jsx";
import { PLATFORM_BRANDING } from "../../clients/profile.ts";
import type { Address } from "../../db/schema.ts";
import { redeemByOf } from "../../values/redeem-by.ts";
import { copy } from "./copy.ts";
import type { GiftState } from "../../lifecycle/gift-state.ts";
import type { Gift, GiftProduct } from "../gift.ts";
import { ChosenVariation, type HtmlPage, Picture, pictureUrl } from "./layout.tsx";
import { Shipment } from "./shipment.tsx";

export interface RedeemedPageInput {
  gift: Gift;
  selected: GiftProduct;
  /** Whether the recipient has just accepted the gift. */
  justNow: boolean;
  publicUrl: string;
}

/** The page of a redeemed gift: the chosen product and the address. */
export function redeemedPage({ gift, selected, justNow, publicUrl }: RedeemedPageInput): HtmlPage {
  const { product } = selected;
  const title = justNow ? copy.redeemed.thanks : copy.redeemed.title;
  const address = product.delivery === "physical" ? gift.deliveryAddress : null;
  const branding = gift.branding ?? PLATFORM_BRANDING;
  return {
    title,
    branding,
    logo: branding.logo,
    pictures: [product.featuredImage],
    content: (
      <section class="panel">
        <h1>{title}</h1>
        {!justNow && <Shipment gift={gift} />}
        <p class="lead">{justNow ? copy.redeemed.thanksText(gift.sender) : copy.redeemed.text}</p>
        {justNow && <Shipment gift={gift} />}
        <div class="receipt">
          <Picture url={product.featuredImage} publicUrl={publicUrl} alt="" />
          <div>
            <h2 dir="auto">{product.name}</h2>
            {gift.selectedVariationId !== null && (
              <ChosenVariation product={product} id={gift.selectedVariationId} />
            )}
            {product.vendor.name && <p class="vendor">{copy.madeBy(product.vendor.name)}</p>}
            {address ? (
              <>
                <h3>{copy.redeemed.whereTo}</h3>
                <address dir="auto">
                  {addressLines(address).map((line) => (
                    <>
                      <span>{line}</span>
                      <br />
                    </>
                  ))}
                </address>
              </>
            ) : (
              <p>{copy.redeemed.byEmail}</p>
            )}
            {gift.deliveryNotes !== null && (
              <>
                <h3>{copy.redeemed.notes}</h3>
                <p class="prose" dir="auto">
                  {gift.deliveryNotes}
                </p>
              </>
            )}
          </div>
        </div>
        <p class="hint">{copy.redeemed.wrong(gift.sender)}</p>
      </section>
    ),
  };
}

function addressLines(address: Address): string[] {
  const town = [address.suburb, address.state, address.postcode_zipcode].filter(Boolean).join(" ");
  const lines = [address.address_line_1, address.address_line_2, town, address.country];
  return lines.flatMap((line) => line || []);
}

/** The page of a gift that cannot be accepted, with the reason. */
export function closedPage(
  gift: Gift,
  state: Exclude<GiftState, "open" | "redeemed">,
  publicUrl: string,
): HtmlPage {
  const { title, text } = copy.closed[state];
  const lastDay = state === "unpaid" ? redeemByOf(gift.expiresAtMs) : null;
  const lead =
    lastDay === null ? (
      text(gift.sender)
    ) : (
      <>
        {text(gift.sender)} {copy.acceptBy(lastDay)}
      </>
    );
  return messagePage(title, lead, publicUrl, gift.branding ?? PLATFORM_BRANDING);
}

/** The page of an error, by its HTTP status. */
export function errorPage(status: number, publicUrl: string): HtmlPage {
  const { title, text } = errorCopy(status);
  return messagePage(title, text, publicUrl);
}

function errorCopy(status: number) {
  if (status === 404) return copy.errors.unknown;
  if (status === 413) return copy.errors.tooLarge;
  if (status === 429) return copy.errors.tooMany;
  return status < 500 ? copy.errors.method : copy.errors.unexpected;
}

function messagePage(
  title: string,
  text: Child,
  publicUrl: string,
  branding = PLATFORM_BRANDING,
): HtmlPage {
  const picture = pictureUrl(branding.claimLogo, publicUrl);
  return {
    title,
    branding,
    logo: picture ? "" : branding.logo,
    pictures: [branding.claimLogo],
    content: (
      <section class="panel message">
        {picture && <img class="claim" src={picture} alt="" width="240" height="180" />}
        <h1>{title}</h1>
        <p class="lead">{text}</p>
      </section>
    ),
  };
}
