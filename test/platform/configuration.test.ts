import { env } from "cloudflare:workers";
import { afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import type { Bindings } from "../../src/platform/env.ts";
import { watchLog } from "../support/faults.ts";
import { balanceOf, createClient, openShop, orderOf } from "../support/fixtures.ts";
import { startWorker } from "../support/worker.ts";

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

/** 31 characters. */
const SHORT = "abcdefgh".repeat(4).slice(1);

const INVALID: Partial<Record<keyof Bindings, unknown[]>> = {
  DB: [undefined],
  KV: [undefined],
  RATE_LIMITER: [undefined],
  OAUTH_RATE_LIMITER: [undefined],
  WEBHOOK_QUEUE: [undefined],
  ASSETS: [undefined],
  ENVIRONMENT: [undefined, "staging", "production-"],
  REGION: [1, -1, "1", 0.5],
  RATE_LIMIT_PER_MINUTE: [undefined, "600", 0, 0.5],
  PUBLIC_URL: [
    undefined,
    ...["https://api.example.com/", "https://api.example.com/v1", "api.example.com"],
    "ftp://api.example.com",
  ],
  CONSOLE_URL: [undefined, "console.example.com"],
  SUPPORT_EMAIL: [undefined, "help"],
  PRIVACY_URL: ["http://acme.example/privacy", "acme.example"],
  EMAIL_FROM: [undefined, "Gifts <gifts@acme.example>"],
  IMAGE_TRANSFORMATIONS: ["yes"],
  // The first of two secrets that are the same is named.
  GIFT_LINK_SECRET: [undefined, SHORT, " ".repeat(32), "ssssssp".repeat(10), env.WEBHOOK_SECRET],
  GIFT_LINK_SECRET_PREVIOUS: [SHORT, env.WEBHOOK_SECRET, ""],
  CODE_SECRET: [undefined, SHORT, env.WEBHOOK_SECRET],
  CODE_SECRET_PREVIOUS: [SHORT, env.GIFT_LINK_SECRET, ""],
  WEBHOOK_SECRET: [undefined, SHORT, "password".repeat(8)],
  EASYPOST_WEBHOOK_SECRET: [SHORT, env.WEBHOOK_SECRET, ""],
};

describe("the configuration", () => {
  let shop: Awaited<ReturnType<typeof openShop>>;
  beforeAll(async () => {
    shop = await openShop();
  });

  test.each(
    Object.entries(INVALID).flatMap(([name, values]) => values.map((value) => [name, value])),
  )(
    "with %s %j makes placements a 503 without a debit, and the log has the reason",
    async (name, value) => {
      const log = watchLog();
      const { product, client } = shop;
      const broken = startWorker({ env: { [name as string]: value } });
      for (const path of ["/api/gift-link", "/api/order"]) {
        const { status, json, headers } = await broken.post(client, path, orderOf(product));
        expect([status, json.code]).toEqual([503, "service_unavailable"]);
        expect(headers.has("Retry-After")).toBe(true);
      }
      expect(await balanceOf(client.clientId)).toBe(100_000_000);
      const logged = log.mock.calls.flat().join("\n");
      const reason = `"event":"configuration.invalid","code":"internal_error","error":"Error: ${String(name)} `;
      expect(logged).toContain(reason);
      if (String(name).includes("SECRET") && value) expect(logged).not.toContain(value);
      log.mockClear();
      const health = await broken.fetch("/health");
      expect([health.status, health.json.configuration]).toEqual([503, "invalid"]);
      expect(log.mock.calls.flat().join("\n")).toContain(reason);
    },
  );

  test.each([
    ...["GIFT_LINK_SECRET", "GIFT_LINK_SECRET_PREVIOUS", "CODE_SECRET", "CODE_SECRET_PREVIOUS"],
    ...["WEBHOOK_SECRET", "EASYPOST_WEBHOOK_SECRET"],
  ])("may have a %s of 32 characters, 8 of them different", async (name) => {
    const { product, client } = await openShop();
    const worker = startWorker({ env: { [name]: "abcdefgh".repeat(4) } });
    const { status } = await worker.post(client, "/api/gift-link", orderOf(product));
    expect(status).toBe(200);
  });

  test("must have https outside of the local environment", async () => {
    const log = watchLog();
    const client = await createClient();
    const statusOf = async (env: Partial<Bindings>) =>
      (await startWorker({ env }).get(client, "/api/credit-balance")).status;
    const [http, https] = ["http://api.example.com", "https://api.example.com"];
    expect(await statusOf({ ENVIRONMENT: "sandbox", PUBLIC_URL: http })).toBe(503);
    expect(log.mock.calls.flat().join("\n")).toContain("PUBLIC_URL");
    expect(await statusOf({ ENVIRONMENT: "production", PUBLIC_URL: http })).toBe(503);
    expect(await statusOf({ ENVIRONMENT: "sandbox", PUBLIC_URL: https })).toBe(200);
    expect(await statusOf({ ENVIRONMENT: "local", PUBLIC_URL: http })).toBe(200);
  });

  test.each([
    ["production-eu", undefined, 503],
    ["production-eu", 90, 503],
    ["production-eu", 89, 200],
    ["production", 1, 503],
  ] as const)("of %s with the region %s: %i", async (ENVIRONMENT, REGION, status) => {
    watchLog();
    const env = { ENVIRONMENT, PUBLIC_URL: "https://api.example.com", ...(REGION && { REGION }) };
    const { client } = shop;
    expect((await startWorker({ env }).get(client, "/api/credit-balance")).status).toBe(status);
  });
});
