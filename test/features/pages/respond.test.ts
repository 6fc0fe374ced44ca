import { env } from "cloudflare:workers";
import { describe, expect, test, vi } from "vitest";
import texts from "../../../public/languages/en.json";
import { pictureUrl } from "../../../src/features/pages/picture.tsx";
import { accept, createGift, takeStep, thank } from "../../support/gift.ts";
import { openShop, orderOf, simpleProduct } from "../../support/fixtures.ts";
import { type Answer, startWorker } from "../../support/worker.ts";
import { obfuscated } from "../../support/html.ts";
import { replacingBatch } from "../../support/faults.ts";

const worker = startWorker();
const FORM = { "Content-Type": "application/x-www-form-urlencoded" };

/** The headers of every response below /redeem, both pages and redirects. */
const SAFE_HEADERS = {
  "cache-control": "no-store",
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
  "origin-agent-cluster": "?1",
  "referrer-policy": "no-referrer",
  "strict-transport-security": "max-age=15552000; includeSubDomains",
  "x-content-type-options": "nosniff",
  "x-dns-prefetch-control": "off",
  "x-download-options": "noopen",
  "x-frame-options": "SAMEORIGIN",
  "x-permitted-cross-domain-policies": "none",
  "x-robots-tag": "noindex, nofollow",
  "x-xss-protection": "0",
};

const BRANDING = {
  logo: "https://logo.example/l.svg",
  claimLogo: "https://claim.example/c.svg",
  primaryColor: "#123456",
  secondaryColor: "#eef4ff",
};

/** The sources of each directive of a page's policy. */
function policyOf({ headers }: Answer): Record<string, string> {
  const directives = headers.get("Content-Security-Policy")?.split("; ") ?? [];
  return Object.fromEntries(directives.map((text) => text.split(/ (.*)/).slice(0, 2)));
}

/** The other hosts from which a page may load images. */
const hostsOf = (page: Answer) => policyOf(page)["img-src"]?.split(" ").slice(1).sort();

/** `hasForm`: a page with a form, which the browser may keep for Back and Forward. */
function expectSafe(page: Answer, { hasForm = false } = {}): void {
  expect(Object.fromEntries(page.headers)).toMatchObject({
    ...SAFE_HEADERS,
    ...(hasForm && { "cache-control": "private, no-cache" }),
  });
  expect(page.headers.get("Content-Type")).toBe("text/html; charset=UTF-8");
  expect(page.headers.get("X-Request-Id")).toBeTruthy();
  expect(policyOf(page)).toEqual({
    "default-src": "'none'",
    "img-src": expect.stringMatching(/^'self'( https?:\/\/[\w.:-]+)*$/),
    "style-src": expect.stringMatching(/^'self' 'sha256-[A-Za-z0-9+/]{43}='$/),
    "form-action": "'self'",
    "base-uri": "'none'",
    "frame-ancestors": "'none'",
  });
  expect(page.text).toContain('<meta name="robots" content="noindex"/>');
  expect(page.text).not.toMatch(/<script|javascript:| style=| on[a-z]+=/i);
}

/** The database, with batches that fail with `message` before they run. */
const failingD1 = (message: string) =>
  replacingBatch(() => Promise.reject(new Error(message)), "all");

