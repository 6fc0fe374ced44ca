import { env } from "cloudflare:workers";
import { describe, expect, test, vi } from "vitest";
import { copy } from "../src/gifts/copy.ts";
import { overriding } from "./support/counting.ts";
import { accept, mintGift, setOrderStatus } from "./support/gift.ts";
import { simpleProduct } from "./support/mint.ts";
import { type Answer, startWorker } from "./support/worker.ts";

const FORM = { "Content-Type": "application/x-www-form-urlencoded" };

function expectSafe({ headers, text }: Answer): void {
  expect(headers.get("Content-Type")).toMatch(/^text\/html/);
  expect(headers.get("Cache-Control")).toBe("no-store");
  expect(headers.get("Referrer-Policy")).toBe("no-referrer");
  expect(headers.get("X-Robots-Tag")).toBe("noindex, nofollow");
  expect(headers.get("X-Request-Id")).toBeTruthy();
  const policy = headers.get("Content-Security-Policy") ?? "";
  expect(policy).toContain("default-src 'none'");
  expect(policy).not.toMatch(/script-src|unsafe|\*/);
  expect(text).not.toMatch(/<script|javascript:| style=| on[a-z]+=/i);
}

/** The real database, behind a connection that fails with `message` before a batch of it runs. */
const failingD1 = (message: string) =>
  overriding(env.DB, { batch: () => Promise.reject(new Error(message)) });

describe("every answer below /redeem", () => {
  test("is a page that is neither kept, indexed, told to others nor scripted", async () => {
    const worker = startWorker();
    const product = simpleProduct();
    const gift = await mintGift(worker, [product], { gift_of_choice: "Y" });
    expectSafe(await worker.fetch(gift.path));
    expectSafe(await worker.fetch(`${gift.path}?gifts`));
    expectSafe(await accept(worker, gift.path, { suburb: "" }));
    expectSafe(await worker.fetch("/redeem/forged"));
    await setOrderStatus(gift, "cancieled");
    expectSafe(await worker.fetch(gift.path));
  });

  test("keeps the link to itself when it sends the browser on", async () => {
    const worker = startWorker();
    const { path } = await mintGift(worker, [simpleProduct()]);
    const { headers } = await accept(worker, path);
    expect(headers.get("Cache-Control")).toBe("no-store");
    expect(headers.get("Referrer-Policy")).toBe("no-referrer");
  });

  test("is a page also for another method, which it names", async () => {
    const answer = await startWorker().fetch("/redeem/x", { method: "DELETE" });
    expect(answer.status).toBe(405);
    expect(answer.headers.get("Allow")).toBe("GET, HEAD, POST");
    expectSafe(answer);
  });

  test("is a page also for what is no form", async () => {
    const worker = startWorker();
    const { path } = await mintGift(worker, [simpleProduct()]);
    const headers = { "Content-Type": "application/json" };
    const answer = await worker.fetch(path, { method: "POST", headers, body: "{}" });
    expect(answer.status).toBe(415);
    expectSafe(answer);
  });

  test("is a page also for a form over 1 MiB", async () => {
    const body = `delivery_notes=${"x".repeat(1024 * 1024)}`;
    const answer = await startWorker().fetch("/redeem/x", { method: "POST", headers: FORM, body });
    expect(answer.status).toBe(413);
    expect(answer.text).toContain(copy.errors.tooLarge.title);
    expectSafe(answer);
  });

  test("is a page also when the database fails, and tells nothing of why", async () => {
    const { path } = await mintGift(startWorker(), [simpleProduct()]);
    const log = vi.spyOn(console, "error").mockImplementation(() => undefined);
    const broken = startWorker({ env: { DB: failingD1("a secret of the operator") } });
    for (const answer of [await broken.fetch(path), await accept(broken, path)]) {
      expect(answer.status).toBe(500);
      expect(answer.text).toContain(copy.errors.unexpected.title);
      expect(answer.text).not.toContain("secret of the operator");
      expectSafe(answer);
    }
    expect(log).toHaveBeenCalledTimes(2);
    log.mockRestore();
  });

  test("is limited for each address, forged links included, with a page that says so", async () => {
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
    expect(answer.text).toContain(copy.errors.tooMany.title);
    expectSafe(answer);
  });
});

describe("what a page may load", () => {
  test("is its own host, and the hosts of the very pictures it shows", async () => {
    const worker = startWorker();
    const product = simpleProduct({
      featuredImage: "https://pictures.example:8443/a.jpg?x=1;2",
      additionalImages: ["https://more.example/b.jpg", "/images/c.svg"],
    });
    const other = simpleProduct({ featuredImage: "https://unseen.example/d.jpg" });
    const { path } = await mintGift(worker, [product, other]);
    const policy = (await worker.fetch(path)).headers.get("Content-Security-Policy") ?? "";
    const sources = /img-src ([^;]*)/.exec(policy)?.[1]?.split(" ");
    expect(sources?.sort()).toEqual([
      "'self'",
      env.PUBLIC_URL,
      "https://more.example",
      "https://pictures.example:8443",
    ]);
  });

  test.each([
    "javascript:alert(1)",
    "data:image/svg+xml,<svg onload=alert(1)>",
    "https://",
    '"><script>alert(1)</script>',
    // Addresses on the web whose host would say something in a policy.
    "https://a;sandbox/x.jpg",
    "https://a,sandbox/x.jpg",
    "https://a';x/x.jpg",
    "https://*.example/x.jpg",
  ])("is no picture at %s", async (featuredImage) => {
    const worker = startWorker();
    const product = simpleProduct({ featuredImage, additionalImages: [] });
    const { path } = await mintGift(worker, [product]);
    const page = await worker.fetch(path);
    expectSafe(page);
    expect(page.text.match(/<img/g)).toHaveLength(1);
  });

  test("is the theme by its digest: the style in the page is what the policy names", async () => {
    const worker = startWorker();
    const { path } = await mintGift(worker, [simpleProduct()]);
    const { text, headers } = await worker.fetch(path);
    const css = /<style>(.*?)<\/style>/s.exec(text)?.[1] ?? "";
    const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(css));
    const base64 = btoa(String.fromCharCode(...new Uint8Array(digest)));
    expect(headers.get("Content-Security-Policy")).toContain(`'sha256-${base64}'`);
  });
});

describe("hostile text", () => {
  const HOSTILE = `<img src=x onerror=alert(1)><script>alert(2)</script><svg/onload=alert(3)>"'><b>`;

  test("stays text, whoever wrote it", async () => {
    const worker = startWorker();
    const product = simpleProduct({
      name: HOSTILE,
      description: HOSTILE + "<p>Still here.</p>",
      shortDescription: HOSTILE,
    });
    product.product.vendor.name = HOSTILE;
    const { path } = await mintGift(worker, [product], {
      recipient_details: [
        {
          first_name: HOSTILE,
          last_name: "X",
          email: "x@example.com",
          redemption_message: HOSTILE,
        },
      ],
    });
    const page = await worker.fetch(path);
    const typed = await accept(worker, path, {
      suburb: "",
      delivery_notes: HOSTILE,
      state: HOSTILE,
    });
    for (const { text } of [page, typed]) {
      expect(text.match(/<(?:script|svg|b)\b|<img src=x/g)).toBeNull();
      expect(text).toContain("&lt;script&gt;");
    }
  });
});
