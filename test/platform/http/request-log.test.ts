import { env } from "cloudflare:workers";
import { expect, test, vi } from "vitest";
import { openShop, orderOf, type TestClient, type TestProduct } from "../../support/fixtures.ts";
import { GiftLinkPlacement } from "../../support/shapes.ts";
import { type Answer, startWorker } from "../../support/worker.ts";

const worker = startWorker();

const REFERENCE = "reference-of-the-client";
const RECIPIENT = {
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
};
const SECRETS = [
  ...["guessed-key", env.GIFT_LINK_SECRET, env.WEBHOOK_SECRET, REFERENCE],
  ..."Wilhelmina,Featherstonehaugh,wilhelmina@,+61,Jacaranda,Fremantle,marathon".split(","),
];

/** An answer, with the method and the route in its line, whether the client is known, and the code of its error. */
type Call = [answer: Answer, method: string, route: string, known: boolean, code?: string];

/** A Worker in which all keys of this kind exceed the rate limit. */
const refusing = (kind: string) => {
  const limit = ({ key }: { key: string }) => Promise.resolve({ success: !key.startsWith(kind) });
  return startWorker({ env: { RATE_LIMITER: { limit } } });
};

/** Requests with each kind of answer, and the path of the gift. */
async function send(client: TestClient, product: TestProduct) {
  const body = orderOf(product, { order_ref_id: REFERENCE, recipient_details: [RECIPIENT] });
  const failing = startWorker({ env: { DB: env.EMPTY_DB } });
  const [LINK, ORDER, LIST] = ["/api/gift-link", "/api/order", "/api/products"];
  const PAGE = "/redeem/:token{[^]+}";
  const guessed = { ...client, apiKey: "guessed-key" };
  const placed = await worker.post(client, LINK, body);
  const { recipient_return } = GiftLinkPlacement.parse(placed.json);
  const path = new URL(recipient_return[0]?.gift_url ?? "").pathname;
  const other = { ...body, sender_name: "Another" };
  const invalid = { ...body, currency: 5 };
  const [ofClient, ofAddress] = [refusing("client:"), refusing("address:")];
  const calls: Call[] = [
    [placed, "POST", LINK, true],
    [await worker.post(client, LINK, other), "POST", LINK, true, "order_ref_conflict"],
    [await worker.post(client, ORDER, invalid), "POST", ORDER, true, "validation_error"],
    [await worker.get(client, `${ORDER}?order_ref_id=${REFERENCE}`), "GET", ORDER, true],
    [await worker.get(guessed, LIST), "GET", LIST, false, "unauthorized"],
    [await ofClient.get(client, LIST), "GET", LIST, true, "too_many_requests"],
    [await ofAddress.get(client, LIST), "GET", LIST, false, "too_many_requests"],
    [await worker.fetch("/redeem/forged"), "GET", PAGE, false, "not_found"],
    [await worker.fetch(path), "GET", PAGE, false],
    // Fails during the placement, so that the error is logged, too.
    [await failing.post(client, LINK, body), "POST", LINK, true, "internal_error"],
  ];
  return { calls, path };
}

test("the request log has one JSON line for each request, without secrets and recipients' data", async () => {
  const { product, client } = await openShop();
  const log = vi.spyOn(console, "log").mockReturnValue();
  const others = (["error", "warn", "info", "debug"] as const).map((name) =>
    vi.spyOn(console, name).mockReturnValue(),
  );
  const { calls, path } = await send(client, product);
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
  const faults = others.flatMap((spy) => spy.mock.calls.flat().map(String));
  expect(faults.join("\n")).toContain("no such table");
  const { apiKey, apiPassword } = client;
  for (const secret of [...SECRETS, apiKey, apiPassword, path.replace("/redeem/", "")]) {
    expect([...lines, ...faults].join("\n")).not.toContain(secret);
  }
});