describe("every response below /redeem", () => {
  test("is a page that is not cached, indexed, sent as a referrer or scripted", async () => {
    const product = simpleProduct();
    const gift = await createGift(worker, [product], { gift_of_choice: "Y" });
    const hasForm = true;
    for (const query of ["", "?others=", "?step=address", "?step=question"]) {
      expectSafe(await worker.fetch(gift.path + query), { hasForm });
    }
    expectSafe(await accept(worker, gift.path, { suburb: "" }), { hasForm });
    expectSafe(await accept(worker, gift.path, { step: "address" }), { hasForm });
    expectSafe(await accept(worker, gift.path, { product_id: "1" }), { hasForm });
    expectSafe(await worker.fetch("/redeem/forged"));
    expectSafe(await worker.fetch("/redeem/"));
    await takeStep(gift, "cancel");
    expectSafe(await worker.fetch(gift.path));
    const redeemed = await createGift(worker, [product]);
    await accept(worker, redeemed.path);
    expectSafe(await worker.fetch(redeemed.path), { hasForm });
    expectSafe(await accept(worker, redeemed.path), { hasForm });
    await thank(worker, redeemed.path, "Thank you");
    expectSafe(await worker.fetch(redeemed.path));
  });

  test("has the same headers if it is a redirect", async () => {
    const { path } = await createGift(worker, [simpleProduct()]);
    const answer = await accept(worker, path);
    expect([answer.status, answer.text]).toEqual([303, ""]);
    expect(Object.fromEntries(answer.headers)).toMatchObject(SAFE_HEADERS);
  });

  test.each<[number, string, RequestInit]>([
    [405, texts.errors.method.title, { method: "DELETE" }],
    [415, texts.errors.method.title, { headers: { "Content-Type": "application/json" } }],
    [413, texts.errors.tooLarge.title, { body: `delivery_notes=${"x".repeat(1024 * 1024)}` }],
  ])("is a page also with the status %d: %s", async (status, title, init) => {
    const { path } = await createGift(worker, [simpleProduct()]);
    const answer = await worker.fetch(path, {
      method: "POST",
      headers: FORM,
      body: "a=b",
      ...init,
    });
    expect(answer.status).toBe(status);
    expect(answer.headers.get("Allow")).toBe(status === 405 ? "GET, HEAD, POST" : null);
    expect(answer.text).toContain(title);
    expectSafe(answer);
  });

  test("is a page without details if the database fails", async () => {
    const { path } = await createGift(startWorker(), [simpleProduct()]);
    const log = vi.spyOn(console, "error").mockImplementation(() => undefined);
    const broken = startWorker({ env: { DB: failingD1("a secret of the operator") } });
    for (const answer of [await broken.fetch(path), await accept(broken, path)]) {
      expect(answer.status).toBe(500);
      expect(answer.text).toContain(texts.errors.unexpected.title);
      expect(answer.text).not.toContain("secret of the operator");
      expectSafe(answer);
    }
    expect(log).toHaveBeenCalledTimes(2);
    log.mockRestore();
  });

  test("is limited for each address, also for forged links, with a page that explains it", async () => {
    const asked: string[] = [];
    const limit = ({ key }: { key: string }) => {
      asked.push(key);
      return Promise.resolve({ success: false });
    };
    const worker = startWorker({ env: { RATE_LIMITER: { limit } } });
    const headers = { "CF-Connecting-IP": "203.0.113.7" };
    const answer = await worker.fetch("/redeem/forged", { headers });
    expect(asked).toEqual(["address:203.0.113.7"]);
    expect(answer.status).toBe(429);
    expect(answer.headers.get("Retry-After")).toBe("60");
    expect(answer.text).toContain(texts.errors.tooMany.title);
    expectSafe(answer);
  });
});

