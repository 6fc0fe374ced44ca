// What a message contains, in both of its formats.
import { concernsDelivery, EMAIL_FACTS } from "../../../core/values/email-kinds.ts";
import { redeemByOf } from "../../../core/values/redeem-by.ts";
import { trackingLinks } from "../../../core/values/tracking.ts";
import type { Translations } from "../../catalogue/product.ts";
import { TEST_KEY } from "../../codes/seal.ts";
import { isRecipientLink } from "../../fulfilment/tracking.ts";
import { greetingName } from "../../pages/full-name.ts";
import type { PageContext } from "../../pages/page-context.ts";
import { dayInWords, fillText } from "../../pages/text.tsx";
import { translationFor } from "../../pages/translate.ts";
import { type Sentence, sendingOf } from "../../pages/sending.ts";
import type { EmailKind, MessageGift, MessageSecrets } from "../email.ts";
import { linesOf, shortened } from "./values.ts";

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
  { giftUrl, stopUrl, code, imprint }: MessageSecrets & { imprint: string },
) {
  const { texts, locale } = page;
  const { carrier, trackingNumber } = gift;
  const hasTracking = EMAIL_FACTS[kind].brings === "tracking";
  const isDelivery = concernsDelivery(kind);
  const isNotice = isDelivery && kind !== "code";
  const isReminder = kind === "reminder" || kind === "last_days";
  const company = shortened(gift.company, MAX_COMPANY_LENGTH);
  const person = nameOf(gift.senderName ?? "");
  const names = { company, person };
  const lastDay = isDelivery ? null : redeemByOf(gift.expiresAtMs);
  const isDigital = gift.delivery === "digital";
  const sending = {
    isDigital,
    email: gift.sendCodes === 1 ? gift.email : "",
    city: nameOf(gift.city ?? ""),
    days: gift.deliveryDays,
  };
  const details = kind === "accepted" ? sendingOf(page, sending) : [];
  if (hasTracking && carrier) details.push([texts.email.carrier, { carrier: nameOf(carrier) }]);
  if (hasTracking && trackingNumber) {
    details.push([texts.shipment.number, { number: nameOf(trackingNumber) }]);
  }
  const validUntil = code && redeemByOf(gift.code?.expiresAtMs ?? null);
  if (code?.pin) details.push([texts.code.pin, { pin: code.pin }]);
  if (validUntil) details.push([texts.code.validUntil, { day: dayInWords(validUntil, locale) }]);
  if (code && gift.code?.keyId === TEST_KEY) details.push([texts.code.test, {}]);
  const translations = JSON.parse(gift.translations ?? "{}") as Translations;
  const local = translationFor({ translations }, locale.tag, gift.catalogueLanguage);
  const sentence = (text: string, values: Record<string, string>): Sentence => [text, values];
  const parcels = trackingLinks(gift).filter(
    ({ url }) => hasTracking && isRecipientLink(url ?? ""),
  );
  const comesByEmail = isDigital && gift.sendCodes === 1 && !isDelivery;
  const { invitation, accepted } = texts.email;
  const isSwapped = kind === "accepted" && gift.swappedFrom !== null;
  const isDigitalInvitation = kind === "invitation" && comesByEmail;
  const text = isSwapped
    ? accepted.swapped
    : isDigitalInvitation
      ? invitation.digital
      : texts.email[kind].text;
  /** The lines of the sender's letter. Empty without one. */
  const letter = isNotice ? [] : linesOf(gift.letter ?? "");
  const acceptBy =
    lastDay === null ? null : sentence(texts.gift.acceptBy, { day: dayInWords(lastDay, locale) });
  const view = { label: isDelivery ? texts.email.view : texts.email.open, url: giftUrl };
  const [first, ...others] = parcels.map(({ number, url }) => ({
    label: parcels.length > 1 && number !== null ? nameOf(number) : texts.shipment.track,
    url: String(url),
  }));
  const track =
    code?.url && isRecipientLink(code.url) ? { label: texts.code.open, url: code.url } : first;
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
    /** Null in a notice, because the recipient knows then. */
    from: isNotice ? null : sentence(person ? texts.email.byPerson : texts.email.by, names),
    title: sentence(texts.email[kind].title, { name: nameOf(greetingName(gift, locale)) }),
    text,
    /** Null if it is a surprise, which it no longer is when the recipient has accepted it. */
    product: gift.wrapEmails && !isDelivery ? null : nameOf(local.texts.name ?? gift.productName),
    pictures: [gift.productImage, ...gift.moreImages],
    comesByEmail,
    code: code?.code ?? null,
    details,
    /** How the code is used: untrusted HTML. Empty if unknown. */
    instructions: code ? (local.texts.instructions ?? gift.instructions ?? "") : "",
    instructionsLanguage: local.languages.instructions ?? gift.catalogueLanguage ?? "",
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
