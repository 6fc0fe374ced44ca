// Messages to recipients.
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

export const SAMPLE_CODE = {
  code: "ABCD-1234-EFGH",
  pin: "4711",
  url: "https://shop.example/redeem",
};

/** A gift with all values. */
export function messageGift(changes: Partial<MessageGift> = {}): MessageGift {
  return {
    orderId: 42,
    sequence: 3,
    linkGeneration: 1,
    swappedFrom: null,
    linkNonce: "nonce",
    linkKeyId: "key",
    clientId: "northwind",
    company: "Northwind",
    branding: COMPANY_BRANDING,
    wrapEmails: 0,
    register: null,
    replyTo: null,
    supportEmail: "help@northwind.example",
    privacyUrl: null,
    senderName: "Ada Park",
    firstName: "Grace",
    lastName: "Hopper",
    email: "grace@example.com",
    language: null,
    letter: "Dear Grace,\n\nthank you for a wonderful year.\nWe would be lost without you.",
    expiresAtMs: Date.parse("2027-02-01T12:00:00Z"),
    productName: "Sunday Teapot",
    delivery: "physical",
    sendCodes: 1,
    instructions: "<p>Enter the code at the checkout.</p>",
    code: {
      sealed: "",
      keyId: "sample",
      orderId: 42,
      sequence: 3,
      openedAtMs: null,
      expiresAtMs: Date.parse("2027-02-01T12:00:00Z"),
    },
    translations: null,
    catalogueLanguage: "en",
    productImage: "https://cdn.example/teapot.jpg",
    moreImages: [],
    city: "Fitzroy",
    deliveryDays: 8,
    carrier: "DHL",
    trackingNumber: "JJD000123",
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