describe("the content security policy", () => {
  test("permits the page's own host and the hosts of its images", async () => {
    const product = simpleProduct({
      featuredImage: "https://pictures.example:8443/a.jpg?x=1;2",
      additionalImages: ["https://more.example/b.jpg", "/images/c.svg"],
    });
    const other = simpleProduct({ featuredImage: "https://unseen.example/d.jpg" });
    const { path } = await createGift(worker, [product, other]);
    expect(hostsOf(await worker.fetch(path))).toEqual([
      env.PUBLIC_URL,
      "https://more.example",
      "https://pictures.example:8443",
    ]);
  });

  test("permits the images of other gifts, of logos and of the page of all gifts", async () => {
    const at = (host: string) => simpleProduct({ featuredImage: `https://${host}/a.jpg` });
    const giftOrder = await createGift(
      worker,
      [at("first.example"), at("other.example")],
      { gift_of_choice: "Y", order_branding: "company" },
      { branding: BRANDING, billing: "invoice" },
    );
    // A page with the claim logo has no other logo.
    const unpaid = await worker.fetch(giftOrder.path);
    expect(hostsOf(unpaid)).toEqual(["https://claim.example"]);
    expect(unpaid.text.match(/<img/g)).toHaveLength(1);
    await takeStep(giftOrder, "pay");
    const logos = ["https://claim.example", "https://logo.example"];
    expect(hostsOf(await worker.fetch(giftOrder.path))).toEqual([
      env.PUBLIC_URL, // The logo of the vendor.
      logos[0],
      "https://first.example",
      "https://images.example",
      logos[1],
      "https://other.example",
    ]);
    expect(hostsOf(await worker.fetch(`${giftOrder.path}?others=`))).toEqual([
      ...logos,
      "https://other.example",
    ]);
    expect(hostsOf(await worker.fetch(`${giftOrder.path}?step=address`))).toEqual([
      logos[0],
      "https://first.example",
      logos[1],
    ]);
    await accept(worker, giftOrder.path);
    expect(hostsOf(await worker.fetch(giftOrder.path))).toEqual([
      env.PUBLIC_URL,
      logos[0],
      "https://first.example",
      logos[1],
    ]);
  });
});

describe("the pictures that the content security policy permits", () => {
  test("are those of a branding on the pages that show them", async () => {
    const branding = {
      ...BRANDING,
      logoDark: "https://dark.example/d.svg",
      claimLogo: "/c.svg",
      cover: "https://cover.example/c.jpg",
      preview: "https://p.example/",
    };
    const product = simpleProduct({ featuredImage: "/a.jpg", additionalImages: [] });
    product.product.vendor.logo = "";
    const { path } = await createGift(
      worker,
      [product],
      { order_branding: "company" },
      { branding },
    );
    const first = await worker.fetch(path);
    const own = env.PUBLIC_URL;
    const logos = ["https://dark.example", "https://logo.example"];
    expect(hostsOf(first)).toEqual([own, "https://cover.example", ...logos].sort());
    expect(hostsOf(await worker.fetch(`${path}?step=address`))).toEqual([own, ...logos].sort());
    expect(first.text).toContain(
      '<source srcset="https://dark.example/d.svg" media="screen and (prefers-color-scheme: dark)"/>',
    );
  });

  /** A page whose only pictures, that of the gift and the vendor's logo, have this URL. */
  async function pageWith(url: string) {
    const product = simpleProduct({ featuredImage: url, additionalImages: [] });
    product.product.vendor.logo = url;
    return worker.fetch((await createGift(worker, [product])).path);
  }

  test("may have another scheme, port or host", async () => {
    expect((await pageWith("HTTPS://A.example:444/x.jpg")).text.match(/<img/g)).toHaveLength(3);
    const valid = ["http://a.example/x.jpg", "https://[2001:db8::1]/x.jpg", "/x.jpg"];
    expect(valid.map((url) => pictureUrl(url, env.PUBLIC_URL))).not.toContain("");
  });

  test("have no URL that is invalid or would be read as a part of the policy", async () => {
    const page = await pageWith("https://a;sandbox/x.jpg");
    expectSafe(page, { hasForm: true });
    expect(page.text.match(/<img/g)).toHaveLength(1);
    for (const url of [
      ...["", "x.jpg", "ftp://a.example/x.jpg", "file:///x.jpg", "blob:https://a.example/x"],
      ...["javascript:alert(1)", "data:image/svg+xml,<svg onload=alert(1)>", "https://"],
      ...['"><script>alert(1)</script>', "https://a,sandbox/x.jpg", "https://a';x/x.jpg"],
      "https://*.example/x.jpg",
    ]) {
      expect([url, pictureUrl(url, env.PUBLIC_URL)]).toEqual([url, ""]);
    }
  });

  test("come with the theme's style by its digest", async () => {
    const { path } = await createGift(worker, [simpleProduct()]);
    const { text, headers } = await worker.fetch(path);
    const css = /<style>(.*?)<\/style>/s.exec(text)?.[1] ?? "";
    const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(css));
    const base64 = btoa(String.fromCharCode(...new Uint8Array(digest)));
    expect(headers.get("Content-Security-Policy")).toContain(`'sha256-${base64}'`);
  });
});

