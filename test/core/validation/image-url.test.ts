// The rule for the URL of an image.
import { describe, expect, test } from "vitest";
import orders from "../../../seed/orders.json" with { type: "json" };
import { CLIENT_SETTINGS } from "../../../src/operator/client/settings.ts";
import { PLATFORM_BRANDING } from "../../../src/features/clients/profile.ts";
import { imageUrl } from "../../../src/core/validation/fields.ts";

const OWN = "/images/logo.svg";

describe("the URL of an image", () => {
  test.for([
    "https://shop.example/a.jpg",
    "http://shop.example/a.jpg",
    "HTTPS://SHOP.EXAMPLE/A.JPG",
    "https://shop.example:8443/a.jpg?size=1;2&x=(1)",
    "https://käse.example/größe.jpg",
    "https://[2001:db8::1]/a.jpg",
    "/images/a.svg",
    "/",
    ...["/a.avif", "/image.php?id=1", "/a.pdf?format=jpg", "/a.v2", "/render?file=a.pdf"],
  ])("may be %s", (address) => {
    expect(imageUrl().safeParse(address).success).toBe(true);
  });

  test.for([
    ...["", "//shop.example/a.jpg", "/\\shop.example/a.jpg", "images/a.svg", "shop.example/a.jpg"],
    ...["javascript:alert(1)", "data:image/png;base64,AAAA", "ftp://shop.example/a.jpg"],
    ...["https:shop.example/a.jpg", "https://", "https://shop.example/a b.jpg", "/images/a b.svg"],
    " https://shop.example/a.jpg",
    // Hosts that would be parsed as a part of a policy header.
    ...["https://a;sandbox/x.jpg", "https://a,sandbox/x.jpg", "https://*.example/x.jpg"],
    "https://a'b/x.jpg",
    ...["/a.pdf", "https://shop.example/a.MP4?v=1", "/a.mov", "/a.docx", "/a.html#top", "/a.zip"],
  ])("may not be %s", (address) => {
    expect(imageUrl().safeParse(address).success).toBe(false);
  });

  test.for(["logo", "claim_logo", "logo_dark", "cover", "preview"] as const)(
    "has the same rule in a client's %s",
    (name) => {
      const schema = CLIENT_SETTINGS[name].kind.schema();
      expect(schema.safeParse(OWN).success).toBe(true);
      for (const address of ["", "//evil.example/a.svg", "javascript:alert(1)", "/a.heic"]) {
        expect(schema.safeParse(address).success).toBe(false);
      }
    },
  );

  test("is valid in the platform's branding and in the demo orders", () => {
    const brandings = [PLATFORM_BRANDING, ...orders.flatMap(({ store }) => store?.branding ?? [])];
    expect(brandings.length).toBeGreaterThan(1);
    const pictures = brandings.flatMap(({ logo, claimLogo }) => [logo, claimLogo]);
    const schema = CLIENT_SETTINGS.logo.kind.schema();
    expect(pictures.filter((address) => !schema.safeParse(address).success)).toEqual([]);
  });
});
