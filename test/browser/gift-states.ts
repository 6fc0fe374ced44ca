// The states of the gift page. Each has a request that shows it, and a text that only this state shows.
import type { Page } from "playwright-core";
import { beforeAll, expect } from "vitest";
import type { Language } from "../../src/features/pages/language.ts";
import type { PageTexts } from "../../src/features/pages/texts.ts";
import { callDemo, DEMO_RECIPIENT, type DemoGift, submitForm } from "../servers/demo-gift.ts";
import {
  ADDRESS,
  CANDLE,
  CARD,
  type GiftPages,
  HAMPER,
  NOTES,
  submit,
  TEXTS,
} from "./gift-pages.ts";

interface State {
  gift: GiftName;
  query?: string;
  /** The fields of a POST request. Without them, the request is a GET request. */
  form?: Record<string, string>;
  /** The browser's cookies say that the gift was opened (by default), not yet opened, or just accepted. */
  visit?: "wrapped" | "accepted";
  text: (texts: PageTexts) => string;
}

const address = { ...ADDRESS, country: "AU", delivery_notes: NOTES, product_id: String(HAMPER) };
const card = { product_id: String(CARD) };

const STATES = {
  wrapped: { gift: "open", visit: "wrapped", text: ({ email }) => email.open },
  "wrapped with company branding": {
    gift: "branded",
    visit: "wrapped",
    text: ({ email }) => email.open,
  },
  gift: { gift: "open", text: ({ gift }) => gift.yours },
  "gift with company branding": { gift: "branded", text: ({ gift }) => gift.yours },
  variations: { gift: "open", query: `show=${String(CANDLE)}`, text: ({ gift }) => gift.other },
  "missing variation": {
    gift: "open",
    query: `step=address&product_id=${String(CANDLE)}`,
    text: ({ gift }) => gift.choiceMissing,
  },
  "unavailable gift": { gift: "open", query: "show=999", text: ({ gone }) => gone.other },
  others: { gift: "open", query: "others", text: ({ others }) => others.title },
  address: { gift: "open", query: "step=address", text: ({ address }) => address.title },
  problems: {
    gift: "open",
    form: { step: "accept", product_id: String(HAMPER), country: "AU", delivery_notes: NOTES },
    text: ({ problems }) => problems.title,
  },
  "problems of a postcode and a state": {
    gift: "open",
    form: { ...address, step: "accept", state: "Atlantis", postcode_zipcode: "ABCDE" },
    text: ({ problems }) => problems.title,
  },
  "another country": {
    gift: "open",
    form: { ...address, step: "address", country: "JP" },
    text: ({ problems }) => problems.otherGifts,
  },
  "another country without its button": {
    gift: "open",
    form: { ...address, step: "accept", country: "FR", shown_country: "AU" },
    text: ({ problems }) => problems.title,
  },
  "stored address": {
    gift: "known",
    query: "step=address",
    text: ({ address }) => address.another,
  },
  "missing tick": {
    gift: "known",
    form: { step: "accept" },
    text: ({ problems }) => problems.tick,
  },
  "digital address": {
    gift: "digital",
    query: "step=address",
    text: ({ address }) => address.emailTitle,
  },
  "digital problem": {
    gift: "digital",
    form: { ...card, step: "accept", delivery_email: "ada at work" },
    text: ({ problems }) => problems.title,
  },
  "sold out": {
    gift: "open",
    form: { ...address, step: "accept", product_id: "999" },
    text: ({ gone }) => gone.other,
  },
  thanks: { gift: "accepted", visit: "accepted", text: ({ accepted }) => accepted.thanks },
  accepted: { gift: "accepted", text: ({ accepted }) => accepted.text },
  "accepted earlier": {
    gift: "accepted",
    form: { ...address, address_line_1: "9 Elm Row", step: "accept" },
    text: ({ accepted }) => accepted.earlier,
  },
  "accepted earlier and sent": {
    gift: "shipped",
    form: { ...address, step: "accept" },
    text: ({ accepted }) => accepted.tooLateText.split("{")[0]?.slice(0, 20) ?? "",
  },
  "digital accepted": { gift: "digital accepted", text: ({ accepted }) => accepted.email },
  "hidden code": { gift: "code", text: ({ code }) => code.reveal },
  code: { gift: "code", form: { step: "reveal" }, text: ({ code }) => code.copy },
  "code sent again": {
    gift: "code",
    query: "resent",
    text: ({ code }) => code.resent.split("{")[0]?.trim() ?? "",
  },
  shipped: { gift: "shipped", text: ({ shipment }) => shipment.track },
  corrected: { gift: "accepted", query: "corrected", text: ({ accepted }) => accepted.saved },
  correct: {
    gift: "accepted",
    query: "correct&step=address",
    text: ({ accepted }) => accepted.correct,
  },
  "correct problems": {
    gift: "accepted",
    query: "correct",
    form: { step: "accept", country: "AU", delivery_notes: NOTES },
    text: ({ problems }) => problems.title,
  },
  "digital correct": {
    gift: "digital accepted",
    query: "correct&step=address",
    text: ({ accepted }) => accepted.correctEmail,
  },
  "correct too late": {
    gift: "shipped",
    query: "correct&step=address",
    text: ({ accepted }) => accepted.tooLate,
  },
  delivered: { gift: "delivered", text: ({ shipment }) => shipment.delivered },
  "missing note": {
    gift: "accepted",
    form: { step: "thank", note: "" },
    text: ({ thanks }) => thanks.required,
  },
  "note sent": { gift: "thanked", text: ({ thanks }) => thanks.sent.split("{")[0] ?? "" },
  decline: { gift: "open", query: "step=question", text: ({ decline }) => decline.keep },
  declined: { gift: "declined", text: ({ closed }) => closed.declined.title },
  "declined without the tick": {
    gift: "declined",
    form: { step: "reinstate" },
    text: ({ problems }) => problems.tick,
  },
  expired: { gift: "expired", text: ({ closed }) => closed.expired.title },
  unpaid: { gift: "unpaid", text: ({ closed }) => closed.unpaid.title },
  cancelled: { gift: "cancelled", text: ({ closed }) => closed.cancelled.title },
  replaced: { gift: "replaced", text: ({ closed }) => closed.replaced.title },
  failed: { gift: "failed", text: ({ closed }) => closed.failed.title },
  error: { gift: "forged", text: ({ errors }) => errors.unknown.title },
} satisfies Record<string, State>;

