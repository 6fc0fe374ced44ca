import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { components } from "../../packages/client/src/openapi.ts";
import { serve, type Served } from "../support/harness.ts";

let served: Served;
beforeAll(async () => {
  served = await serve();
}, 60_000);
afterAll(() => served.close());

const get = (path: string) => fetch(served.url + path, { redirect: "manual" });

describe("the document and the page", () => {
  // The Worker adds this header to all of its responses.
  test.each(["/", "/docs", "/docs.css", "/docs.js", "/openapi.json"])(
    "include %s, which is served without Worker code",
    async (path) => {
      const { status, headers } = await get(path);
      expect(status).toBe(path === "/" ? 302 : 200);
      expect(headers.has("X-Request-Id")).toBe(false);
    },
  );

  test("are separate from the API, which the Worker serves", async () => {
    const { status, headers } = await get("/api/products");
    expect(status).toBe(401);
    expect(headers.has("X-Request-Id")).toBe(true);
  });

  test("are the target of the redirect of /", async () => {
    expect((await get("/")).headers.get("Location")).toBe("/docs");
    expect(await (await get("/docs")).text()).toContain("<title>Regalo API reference</title>");
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

  test("have at most 61 KB compressed, including all files that the page loads", async () => {
    const paths = ["/docs", "/docs.css", "/docs.js"];
    const texts = await Promise.all(paths.map(async (path) => (await get(path)).text()));
    const bytes = texts.map((text) => gzipSync(text).length);
    expect(bytes.reduce((sum, size) => sum + size)).toBeLessThan(61_000);
    const loaded = [...(texts[0] ?? "").matchAll(/(?:src|rel="stylesheet" href)="([^"]+)"/g)];
    expect(loaded.map(([, path]) => path).sort()).toEqual(["/docs.css", "/docs.js"]);
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

  test.each([
    [
      "/docs",
      {
        "content-security-policy":
          "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; " +
          "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
      },
    ],
    ["/docs.js", {}],
    ["/gift.css", {}],
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
