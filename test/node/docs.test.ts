import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { serve, type Served } from "../support/served.ts";

let served: Served;
beforeAll(async () => {
  served = await serve();
}, 60_000);
afterAll(() => served.close());

const get = (path: string) => fetch(served.url + path, { redirect: "manual" });

describe("the document and the page", () => {
  // The Worker names every request it answers.
  test.each(["/", "/docs", "/docs.js", "/docs/reference.js", "/openapi.json"])(
    "%s runs no Worker code",
    async (path) => {
      const { status, headers } = await get(path);
      expect(status).toBe(path === "/" ? 302 : 200);
      expect(headers.has("X-Request-Id")).toBe(false);
    },
  );

  test("are no part of the API, which the Worker answers", async () => {
    const { status, headers } = await get("/api/products");
    expect(status).toBe(401);
    expect(headers.has("X-Request-Id")).toBe(true);
  });

  test("are what / leads to", async () => {
    expect((await get("/")).headers.get("Location")).toBe("/docs");
    expect(await (await get("/docs")).text()).toContain("<title>Regalo API reference</title>");
  });
});