export type StateName = keyof typeof STATES;
export const STATE_NAMES = Object.keys(STATES) as StateName[];

/** States whose pages have different parts. */
export const DIFFERENT_STATES = [
  ...(["gift", "missing variation", "unavailable gift", "others", "problems"] as const),
  ...(["missing tick", "declined without the tick"] as const),
  ...([
    "digital address",
    "sold out",
    "thanks",
    "code",
    "shipped",
    "note sent",
    "decline",
  ] as const),
  "error" as const,
];

type GiftName =
  | "open"
  | "known"
  | "branded"
  | "digital"
  | "accepted"
  | "digital accepted"
  | "code"
  | "shipped"
  | "thanked"
  | "declined"
  | "expired"
  | "unpaid"
  | "delivered"
  | "cancelled"
  | "replaced"
  | "failed"
  | "forged";

/** The links of the gifts. */
type StateGifts = Record<GiftName, string>;

/** Places the gifts of all states before the tests of the file. */
export function useStateGifts(pages: GiftPages): StateGifts {
  const gifts = {} as StateGifts;
  beforeAll(async () => {
    Object.assign(gifts, await placeStateGifts(pages));
  });
  return gifts;
}

/** The redemptions that only the browser knows which has accepted the gift, by gift link. */
const redemptions = new Map<string, string>();

async function acceptByForm({ url }: DemoGift): Promise<void> {
  const body = new URLSearchParams({ ...address, step: "accept" });
  const response = await fetch(url, { method: "POST", redirect: "manual", body });
  const [, id = ""] = /regalo-accepted=([^;]+)/.exec(String(response.headers.getSetCookie())) ?? [];
  redemptions.set(url, id);
}

