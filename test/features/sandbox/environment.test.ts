// The environments that permit sandbox controls. In production, their paths are unknown paths.
import { describe, expect, test } from "vitest";
import { createApp } from "../../../src/app.ts";
import { isSandbox } from "../../../src/platform/configuration.ts";
import type { Bindings } from "../../../src/platform/env.ts";
import { createClient, simpleProduct } from "../../support/fixtures.ts";
import { createGift } from "../../support/gift.ts";
import { databaseState } from "../../support/state.ts";
import { authHeaders, startWorker, visible } from "../../support/worker.ts";

const startIn = (ENVIRONMENT: Bindings["ENVIRONMENT"]) =>
  startWorker({ env: { ENVIRONMENT, PUBLIC_URL: "https://api.example.com" } });

const CONTROLS = [
  ...["event", "emails", "credit", "clock", "client", "clients", "client/remove"],
].map((name) => `/api/sandbox/${name}`);

const unpaidGift = () => createGift(startWorker(), [simpleProduct()], {}, { billing: "invoice" });

test.each([
  ["local", true],
  ["sandbox", true],
  ["production", false],
  ["staging", false],
  ["Sandbox", false],
  ["", false],
  [undefined, false],
])("the list of environments contains %j: %j", (ENVIRONMENT, expected) => {
  expect(isSandbox({ ENVIRONMENT } as unknown as Bindings)).toBe(expected);
});

test("every control of the app is below /api/sandbox", () => {
  const served = createApp()
    .routes.filter(({ method, path }) => method !== "ALL" && path.includes("/sandbox/"))
    .map(({ path }) => path);
  expect([...new Set(served)].sort()).toEqual(CONTROLS.toSorted());
});

test.each(["local", "sandbox"] as const)("in %s, an event changes an order", async (name) => {
  const { client, orderId } = await unpaidGift();
  const body = { event: "order.paid", order_id: orderId };
  const answer = await startIn(name).post(client, "/api/sandbox/event", body);
  expect(answer.json).toEqual({ status: "success", event: "order.paid" });
});

describe("in production", () => {
  const production = startIn("production");

  const METHODS = ["GET", "HEAD", "POST", "DELETE", "OPTIONS"];

  test("the controls are unknown paths with every method", async () => {
    const own = authHeaders(await createClient());
    const json = { ...own, "Content-Type": "application/json" };
    const paths = ["", "/", "/event/", "/a/b"].map((end) => `/api/sandbox${end}`);
    for (const method of METHODS) {
      for (const headers of method === "POST" ? [json, own, {}] : [json]) {
        const unknown = await production.fetch("/api/unknown/path", { method, headers });
        expect(unknown.status).toBe("CLIENT-ID" in headers ? 404 : 401);
        for (const path of /GET|POST|DELETE/.test(method) ? [...CONTROLS, ...paths] : paths) {
          const answer = await production.fetch(path, { method, headers });
          expect([path, visible(answer)]).toEqual([path, visible(unknown)]);
        }
      }
    }
  });

  test("the controls change nothing with any body", async () => {
    const { client, orderId } = await unpaidGift();
    await production.get(client, "/api/credit-balance");
    const before = await databaseState();
    for (const [body, paths] of [
      [{ event: "order.paid", order_id: orderId }, CONTROLS],
      ["not JSON", CONTROLS],
      [" ".repeat(2_000_000), CONTROLS.slice(0, 1)],
    ] as const) {
      const unknown = await production.post(client, "/api/unknown", body);
      for (const path of paths) {
        const answer = await production.post(client, path, body);
        expect([path, visible(answer)]).toEqual([path, visible(unknown)]);
        expect(answer.meter.roundTrips).toBe(0);
      }
    }
    expect(await databaseState()).toEqual(before);
    const { json } = await production.get(client, `/api/order?order_id=${String(orderId)}`);
    expect(json).toMatchObject({
      order_status: "created",
      recipients: [{ redemption_status: null }],
    });
  });
});
