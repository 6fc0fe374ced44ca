// The texts of the recipient's pages. To translate them, add another object of this type. Names are in <bdi>, so that a
// name written from right to left does not reorder the sentence.
import { html } from "hono/html";
import type { FormField } from "../form.ts";

/** `2027-01-31` → `31 January 2027`. */
function inWords(day: string): string {
  const format = { day: "numeric", month: "long", year: "numeric", timeZone: "UTC" } as const;
  return new Date(day).toLocaleDateString("en-GB", format);
}

const dayInWords = (day: string) => html`<time datetime="${day}">${inWords(day)}</time>`;

export const copy = {
  lang: "en",

  title: (name: string) => `${name}, a gift for you`,
  greeting: (name: string) => html`<bdi>${name}</bdi>, a gift for you`,
  from: (sender: string) => html`<bdi>${sender}</bdi> has sent you a gift.`,
  acceptBy: (day: string) => html`Please accept it by ${dayInWords(day)}.`,
  messageFrom: "A message from",
  gift: "Your gift",
  otherGift: "Another choice",
  madeBy: (vendor: string) => html`By <bdi>${vendor}</bdi>`,
  digital: "Delivered to you digitally",
  otherPictures: "More pictures",
  pictureOf: (product: string) => `Picture of ${product}`,
  pictureNumber: (product: string, n: number) => `${product}, picture ${String(n)}`,

  chooseVariation: (attributes: string) => html`Choose your <bdi>${attributes.toLowerCase()}</bdi>`,
  whereTo: "Where should it go?",
  fillIn: "Check the address, so that your gift finds you.",
  optional: "optional",
  postcodeIsOptional: "if any",
  fields: {
    address_line_1: "Street and number",
    address_line_2: "Apartment, unit or floor",
    suburb: "Suburb or town",
    state: "State or region",
    postcode_zipcode: "Postcode",
    country: "Country",
    delivery_notes: "Delivery notes",
  } satisfies Record<FormField, string>,
  notesHint: "Anything that helps with the delivery, such as a gate code or a safe place.",
  accept: "Accept this gift",
  onceOnly: "You can accept once. Nothing is sent before you do.",

  faults: {
    title: "Please check your details",
    required: {
      address_line_1: "Enter a street and number",
      address_line_2: "Enter an apartment, unit or floor",
      suburb: "Enter a suburb or town",
      state: "Enter a state or region",
      postcode_zipcode: "Enter a postcode",
      country: "Enter a country",
      delivery_notes: "Enter delivery notes",
      variation_id: "Choose one of the options",
    } satisfies Record<FormField | "variation_id", string>,
    invalid: (label: string, max: number) =>
      `${label} must be plain text of at most ${String(max)} characters`,
    unavailable: "This gift cannot be sent to this country",
    pageTitle: (title: string) => `Please check: ${title}`,
  },

  gone: {
    ranOut: (product: string) => html`<bdi>${product}</bdi> has just run out`,
    other: "That gift cannot be chosen",
    otherOption: "Nothing has changed, and what you typed is still here. Please choose again.",
    original: (product: string, typed: boolean) =>
      html`Nothing has changed: <bdi>${product}</bdi> is still
        yours${typed ? ", and what you typed is still here" : ""}.`,
  },

  otherGifts: {
    below: "Prefer something else? Choose another gift.",
    teaser: "Would something else suit you better?",
    teaserHint: "You may swap your gift for any of these. It costs you nothing.",
    title: "Choose another gift",
    hint: "Swap your gift for one of these. It costs you nothing.",
    more: "See all gifts",
    next: "More gifts",
    start: "Back to the first gifts",
    back: "Back to your gift",
    backToOriginal: (product: string) => html`Back to <bdi>${product}</bdi>`,
    empty: "No gift can be chosen here.",
    acceptBy: (day: string) => html`Please accept your gift by ${dayInWords(day)}.`,
    navigation: "Pages of gifts",
  },

  redeemed: {
    thanks: "It’s yours!",
    thanksText: (sender: string) =>
      html`Thank you. <bdi>${sender}</bdi> will see that you have accepted, and your gift will be on
        its way.`,
    title: "This gift has been accepted",
    text: "A gift can be accepted once. This is what was chosen:",
    whereTo: "Where it goes",
    byEmail: "It comes to you digitally, so there is nothing to deliver to your door.",
    notes: "Delivery notes",
    wrong: (sender: string) => html`Is something not right? Please ask <bdi>${sender}</bdi>.`,
  },

  shipment: {
    title: "Delivery",
    preparing: "Your gift is being prepared.",
    shipped: (day: string, carrier: string | null) =>
      html`Shipped on
      ${dayInWords(day)}${carrier === null ? "" : html` with <bdi>${carrier}</bdi>`}.`,
    delivered: (day: string) => html`Delivered on ${dayInWords(day)}.`,
    sent: (day: string) => html`Sent to your e-mail address on ${dayInWords(day)}.`,
    number: (number: string) => html`Tracking number: <bdi>${number}</bdi>`,
    track: "Track your parcel",
  },

  closed: {
    cancelled: {
      title: "This gift is no longer available",
      text: (sender: string) =>
        html`It was cancelled. If this surprises you, please ask <bdi>${sender}</bdi>.`,
    },
    expired: {
      title: "This gift has expired",
      text: (sender: string) =>
        html`The last day to accept it has passed. If you would still like it, please ask
          <bdi>${sender}</bdi>.`,
    },
    replaced: {
      title: "This link was replaced",
      text: (sender: string) =>
        html`There is a new link for this gift, and this one no longer opens it. Please use the
          newest message, or ask <bdi>${sender}</bdi>.`,
    },
    unpaid: {
      title: "Your gift is being prepared",
      text: (sender: string) =>
        html`<bdi>${sender}</bdi> has sent you a gift, and it is almost ready. Please come back a
          little later: this link stays the same.`,
    },
    failed: {
      title: "This gift could not be completed",
      text: (sender: string) =>
        html`Something went wrong with its payment. Please ask <bdi>${sender}</bdi> to send it
          again.`,
    },
  },

  errors: {
    unknown: {
      title: "This link opens no gift",
      text: "Please check that the whole link from your message is here, without anything missing at its end.",
    },
    method: { title: "That did not work", text: "Please open the link from your message again." },
    tooLarge: {
      title: "That was too much text",
      text: "Please go back and shorten what you typed.",
    },
    tooMany: {
      title: "One moment, please",
      text: "There were too many requests from your network. Please try again in a minute.",
    },
    unexpected: {
      title: "Something went wrong on our side",
      text: "Your gift is safe. Please try again in a few minutes.",
    },
  },

  skip: "Skip to the content",
  footer: "The link to this page is the key to your gift: keep it to yourself.",
};