test("a page has the same e-mail addresses after Cloudflare's Email Address Obfuscation", async () => {
  expect(obfuscated('<a href="mailto:a@b.example">Ask a@b.example</a>')).toBe(
    '<a href="/cdn-cgi/l/email-protection">Ask [email protected]</a>',
  );
  const { path } = await createGift(worker, [simpleProduct()]);
  for (const { text } of [await worker.fetch(path), await worker.fetch("/redeem/unknown")]) {
    expect(text).toContain(`<a href="mailto:`);
    expect(obfuscated(text)).toBe(text);
  }
});

describe("a link that was typed in capitals", () => {
  test("opens the gift at the address of its page, with its parameters", async () => {
    const { path } = await createGift(worker, [simpleProduct()]);
    const { status, headers, text } = await worker.fetch(`${path.toUpperCase()}?lang=de`);
    const location = `${path.replace(/[^/]+$/, (token) => token.toUpperCase())}?lang=de`;
    expect([status, headers.get("Location"), text]).toEqual([308, location, ""]);
    expect(Object.fromEntries(headers)).toMatchObject(SAFE_HEADERS);
    const page = await worker.fetch(location);
    expect(page.status).toBe(200);
    expectSafe(page, { hasForm: true });
  });

  test("stops the e-mails", async () => {
    const { path } = await createGift(worker, [simpleProduct()]);
    const stop = path.replace("/redeem/", "/Stop-Emails/");
    const { status, headers } = await worker.fetch(stop, { method: "POST" });
    expect([status, headers.get("Location")]).toEqual([308, stop.toLowerCase()]);
  });
});

describe("an unknown path", () => {
  const FROM_BROWSER = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8";
  const PATHS = ["/nothing", "/redeemed/42", "/REDEEM", "//evil.example/redeem/1", "/apis"];

  test.each(PATHS)("%s shows a page to people, and an error to programs", async (path) => {
    const read = (Accept: string, method = "GET") =>
      worker.fetch(env.PUBLIC_URL + path, { method, headers: { Accept } });
    for (const page of [await read(FROM_BROWSER), await read(FROM_BROWSER, "POST")]) {
      expect(page.status).toBe(404);
      expectSafe(page);
      expect(page.text).toContain(`<h1>${texts.errors.unknown.title}</h1>`);
    }
    const { status, json } = await read("application/json, */*");
    expect([status, json.code]).toEqual([404, "not_found"]);
  });

  test("below /api and /mcp is an error for every caller", async () => {
    const { client } = await openShop();
    const headers = { Accept: FROM_BROWSER };
    for (const path of ["/api/nothing", "/mcp/nothing"]) {
      const { status, json } = await worker.get(client, path, headers);
      expect([status, json.code]).toEqual([404, "not_found"]);
    }
  });
});

test("a JSON response has three security headers and is not cached", async () => {
  const { product, client } = await openShop();
  for (const answer of [
    await worker.get(client, "/api/credit-balance"),
    await worker.post(client, "/api/order", orderOf(product)),
    await worker.post(client, "/api/order", "no JSON"),
    await worker.fetch("/api/products"),
    await worker.fetch("/api/order", { method: "DELETE" }),
    await worker.fetch("/nothing"),
  ]) {
    const security = [...answer.headers].filter(
      ([name]) => name in SAFE_HEADERS || name === "content-security-policy",
    );
    expect(Object.fromEntries(security)).toEqual({
      "cache-control": "private, no-store",
      "strict-transport-security": "max-age=15552000; includeSubDomains",
      "x-content-type-options": "nosniff",
      "x-frame-options": "SAMEORIGIN",
    });
  }
});

