// What a message contains, in both of its formats.
import { redeemByOf } from "../../../core/values/redeem-by.ts";
import { trackingLinks } from "../../../core/values/tracking.ts";
import type { Translations } from "../../catalogue/product.ts";
import { isTrackingUrl } from "../../fulfilment/tracking.ts";
import { greetingName } from "../../redeem/full-name.ts";
import type { PageContext } from "../../redeem/page-context.ts";
import { dayInWords, fillText } from "../../redeem/pages/text.tsx";
import { translationFor } from "../../redeem/translate.ts";
import type { EmailKind, MessageGift, MessageLinks } from "../email.ts";
import { linesOf, shortened } from "./values.ts";

/** A text, and the values of its placeholders. */
export type Sentence = [text: string, values: Record<string, string>];

export type MessageContent = ReturnType<typeof contentOf>;

/** Longer names are cut off, because a message has at most 25 KB with the longest letter. */
const MAX_NAME_LENGTH = 80;
const MAX_COMPANY_LENGTH = 100;
/** Mail programs show about as many characters after the subject. */
const PREHEADER_LENGTH = 90;
const nameOf = (value: string) => shortened(value, MAX_NAME_LENGTH);

/** What the message of this kind contains. */
export function contentOf(
  page: PageContext,
  kind: EmailKind,
  gift: MessageGift,
  { giftUrl, stopUrl, imprint }: MessageLinks & { imprint: string },
) {
  const { texts, locale } = page;
  const { carrier, trackingNumber } = gift;
  const isShipped = kind === "shipped";
  const isReminder = kind === "reminder" || kind === "last_days";
  const company = shortened(gift.company, MAX_COMPANY_LENGTH);
  const person = nameOf(gift.senderName ?? "");
  const names = { company, person };
  const lastDay = isShipped ? null : redeemByOf(gift.expiresAtMs);
  const shipment: Sentence[] = [];
  if (isShipped && carrier) shipment.push([texts.email.carrier, { carrier: nameOf(carrier) }]);
  if (isShipped && trackingNumber) {
    shipment.push([texts.shipment.number, { number: nameOf(trackingNumber) }]);
  }
  const translations = JSON.parse(gift.translations ?? "{}") as Translations;
  const local = translationFor({ translations }, locale.tag, gift.catalogueLanguage);
  const sentence = (text: string, values: Record<string, string>): Sentence => [text, values];
  const parcels = trackingLinks(gift).filter(({ url }) => isShipped && isTrackingUrl(url ?? ""));
  const isDigital = gift.delivery === "digital";
  const text =
    kind === "invitation" && isDigital ? texts.email.invitation.digital : texts.email[kind].text;
  /** The lines of the sender's letter. Empty without one. */
  const letter = isShipped ? [] : linesOf(gift.letter ?? "");
  const acceptBy =
    lastDay === null ? null : sentence(texts.gift.acceptBy, { day: dayInWords(lastDay, locale) });
  const view = { label: isShipped ? texts.email.view : texts.email.open, url: giftUrl };
  const [track, ...others] = parcels.map(({ number, url }) => ({
    label: parcels.length > 1 && number !== null ? nameOf(number) : texts.shipment.track,
    url: String(url),
  }));
  return {
    page,
    branding: gift.branding,
    productLanguage: local.languages.name ?? gift.catalogueLanguage ?? "",
    company,
    letter,
    /** What mail programs show after the subject: the beginning of the letter. */
    preheader:
      shortened(letter.join(" "), PREHEADER_LENGTH) ||
      [text, acceptBy && fillText(...acceptBy)].filter(Boolean).join(" "),
    signature: sentence(person ? texts.gift.person : "{company}", names),
    /** Null when the gift is shipped, because the recipient knows then. */
    from: isShipped ? null : sentence(person ? texts.email.byPerson : texts.email.by, names),
    title: sentence(texts.email[kind].title, { name: nameOf(greetingName(gift, locale)) }),
    text,
    /** Null if it is a surprise, which it no longer is when the recipient has accepted it. */
    product: gift.wrapEmails && !isShipped ? null : nameOf(local.texts.name ?? gift.productName),
    picture: gift.productImage,
    isDigital,
    shipment,
    /** The button. */
    action: track && others.length === 0 ? track : view,
    /** Links below the button: the gift, or several parcels. */
    others: track ? (others.length > 0 ? [track, ...others] : [view]) : [],
    giftUrl,
    acceptBy,
    why: sentence(texts.email.why, names),
    stopUrl: isReminder ? stopUrl : null,
    imprint,
  };
}
