import { env } from "cloudflare:workers";
import { describe, expect, test, vi } from "vitest";
import { createClient, orderOf, simpleProduct } from "../../support/fixtures.ts";
import { GiftLinkPlacement } from "../../support/shapes.ts";
import { type Answer, startWorker } from "../../support/worker.ts";

const worker = startWorker();

describe("the request log", () => {
  test("has one JSON line for each request, without secrets and recipients' data", async () => {
    const product = simpleProduct();
    const client = await createClient({ products: [product] });
    const failing = startWorker({ env: { DB: env.EMPTY_DB } });
    const log = vi.spyOn(console, "log").mockReturnValue();
    const others = (["error", "warn", "info", "debug"] as const).map((name) =>
      vi.spyOn(console, name).mockReturnValue(),
    );
    const body = orderOf(product, {
      order_ref_id: "reference-of-the-client",
      recipient_details: [
        {
          first_name: "Wilhelmina",
          last_name: "Featherstonehaugh",
          email: "wilhelmina@example.com",
          phone_number: "+61 2 5550 0187",
          delivery_address: {
            address_line_1: "99 Jacaranda Parade",
            suburb: "Fremantle",
            postcode_zipcode: "6160",
            country: "AU",
          },
          redemption_message: "Congratulations on your marathon!",
        },
      ],
    });
    const placed = await worker.post(client, "/api/gift-link", body);
    const giftUrl = GiftLinkPlacement.parse(placed.json).recipient_return[0]?.gift_url ?? "";
    const giftPath = new URL(giftUrl).pathname;
    /** A Worker in which all keys of this kind exceed the rate limit. */
    const refusing = (kind: string) => {
      const limit = ({ key }: { key: string }) =>
        Promise.resolve({ success: !key.startsWith(kind) });
      return startWorker({ env: { RATE_LIMITER: { limit } } });
    };
    const calls: [Answer, method: string, route: string, known: boolean, code?: string][] = [
      [placed, "POST", "/api/gift-link", true],
      [
        await worker.post(client, "/api/gift-link", { ...body, sender_name: "Another" }),
        "POST",
        "/api/gift-link",
        true,
        "order_ref_conflict",
      ],
      [
        await worker.post(client, "/api/order", { ...body, currency: 5 }),
        "POST",
        "/api/order",
        true,
        "validation_error",
      ],
      [
        await worker.get(client, "/api/order?order_ref_id=reference-of-the-client"),
        "GET",
        "/api/order",
        true,
      ],
      [
        await worker.get({ ...client, apiKey: "guessed-key" }, "/api/products"),
        "GET",
        "/api/products",
        false,
        "unauthorized",
      ],
      [
        await refusing("client:").get(client, "/api/products"),
        "GET",
        "/api/products",
        true,
        "too_many_requests",
      ],
      [
        await refusing("address:").get(client, "/api/products"),
        "GET",
        "/api/products",
        false,
        "too_many_requests",
      ],
      [await worker.fetch("/redeem/forged"), "GET", "/redeem/:token{[^]+}", false, "not_found"],
      [await worker.fetch(giftPath), "GET", "/redeem/:token{[^]+}", false],
      // Fails during the placement, so that the error is logged, too.
      [
        await failing.post(client, "/api/gift-link", body),
        "POST",
        "/api/gift-link",
        true,
        "internal_error",
      ],
    ];
    const lines = log.mock.calls.map(([line]) => String(line));
    expect(lines.map((line) => JSON.parse(line) as unknown)).toEqual(
      calls.map(([answer, method, route, known, code]) => ({
        event: "request",
        requestId: answer.headers.get("X-Request-Id"),
        ...(known && { client: client.clientId }),
        method,
        route,
        status: answer.status,
        ...(code !== undefined && { code }),
        durationMs: expect.any(Number) as number,
      })),
    );
    const secrets = [
      client.apiKey,
      client.apiPassword,
      "guessed-key",
      env.GIFT_LINK_SECRET,
      env.WEBHOOK_SECRET,
      giftPath.replace("/redeem/", ""),
      "reference-of-the-client",
      ..."Wilhelmina,Featherstonehaugh,wilhelmina@,+61,Jacaranda,Fremantle,marathon".split(","),
    ];
    const faults = others.flatMap((spy) => spy.mock.calls.flat().map(String));
    expect(faults.join("\n")).toContain("no such table");
    for (const secret of secrets) expect([...lines, ...faults].join("\n")).not.toContain(secret);
  });
});