async function placeStateGifts(pages: GiftPages): Promise<StateGifts> {
  const redeem_by = `${String(new Date().getUTCFullYear() + 1)}-01-31`;
  const sender = { sender_name: "Grace Hopper", redeem_by };
  const company = { order_branding: "company", redeem_by };
  const known = { ...DEMO_RECIPIENT, delivery_address: { ...ADDRESS, country: "AU" } };
  const branded = await pages.place(company, "demo-two");
  await pages.cause("order.paid", branded, {}, "demo-two");
  const shipped = await pages.placeAccepted(sender);
  await pages.cause("gift.shipped", shipped, {
    carrier: "Deutsche Post DHL Express International Parcel Services",
    tracking_number: "JJD".padEnd(60, "0123456789"),
    tracking_url: `https://carrier.example/${"track/".repeat(40)}`,
  });
  const accepted = await pages.place(sender);
  await acceptByForm(accepted);
  const thanked = await pages.placeAccepted(sender);
  await submitForm(thanked.url, { step: "thank", note: "Thank you, Grace!\n\nIt is lovely." });
  const declined = await pages.place();
  await submitForm(declined.url, { step: "decline", reason: "other" });
  const expired = await pages.place();
  await pages.cause("gift.expired", expired);
  const delivered = await pages.placeAccepted(sender);
  await pages.cause("gift.shipped", delivered);
  await pages.cause("gift.delivered", delivered);
  const cancelled = await pages.place();
  await callDemo(pages.server, "/api/order/cancel", { order_id: cancelled.orderId });
  const replaced = await pages.place();
  await callDemo(pages.server, "/api/gift-link/renew", { suborder_id: replaced.giftId });
  const failed = await pages.place(company, "demo-two");
  await pages.cause("order.failed", failed, {}, "demo-two");
  return {
    open: (await pages.place(sender)).url,
    known: (await pages.place({ recipient_details: [known] })).url,
    branded: branded.url,
    digital: (await pages.place({ product_id: CARD })).url,
    accepted: accepted.url,
    "digital accepted": (await pages.placeAccepted({ product_id: CARD })).url,
    code: (await pages.placeAccepted({ product_id: CARD })).url,
    shipped: shipped.url,
    thanked: thanked.url,
    declined: declined.url,
    expired: expired.url,
    delivered: delivered.url,
    cancelled: cancelled.url,
    replaced: replaced.url,
    failed: failed.url,
    unpaid: (await pages.place(company, "demo-two")).url,
    forged: `${pages.server.url}/redeem/1001-forged`,
  };
}

/** The text of the page. Playwright's own functions for it take longer, because they load a script into each page. */
export const mainText = (page: Page) =>
  page.evaluate<string>("document.querySelector('main').textContent.replaceAll('\\u200b', '')");

interface Shown {
  language?: Language;
  texts?: PageTexts;
}

/** Opens the state in this window, and checks that the page shows its text. */
export async function showState(
  page: Page,
  gifts: StateGifts,
  name: StateName,
  { language = "en", texts = TEXTS }: Shown = {},
): Promise<void> {
  const { gift, query, form, visit, text }: State = STATES[name];
  await setVisit(page, gifts[gift], visit);
  const url = `${gifts[gift]}?lang=${language}${query === undefined ? "" : `&${query}`}`;
  if (form) {
    if (page.url() === "about:blank") await page.goto(gifts[gift]);
    await submit(page, url, form);
  } else {
    await page.goto(url);
  }
  expect(await mainText(page), name).toContain(text(texts));
}

/** Sets the cookies of an earlier visit. */
async function setVisit(page: Page, gift: string, visit: State["visit"]): Promise<void> {
  const [, id = ""] = /\/redeem\/(\d+)/.exec(gift) ?? [];
  const [name, value] =
    visit === "accepted" ? ["regalo-accepted", redemptions.get(gift) ?? ""] : ["regalo-opened", id];
  await page.context().clearCookies();
  if (visit !== "wrapped") await page.context().addCookies([{ name, value, url: gift }]);
}
