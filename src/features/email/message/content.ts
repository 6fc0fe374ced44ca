// What a message contains, in both of its formats.
import { redeemByOf } from "../../../core/values/redeem-by.ts";
import type { Translations } from "../../catalogue/product.ts";
import { isTrackingUrl } from "../../fulfilment/tracking.ts";
import { greetingName } from "../../redeem/full-name.ts";
import type { PageContext } from "../../redeem/page-context.ts";
import { dayInWords } from "../../redeem/pages/text.tsx";
import { translationFor } from "../../redeem/translate.ts";
import type { EmailKind, MessageGift, MessageLinks } from "../email.ts";
import { linesOf, shortened } from "./values.ts";

/** A text, and the values of its placeholders. */
export type Sentence = [text: string, values: Record<string, string>];

export type MessageContent = ReturnType<typeof contentOf>;

/** Longer names are cut off, because a message has at most 25 KB with the longest letter. */
const MAX_NAME_LENGTH = 80;
const nameOf = (value: string) => shortened(value, MAX_NAME_LENGTH);

/** What the message of this kind contains. */
export function contentOf(
  page: PageContext,
  kind: EmailKind,
  gift: MessageGift,
  { giftUrl, stopUrl, imprint }: MessageLinks & { imprint: string },
) {
  const { texts, locale } = page;
  const { carrier, trackingNumber, trackingUrl } = gift;
  const isShipped = kind === "shipped";
  const isReminder = kind === "reminder" || kind === "last_days";
  const company = nameOf(gift.company);
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
  return {
    page,
    branding: gift.branding,
    productLanguage: local.languages.name ?? gift.catalogueLanguage ?? "",
    company,
    /** The lines of the sender's letter. Empty without one. */
    letter: isShipped ? [] : linesOf(gift.letter ?? ""),
    signature: sentence(person ? texts.gift.person : "{company}", names),
    from: sentence(person ? texts.email.byPerson : texts.email.by, names),
    title: sentence(texts.email[kind].title, { name: nameOf(greetingName(gift, locale)) }),
    text: texts.email[kind].text,
    /** Null if it is a surprise, which it no longer is when the recipient has accepted it. */
    product: gift.wrapEmails && !isShipped ? null : nameOf(local.texts.name ?? gift.productName),
    picture: gift.productImage,
    isDigital: gift.delivery === "digital",
    shipment,
    trackingUrl: isShipped && isTrackingUrl(trackingUrl ?? "") ? trackingUrl : null,
    button: isShipped ? texts.email.view : texts.email.open,
    giftUrl,
    acceptBy:
      lastDay === null ? null : sentence(texts.gift.acceptBy, { day: dayInWords(lastDay, locale) }),
    why: sentence(texts.email.why, names),
    stopUrl: isReminder ? stopUrl : null,
    imprint,
  };
}
