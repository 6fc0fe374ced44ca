// Messages to recipients.
import { SAMPLE_CODE, sampleGift } from "../../../src/cli/preview/email.ts";
import { PLATFORM_BRANDING } from "../../../src/features/clients/profile.ts";
import type {
  EmailKind,
  MessageEnv,
  MessageGift,
  MessageSecrets,
} from "../../../src/features/email/email.ts";
import type { Branding } from "../../../src/platform/db/schema.ts";

const TOKEN = "0g0a-1a2b3c4d5e6f7g8h9i0j1k2l3m4n5o6p7q8r";

export const LINKS = {
  giftUrl: `https://api.regalo.example/redeem/${TOKEN}`,
  stopUrl: `https://api.regalo.example/stop-emails/${TOKEN}`,
};

export const secretsOf = (kind: EmailKind): MessageSecrets => ({
  ...LINKS,
  code: kind === "code" ? SAMPLE_CODE : null,
});

export const SETTINGS: Omit<MessageEnv, "ASSETS"> = {
  ENVIRONMENT: "production",
  PUBLIC_URL: "https://api.regalo.example",
  SUPPORT_EMAIL: "support@regalo.example",
  IMAGE_TRANSFORMATIONS: "off",
  EMAIL_FROM: "gifts@regalo.example",
  EMAIL_IMPRINT: "Regalo Pty Ltd, 1 Example Street, Melbourne VIC 3000, Australia",
};

export const COMPANY_BRANDING: Branding = {
  ...PLATFORM_BRANDING,
  logo: "https://northwind.example/logo.png",
  primaryColor: "#1f4d5c",
  secondaryColor: "#e3eef0",
};

/** A gift with all values. */
export function messageGift(changes: Partial<MessageGift> = {}): MessageGift {
  const sample = sampleGift("invitation");
  return {
    ...sample,
    code: sample.code && { ...sample.code, expiresAtMs: Date.parse("2027-02-01T12:00:00Z") },
    orderId: 42,
    sequence: 3,
    linkGeneration: 1,
    clientId: "northwind",
    branding: COMPANY_BRANDING,
    linkNonce: "nonce",
    linkKeyId: "key",
    expiresAtMs: Date.parse("2027-02-01T12:00:00Z"),
    letter: "Dear Grace,\n\nthank you for a wonderful year.\nWe would be lost without you.",
    company: "Northwind",
    supportEmail: "help@northwind.example",
    productName: "Sunday Teapot",
    productImage: "https://cdn.example/teapot.jpg",
    trackingUrl: "https://carrier.example/track/JJD000123",
    ...changes,
  };
}

/** Colours with little contrast to white and to each other, and no logo. */
export const SHARP_BRANDING: Branding = {
  ...COMPANY_BRANDING,
  logo: "",
  primaryColor: "#ffe600",
  secondaryColor: "#fff9c2",
};

/** What differs between messages beside their kind and language. */
export const BRANDS = {
  company: {},
  platform: { branding: null, senderName: null, letter: null },
  wrapped: { wrapEmails: 1, branding: SHARP_BRANDING },
} satisfies Record<string, Partial<MessageGift>>;
