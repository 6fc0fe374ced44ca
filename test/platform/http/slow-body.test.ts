import { afterEach, describe, expect, test, vi } from "vitest";
import { MINUTE_MS } from "../../../src/core/values/time.ts";
import { warmShop, watchLog } from "../../support/faults.ts";
import { brokenAccounts, orderOf, ordersOf } from "../../support/fixtures.ts";
import { authHeaders, startWorker } from "../../support/worker.ts";

afterEach(async () => {
  vi.useRealTimers();
  vi.restoreAllMocks();
  expect(await brokenAccounts()).toEqual([]);
});

describe("a request whose body", () => {
  const encoder = new TextEncoder();

  /** A placement whose body the test sends in parts. */
  async function slowPlacement() {
    const { product, client } = await warmShop({});
    const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
    const writer = writable.getWriter();
    const order = JSON.stringify(orderOf(product));
    const answering = startWorker().fetch("/api/order", {
      method: "POST",
      headers: { ...authHeaders(client), "Content-Type": "application/json" },
      body: readable,
    });
    await writer.write(encoder.encode(order.slice(0, 40)));
    return { client, writer, rest: encoder.encode(order.slice(40)), answering };
  }

  test("takes minutes to arrive succeeds, since only bindings have deadlines", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    const { client, writer, rest, answering } = await slowPlacement();
    await vi.advanceTimersByTimeAsync(5 * MINUTE_MS);
    await writer.write(rest);
    await writer.close();
    expect((await answering).status).toBe(200);
    expect(await ordersOf(client.clientId)).toBe(2);
  });

  test("is aborted places no order", async () => {
    watchLog();
    const { client, writer, answering } = await slowPlacement();
    await writer.abort(
      new TypeError("Can't read from request stream because client disconnected."),
    );
    expect((await answering).status).toBe(503);
    expect(await ordersOf(client.clientId)).toBe(1);
  });
});
