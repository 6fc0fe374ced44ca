import { beforeAll, describe, expect, test } from "vitest";
import type { components } from "../../packages/client/src/openapi.ts";
import { STYLESHEET } from "../../src/features/pages/stylesheet.ts";
import { obfuscated } from "../support/html.ts";
import { type Served, sharedServer } from "../servers/harness.ts";

let served: Served;
beforeAll(async () => {
  served = await sharedServer();
}, 60_000);

const get = (path: string) => fetch(served.url + path, { redirect: "manual" });

describe("the document and the pages", () => {
  test.each([
    ...["/docs", "/docs/changelog", "/docs/reference"].map((path) => [
      path,
      "text/html; charset=utf-8",
    ]),
    ["/docs.css", "text/css; charset=utf-8"],
    ["/reference.js", "text/javascript; charset=utf-8"],
    ["/docs/viewer/standalone.esm.js", "text/javascript; charset=utf-8"],
    ["/openapi.json", "application/json"],
    ["/llms.txt", "text/plain; charset=utf-8"],
    ["/docs/guide.md", "text/markdown; charset=utf-8"],
    ["/docs/placeOrder.md", "text/markdown; charset=utf-8"],
  ])("include %s, which is served without Worker code as %s", async (path, type) => {
    const { status, headers } = await get(path);
    expect(status).toBe(200);
    expect(headers.get("Content-Type")).toBe(type);
    // The Worker adds this header to all of its responses.
    expect(headers.has("X-Request-Id")).toBe(false);
  });

  test("are separate from the API, which the Worker serves", async () => {
    const { status, headers } = await get("/api/products");
    expect(status).toBe(401);
    expect(headers.has("X-Request-Id")).toBe(true);
  });

  test("leave paths in capitals to the Worker", async () => {
    const redirect = await get("/REDEEM/42");
    expect([redirect.status, redirect.headers.get("Location")]).toEqual([308, "/redeem/42"]);
    const page = await fetch(`${served.url}/DOCS`, { headers: { Accept: "text/html" } });
    expect([page.status, page.headers.get("Content-Language")]).toEqual([404, "en"]);
  });

  test("include the stylesheet of the gift page, which browsers keep under the name of its content", async () => {
    const { status, headers } = await get(STYLESHEET);
    expect([status, headers.get("Content-Type")]).toEqual([200, "text/css; charset=utf-8"]);
    expect(headers.get("Cache-Control")).toBe("public, max-age=31536000, immutable");
  });

  test("have the same e-mail addresses after Cloudflare's Email Address Obfuscation", async () => {
    const page = await (await get("/docs")).text();
    expect(page).toContain("mailto:");
    expect(obfuscated(page)).toBe(page);
  });

  test("are the target of the redirect of /", async () => {
    const redirect = await get("/");
    expect([redirect.status, redirect.headers.get("Location")]).toEqual([302, "/docs"]);
  });

  test("have the images of a branding at the server of the API", async () => {
    const headers = { "CLIENT-ID": "demo", "API-KEY": "demo-key", "API-PASSWORD": "demo-password" };
    const answer = await fetch(`${served.url}/api/order?order_id=1`, { headers });
    const { branding_options: branding } = await answer.json<components["schemas"]["Order"]>();
    for (const path of [branding.branding_logo, branding.branding_claim_logo]) {
      expect(path).toMatch(/^\//);
      expect((await get(path)).headers.get("Content-Type")).toContain("image/svg+xml");
    }
  });
});

describe("the security headers of a static file", () => {
  const ALL = { "x-content-type-options": "nosniff", "referrer-policy": "no-referrer" };
  const NAMES = [
    ...Object.keys(ALL),
    "access-control-allow-origin",
    "content-security-policy",
    "set-cookie",
  ];

  const policy = (scripts: string, styles: string, connections: string) => ({
    "content-security-policy": `default-src 'none'; ${scripts}style-src 'self'${styles}; img-src 'self'; ${connections}base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
  });
  const GUIDE = policy("", "", "");

  test.each([
    ["/docs", GUIDE],
    ["/docs/changelog", GUIDE],
    ["/docs/reference", policy("script-src 'self'; ", " 'unsafe-inline'", "connect-src 'self'; ")],
    ["/reference.js", {}],
    [STYLESHEET, {}],
    ["/openapi.json", { "access-control-allow-origin": "*" }],
    [
      "/images/brand/regalo-logo.svg",
      { "content-security-policy": "default-src 'none'; style-src 'unsafe-inline'" },
    ],
  ])("%s", async (path, own) => {
    const { status, headers } = await get(path);
    expect(status).toBe(200);
    const security = [...headers].filter(([name]) => NAMES.includes(name));
    expect(Object.fromEntries(security)).toEqual({ ...ALL, ...own });
  });
});
