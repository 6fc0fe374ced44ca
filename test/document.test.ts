import { describe, expect, test } from "vitest";
import { createApp } from "../src/app.ts";
import { DOCUMENT, expectDocumented, faultsOf } from "./support/document.ts";
import {
  ADDRESS,
  mintClient,
  orderOf,
  recipients,
  simpleProduct,
  variableProduct,
} from "./support/mint.ts";
import { mutated, pathsOf } from "./support/json.ts";
import { startWorker } from "./support/worker.ts";

interface Media {
  schema: unknown;
  examples?: Record<string, { value: unknown }>;
}

/** Every `application/json` of the document, with its place. */
function* mediaTypes(value: unknown, place: string[] = []): Generator<[string[], Media]> {
  if (typeof value !== "object" || value === null) return;
  for (const [key, part] of Object.entries(value)) {
    const here = [...place, key];
    if (key === "application/json") yield [here, part as Media];
    else yield* mediaTypes(part, here);
  }
}

describe("the document", () => {
  test("tells of the routes that the app serves, and of no others", () => {
    const served = createApp()
      .routes.filter(({ method, path }) => method !== "ALL" && path.startsWith("/api/"))
      .map(({ method, path }) => `${method} ${path}`);
    const documented = Object.entries(DOCUMENT.paths).flatMap(([path, operations]) =>
      Object.keys(operations).map((method) => `${method.toUpperCase()} ${path}`),
    );
    expect(documented.sort()).toEqual([...new Set(served)].sort());
  });

  test("shows examples for every body, all of them valid", () => {
    const media = [...mediaTypes(DOCUMENT)];
    expect(media.length).toBeGreaterThan(20);
    for (const [place, { examples = {} }] of media) {
      expect(Object.keys(examples), place.join("/")).not.toEqual([]);
      for (const [name, { value }] of Object.entries(examples)) {
        expect(faultsOf(value, [...place, "schema"]), `${place.join("/")} ${name}`).toBe("");
      }
    }
  });

  test("names the methods of each path in the Allow header of a 405", async () => {
    const client = await mintClient();
    const worker = startWorker();
    for (const [path, operations] of Object.entries(DOCUMENT.paths)) {
      const methods = Object.keys(operations).map((method) => method.toUpperCase());
      if (methods.includes("GET")) methods.push("HEAD");
      const { status, headers } = await worker.fetch(path, {
        method: "DELETE",
        headers: {
          "CLIENT-ID": client.clientId,
          "API-KEY": client.apiKey,
          "API-PASSWORD": client.apiPassword,
        },
      });
      expect(status).toBe(405);
      expect(headers.get("Allow")?.split(", ").sort()).toEqual(methods.sort());
    }
  });
});

describe.each([
  ["/api/order", "OrderRequest"],
  ["/api/gift-link", "GiftLinkRequest"],
])("null in a request to %s", (path, schema) => {
  test("is accepted exactly where the document allows it", async () => {
    const product = variableProduct({ delivery: "digital" });
    const client = await mintClient({ products: [product] });
    const worker = startWorker();
    const giftLink = path === "/api/gift-link";
    const body = () => ({
      ...orderOf(product),
      ...(giftLink && { gift_of_choice: "Y", order_branding: "platform" }),
      recipient_details: recipients(1).map((person) => ({
        ...person,
        ...(giftLink && { redemption_message: "Hi" }),
      })),
    });
    const accepted: string[] = [];
    for (const field of pathsOf(body())) {
      const request = mutated(body(), field, null);
      const { status } = await worker.post(client, path, request);
      const documented = faultsOf(request, ["components", "schemas", schema]) === "";
      expect([field, status !== 400]).toEqual([field, documented]);
      if (documented) accepted.push(field.join("."));
    }
    expect(accepted.sort()).toEqual(
      [
        "variation_id",
        ...(giftLink ? ["gift_of_choice", "order_branding"] : []),
        "recipient_details.0.phone_number",
        "recipient_details.0.delivery_address",
        ...Object.keys(ADDRESS).map((part) => `recipient_details.0.delivery_address.${part}`),
        ...(giftLink ? ["recipient_details.0.redemption_message"] : []),
      ].sort(),
    );
  });
});

describe("an answer that the document does not tell of", () => {
  const url = new URL("http://localhost/api/order");

  test("fails the test that got it", async () => {
    const product = simpleProduct();
    const client = await mintClient({ products: [product] });
    const answer = await startWorker().post(client, "/api/order", orderOf(product));
    const altered = (changes: object) => () => {
      expectDocumented("POST", url, { ...answer, ...changes });
    };
    expect(altered({})).not.toThrow();
    expect(altered({ json: { ...(answer.json as object), more: 1 } })).toThrow(
      "additional properties",
    );
    expect(altered({ json: { ...(answer.json as object), order_totals: undefined } })).toThrow(
      "order_totals",
    );
    expect(altered({ status: 201 })).toThrow("no answer 201");
    expect(altered({ headers: new Headers() })).toThrow("X-Request-Id is missing");
  });

  test("includes an error whose code the operation does not name", async () => {
    const client = await mintClient();
    const answer = await startWorker().post(client, "/api/order", {});
    const json: unknown = { ...(answer.json as object), code: "branding_not_available" };
    expect(() => {
      expectDocumented("POST", url, { ...answer, json });
    }).toThrow("allowed values");
  });
});
