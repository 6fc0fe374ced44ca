// The body of a POST request before its fields are checked: content type, size and JSON syntax.
import { beforeAll, describe, expect, test } from "vitest";
import { MAX_BODY_BYTES } from "../../../src/app.ts";
import { createShop, errorOf, PLACEMENTS, type TestShop } from "../../support/errors.ts";
import { orderOf, ordersOf } from "../../support/fixtures.ts";
import { authHeaders, startWorker } from "../../support/worker.ts";

const worker = startWorker();

describe.for(PLACEMENTS)("POST %s", (path) => {
  // The tests share this shop, so they must not change it.
  let shop: TestShop;
  beforeAll(async () => {
    shop = await createShop();
  });

  const send = (body: BodyInit) =>
    worker.fetch(path, {
      method: "POST",
      headers: { ...authHeaders(shop.client), "Content-Type": "application/json" },
      body,
    });

  test.for([
    ["zero bytes", ""],
    ["plain words", "one hamper, please"],
    ["JSON that is cut off", '{"product_id": 1'],
    ["JSON that goes on", "{} {}"],
    ["an array", "[]"],
    ["an array of orders", '[{"product_id": 1}]'],
    ["null", "null"],
    ["a number", "5"],
    ["a string", '"product_id"'],
    ["very deep arrays", "[".repeat(50_000) + "]".repeat(50_000)],
    ["very deep arrays that are cut off", "[".repeat(100_000)],
    ["bytes that are not UTF-8", new Uint8Array([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x3a, 0x31, 0x7d])],
  ] as const)("refuses a body of %s", async ([, body]) => {
    const answer = await send(body);
    expect(errorOf(answer)).toMatchObject({ http: 400, code: "invalid_json" });
    expect(await ordersOf(shop.client.clientId)).toBe(0);
  });

  const text = JSON.stringify({ first_name: "Zoë" });
  const latin1 = Uint8Array.from(text, (character) => character.charCodeAt(0));
  test.for([
    ["is empty", ""],
    ["is compressed", new Uint8Array([0x1f, 0x8b, 8, 0])],
    ["is in UTF-16", new Uint8Array([0, 0x7b, 0, 0x7d])],
    ["is in UTF-16", new Uint8Array([0xff, 0xfe, 0x7b, 0])],
    ["is not in UTF-8, but perhaps in Latin-1", latin1],
    ["is not valid JSON", "{"],
  ] as const)("says that a body %s", async ([problem, body]) => {
    expect(errorOf(await send(body)).message).toContain(`The body ${problem}`);
  });

  test.for([
    ['{"a":\n  "x",\n  b: 2}', "line 3, column 3"],
    ['{"a": 1,}', "line 1, column 9"],
    ['{"a": NaN, "b": NaN}', "line 1, column 7"],
    [`{"z": "${"é".repeat(5_000)}",\r\n"a": True, "b": True}`, "line 2, column 6"],
    ['{"a":\n[,]}', "line 2, column 2"],
    ["hello", "line 1, column 1"],
    ["{} {}", "line 1, column 4"],
    ['{"a": 1', "line 1, column 8"],
  ] as const)("names the position of the error in %j", async ([body, at]) => {
    const { message } = errorOf(await send(body));
    expect(message).toContain(`The body is not valid JSON at ${at}: `);
  });

  test("refuses a body without the content type application/json", async () => {
    for (const type of ["text/plain", "application/x-www-form-urlencoded", "application/jsonp"]) {
      const answer = await worker.post(shop.client, path, orderOf(shop.product), {
        "Content-Type": type,
      });
      expect(errorOf(answer)).toMatchObject({ http: 415, code: "unsupported_media_type" });
    }
    const untyped = await worker.fetch(path, {
      method: "POST",
      headers: authHeaders(shop.client),
      body: new TextEncoder().encode(JSON.stringify(orderOf(shop.product))),
    });
    expect(errorOf(untyped).code).toBe("unsupported_media_type");
  });

  const twoMebibytes = " ".repeat(2 * 1024 * 1024);

  test("refuses a body of 2 MiB with a Content-Length", async () => {
    const answer = await worker.post(shop.client, path, twoMebibytes, {
      "Content-Length": String(twoMebibytes.length),
    });
    expect(errorOf(answer)).toMatchObject({ http: 413, code: "payload_too_large" });
  });

  test("refuses a body of 2 MiB that is streamed", async () => {
    const answer = await send(new Blob([twoMebibytes]).stream());
    expect(errorOf(answer)).toMatchObject({ http: 413, code: "payload_too_large" });
  });
});

describe("POST /api/order", () => {
  test("accepts a body of exactly 1 MiB, and a charset in the content type", async () => {
    const { product, client } = await createShop();
    const body = JSON.stringify(orderOf(product)).padEnd(MAX_BODY_BYTES);
    const type = "application/json; charset=utf-8";
    const answer = await worker.post(client, "/api/order", body, { "Content-Type": type });
    expect(answer.status, answer.text).toBe(200);
  });
});
