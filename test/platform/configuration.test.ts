import { env } from "cloudflare:workers";
import { afterEach, describe, expect, test, vi } from "vitest";
import type { Bindings } from "../../src/platform/env.ts";
import { watchLog } from "../support/faults.ts";
import { balanceOf, createClient, orderOf, simpleProduct } from "../support/fixtures.ts";
import { startWorker } from "../support/worker.ts";

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

/** 31 characters. */
const SHORT = "abcdefgh".repeat(4).slice(1);

describe("the configuration", () => {
  test.each<[keyof Bindings, unknown, string]>([
    ["DB", undefined, "DB is missing"],
    ["KV", undefined, "KV is missing"],
    ["RATE_LIMITER", undefined, "RATE_LIMITER is missing"],
    ["WEBHOOK_QUEUE", undefined, "WEBHOOK_QUEUE is missing"],
    ["ASSETS", undefined, "ASSETS is missing"],
    ["ENVIRONMENT", undefined, "ENVIRONMENT must be"],
    ["ENVIRONMENT", "staging", "ENVIRONMENT must be"],
    ["RATE_LIMIT_PER_MINUTE", undefined, "RATE_LIMIT_PER_MINUTE must be a whole number"],
    ["RATE_LIMIT_PER_MINUTE", "600", "RATE_LIMIT_PER_MINUTE must be a whole number"],
    ["RATE_LIMIT_PER_MINUTE", 0, "RATE_LIMIT_PER_MINUTE must be a whole number"],
    ["RATE_LIMIT_PER_MINUTE", 0.5, "RATE_LIMIT_PER_MINUTE must be a whole number"],
    ["PUBLIC_URL", undefined, "PUBLIC_URL must be an origin"],
    ["PUBLIC_URL", "https://api.example.com/", "PUBLIC_URL must be an origin"],
    ["PUBLIC_URL", "https://api.example.com/v1", "PUBLIC_URL must be an origin"],
    ["PUBLIC_URL", "api.example.com", "PUBLIC_URL must be an origin"],
    ["PUBLIC_URL", "ftp://api.example.com", "PUBLIC_URL must be an origin"],
    ["SUPPORT_EMAIL", undefined, "SUPPORT_EMAIL must be an e-mail address"],
    ["SUPPORT_EMAIL", "help", "SUPPORT_EMAIL must be an e-mail address"],
    ["EMAIL_FROM", undefined, "EMAIL_FROM must be an e-mail address"],
    ["EMAIL_FROM", "Gifts <gifts@acme.example>", "EMAIL_FROM must be an e-mail address"],
    ["IMAGE_TRANSFORMATIONS", "yes", "IMAGE_TRANSFORMATIONS must be on or off"],
    ["GIFT_LINK_SECRET", undefined, "GIFT_LINK_SECRET must have at least 32 characters"],
    ["GIFT_LINK_SECRET", SHORT, "GIFT_LINK_SECRET must have at least 32 characters"],
    ["GIFT_LINK_SECRET_PREVIOUS", SHORT, "GIFT_LINK_SECRET_PREVIOUS must have at least 32"],
    ["GIFT_LINK_SECRET", " ".repeat(32), "GIFT_LINK_SECRET must have at least 32 characters"],
    ["GIFT_LINK_SECRET", "ssssssp".repeat(10), "GIFT_LINK_SECRET must have at least 32 characters"],
    ["GIFT_LINK_SECRET", env.WEBHOOK_SECRET, "GIFT_LINK_SECRET must differ from WEBHOOK_SECRET"],
    ["WEBHOOK_SECRET", env.GIFT_LINK_SECRET, "GIFT_LINK_SECRET must differ from WEBHOOK_SECRET"],
    ["WEBHOOK_SECRET", "password".repeat(8), "WEBHOOK_SECRET must have at least 32 characters"],
    [
      "GIFT_LINK_SECRET_PREVIOUS",
      env.WEBHOOK_SECRET,
      "GIFT_LINK_SECRET_PREVIOUS must differ from WEBHOOK_SECRET",
    ],
    ["GIFT_LINK_SECRET_PREVIOUS", "", "GIFT_LINK_SECRET_PREVIOUS must have at least 32"],
    ["WEBHOOK_SECRET", undefined, "WEBHOOK_SECRET must have at least 32 characters"],
    ["WEBHOOK_SECRET", SHORT, "WEBHOOK_SECRET must have at least 32 characters"],
  ])(
    "with %s %j makes placements a 503 without a debit, and the log has the reason",
    async (name, value, rule) => {
      const log = watchLog();
      const product = simpleProduct();
      const client = await createClient({ products: [product] });
      const broken = startWorker({ env: { [name]: value } });
      for (const path of ["/api/gift-link", "/api/order"]) {
        const { status, json, headers } = await broken.post(client, path, orderOf(product));
        expect([status, json.code]).toEqual([503, "service_unavailable"]);
        expect(headers.has("Retry-After")).toBe(true);
      }
      expect(await balanceOf(client.clientId)).toBe(100_000_000);
      const logged = log.mock.calls.flat().join("\n");
      expect(logged).toContain(rule);
      if (name.includes("SECRET") && value) expect(logged).not.toContain(value);
      log.mockClear();
      const health = await broken.fetch("/health");
      expect([health.status, health.json.configuration]).toEqual([503, "invalid"]);
      expect(log.mock.calls.flat().join("\n")).toContain(
        `"event":"configuration.invalid","code":"internal_error","error":"Error: ${rule}`,
      );
    },
  );

  test.each(["GIFT_LINK_SECRET", "GIFT_LINK_SECRET_PREVIOUS", "WEBHOOK_SECRET"])(
    "may have a %s of 32 characters, 8 of them different",
    async (name) => {
      const product = simpleProduct();
      const client = await createClient({ products: [product] });
      const worker = startWorker({ env: { [name]: "abcdefgh".repeat(4) } });
      const { status } = await worker.post(client, "/api/gift-link", orderOf(product));
      expect(status).toBe(200);
    },
  );

  test("must have https outside of the local environment", async () => {
    const log = watchLog();
    const client = await createClient();
    const statusOf = async (env: Partial<Bindings>) =>
      (await startWorker({ env }).get(client, "/api/credit-balance")).status;
    const [http, https] = ["http://api.example.com", "https://api.example.com"];
    expect(await statusOf({ ENVIRONMENT: "sandbox", PUBLIC_URL: http })).toBe(503);
    expect(log.mock.calls.flat().join("\n")).toContain("PUBLIC_URL must begin with https://");
    expect(await statusOf({ ENVIRONMENT: "production", PUBLIC_URL: http })).toBe(503);
    expect(await statusOf({ ENVIRONMENT: "sandbox", PUBLIC_URL: https })).toBe(200);
    expect(await statusOf({ ENVIRONMENT: "local", PUBLIC_URL: http })).toBe(200);
  });
});
