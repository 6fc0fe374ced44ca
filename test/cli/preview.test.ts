// What recipients see, with sample data. Vitest compiles JSX here.
import { describe, expect, test } from "vitest";
import { EMAIL_KINDS } from "../../src/core/values/email-kinds.ts";
import { emailMessage } from "../../src/cli/preview/email.ts";
import { giftPage } from "../../src/cli/preview/gift-page.ts";
import { previewEnv, triedSettings } from "../../src/cli/preview/settings.ts";

/** What `client show` has of a client. */
const FACTS = {
  name: "Seen&Co",
  fee: "4",
  may_cancel: true,
  status: "active",
  reply_to: "gifts@seen.example",
  logo: "https://seen.example/logo.png",
  claim_logo: "/b.svg",
  primary_color: "#112233",
  secondary_color: "#445566",
};

const env = await previewEnv("local");

describe("the preview of a gift page", () => {
  const page = (tried: object, name: "gift" | "accepted" | "expired" = "gift") =>
    giftPage(env, triedSettings(FACTS, tried), { page: name, language: "de" });

  test("has the client's branding, and is complete as a file", async () => {
    const html = await page({});
    for (const part of ["Seen&amp;Co", "--brand:#112233", "https://seen.example/logo.png"]) {
      expect(html).toContain(part);
    }
    expect(html).toContain('<html lang="de"');
    expect(html).toContain(".greeting");
    expect(html).toContain('src="data:image/svg+xml;base64,');
    expect(html).not.toMatch(/<link rel="stylesheet"|<script|cdn-cgi/);
  });

  test("shows settings before they are set, and other pages", async () => {
    const tried = { primary_color: "#0b5fff", cover: "/images/brand/preview.png" };
    const html = await page(tried);
    expect(html).toContain("--brand:#0b5fff");
    expect(html).toContain('<img class="cover" src="data:image/png;base64,');
    expect(await page(tried, "accepted")).toContain('class="accepted"');
    expect(await page({}, "expired")).toContain('class="panel message"');
  });

  test("refuses other fields and values", () => {
    expect(() => triedSettings(FACTS, { colour: "#112233" })).toThrow("colour");
    expect(() => triedSettings(FACTS, { pattern: 1 })).toThrow("pattern");
    expect(() => triedSettings({}, { pattern: "off" })).toThrow("logo");
  });
});

describe("the preview of an e-mail", () => {
  test("has the client's name, colours and address for replies", async () => {
    const settings = triedSettings(FACTS, { name: "Bloom" });
    const message = await emailMessage(env, settings, { kind: "invitation", language: "de" });
    expect(message).toMatchObject({
      from: { name: "Ada Park (Bloom)", email: "gifts@regalo.example" },
      replyTo: "gifts@seen.example",
    });
    for (const part of ['<html lang="de"', "#112233", "https://seen.example/logo.png", "Bloom"]) {
      expect(message.html).toContain(part);
    }
  });

  test.each(EMAIL_KINDS)("has a text: %s", async (kind) => {
    const { text } = await emailMessage(env, {}, { kind, language: "fr" });
    expect(text).toContain("/redeem/preview");
    expect(text.includes("DHL")).toBe(kind === "shipped");
  });
});