describe("a branding", () => {
  const pageOf = async (changes: object) => {
    const branding = { ...BRANDING, ...changes };
    const request = { order_branding: "company" };
    const gift = await createGift(worker, [simpleProduct()], request, { branding });
    return { ...(await worker.fetch(gift.path)), name: `Company ${gift.client.clientId}` };
  };

  test("without more than logos and two colours shows no other elements", async () => {
    const { text, name } = await pageOf({});
    expect(text).toContain(`<img class="logo" src="https://logo.example/l.svg" alt="${name}"/>`);
    expect(text).toContain("<body>");
    expect(text).not.toMatch(/class="cover"|<source|:root{--s/);
  });

  test("can have a cover, a plain wrapping and one typeface", async () => {
    const { text } = await pageOf({ cover: "/cover.jpg", pattern: "off", typeface: "sans" });
    expect(text).toContain(
      `<img class="cover" src="${env.PUBLIC_URL}/cover.jpg" alt="" width="1200" height="400"`,
    );
    expect(text).toContain('<body class="plain">');
    expect(text).toContain(":root{--serif:var(--sans)}");
  });

  test("of an order is shown only as far as it is valid", async () => {
    const hostile = "https://a;script-src 'unsafe-inline'/x.png";
    const pictures = { logo: hostile, logoDark: hostile, claimLogo: hostile, cover: hostile };
    const rule = "}</style><script>alert(1)</script>";
    const page = await pageOf({
      ...pictures,
      preview: "javascript:alert(1)",
      accentColor: rule,
      backgroundColor: rule,
      pattern: rule,
      typeface: rule,
    });
    expectSafe(page, { hasForm: true });
    expect(page.text).toContain(`<header class="top"><bdi>${page.name}</bdi></header>`);
    expect(page.text).toContain(`content="${env.PUBLIC_URL}/images/brand/preview.png"`);
    expect(page.text).not.toMatch(/unsafe-inline|class="cover"|<source|<body class|alert/);
  });
});

const HOSTILE = `<img src=x onerror=alert(1)><script>alert(2)</script><svg/onload=alert(3)>"'><b>`;

/** A gift whose texts of the catalogue, the sender and the recipient are hostile. */
async function createHostile() {
  const texts = { name: HOSTILE, shortDescription: HOSTILE };
  const product = simpleProduct({ ...texts, description: `${HOSTILE}<p>Still here.</p>` });
  const more = { shippingInfo: HOSTILE, returnsInfo: HOSTILE };
  product.product.vendor = { name: HOSTILE, bio: HOSTILE, logo: HOSTILE, ...more };
  const person = { first_name: HOSTILE, last_name: "X", email: "x@example.com" };
  return createGift(worker, [product], {
    sender_name: HOSTILE,
    recipient_details: [{ ...person, redemption_message: HOSTILE }],
  });
}

test("text with markup is escaped in every field", async () => {
  const { path } = await createHostile();
  const open = () => worker.fetch(path);
  const page = await open();
  const faulty = { suburb: "", delivery_notes: HOSTILE, state: HOSTILE };
  const typed = await accept(worker, path, faulty);
  const complete = { delivery_notes: HOSTILE, suburb: HOSTILE, address_line_1: HOSTILE };
  const form = await accept(worker, path, { ...complete, step: "address" });
  expect(form.status).toBe(200);
  const decline = await worker.fetch(`${path}?step=question`);
  await accept(worker, path, complete);
  const accepted = await open();
  const refused = await thank(worker, path, HOSTILE + "\u0007");
  expect(refused.status).toBe(422);
  await thank(worker, path, HOSTILE);
  const thanked = await open();
  expect(thanked.text).toContain(texts.thanks.sent.split("{")[0]);
  expect(decline.text.match(/<(?:script|svg|b)\b|<img src=x/g)).toBeNull();
  for (const { text } of [page, typed, form, accepted, refused, thanked]) {
    expect(text.match(/<(?:script|svg|b)\b|<img src=x/g)).toBeNull();
    expect(text).toContain("&lt;script&gt;");
  }
});
