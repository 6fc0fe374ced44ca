// An e-mail with sample data.
import type {
  EmailKind,
  EmailMessage,
  MessageEnv,
  MessageGift,
} from "../../features/email/email.ts";
import type { Language } from "../../features/redeem/language.ts";
import { DAY_MS } from "../../core/values/time.ts";
import type { Settings } from "../../operator/clients/settings.ts";
import { settingColumns } from "./setting-columns.ts";

/** The message of a client with these settings. */
export async function emailMessage(
  env: MessageEnv,
  settings: Partial<Settings>,
  { kind, language }: { kind: EmailKind; language: Language },
): Promise<EmailMessage> {
  // Loaded here, because it needs the compiler of JSX.
  const { renderEmail } = await import("../../features/email/message/render.tsx");
  const sample = sampleGift(kind, settings);
  const gift = { ...sample, company: settings.name ?? sample.company, language };
  return renderEmail(env, kind, gift, {
    giftUrl: `${env.PUBLIC_URL}/redeem/preview`,
    stopUrl: `${env.PUBLIC_URL}/stop-emails/preview`,
    code: kind === "code" ? SAMPLE_CODE : null,
  });
}

export const SAMPLE_CODE = {
  code: "ABCD-1234-EFGH",
  pin: "4711",
  url: "https://shop.example/redeem",
};

export const sampleGift = (kind: EmailKind, settings: Partial<Settings> = {}): MessageGift => ({
  ...settingColumns(settings),
  orderId: 1,
  sequence: 1,
  linkGeneration: 0,
  linkNonce: null,
  linkKeyId: null,
  clientId: "sample",
  company: "Sample Company",
  senderName: "Ada Park",
  firstName: "Grace",
  lastName: "Hopper",
  email: "grace@example.com",
  language: null,
  letter: "Dear Grace,\n\nthank you for a wonderful year. We would be lost without you.",
  expiresAtMs: Date.now() + (kind === "last_days" ? 5 : 60) * DAY_MS,
  productName: "Good Letters Writing Set",
  delivery: kind === "code" ? "digital" : "physical",
  instructions: "<p>Enter the code at the checkout.</p>",
  code: {
    ...{ sealed: "", keyId: "sample", orderId: 1, sequence: 1, openedAtMs: null },
    expiresAtMs: Date.now() + 365 * DAY_MS,
  },
  translations: null,
  catalogueLanguage: "en",
  // Mail programs do not show the SVG pictures of products.
  productImage: "/images/brand/preview.png",
  carrier: "DHL",
  trackingNumber: "JJD000123",
  trackingUrl: "https://www.dhl.com/track",
});
