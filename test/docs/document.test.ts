import { describe, expect, test } from "vitest";
import openapi from "../../public/openapi.json";
import { createApp } from "../../src/app.ts";
import { SANDBOX_EVENTS } from "../../src/features/sandbox/contract.ts";
import { DOCUMENT, faultsOf } from "../support/document.ts";
import { MAILING } from "../support/emails.ts";
import {
  createClient,
  orderOf,
  recipients,
  type TestProduct,
  variableProduct,
  openShop,
} from "../support/fixtures.ts";
import { mutated, pathsOf } from "../support/json.ts";
import { startWorker } from "../support/worker.ts";

interface Media {
  schema: unknown;
  examples?: Record<string, { value: unknown }>;
}

type Described = { description?: string; anyOf?: Described[] } & Record<string, string[]>;

/** Every object and array in the document, with its path. */
function* nodes(value: unknown, place: string[] = []): Generator<[string[], object]> {
  if (typeof value !== "object" || value === null) return;
  yield [place, value];
  for (const [key, part] of Object.entries(value)) yield* nodes(part, [...place, key]);
}

const mediaTypes = [...nodes(DOCUMENT)].filter(
  (node): node is [string[], Media] => node[0].at(-1) === "application/json",
);

const parameters = [...nodes(DOCUMENT)].filter(
  (node): node is [string[], { schema: { default?: unknown }; example?: unknown }] =>
    node[0].includes("parameters") && "in" in node[1],
);

describe("the OpenAPI document", () => {
  test("describes exactly the routes that the app serves", () => {
    const served = createApp()
      .routes.filter(({ method, path }) => method !== "ALL" && path.startsWith("/api/"))
      .map(({ method, path }) => `${method} ${path}`);
    const documented = Object.entries(DOCUMENT.paths).flatMap(([path, operations]) =>
      Object.keys(operations).map((method) => `${method.toUpperCase()} ${path}`),
    );
    expect(documented.sort()).toEqual([...new Set(served)].sort());
  });

  test("has valid examples for every body", () => {
    expect(mediaTypes.length).toBeGreaterThan(20);
    for (const [place, { examples = {} }] of mediaTypes) {
      expect(Object.keys(examples), place.join("/")).not.toEqual([]);
      for (const [name, { value }] of Object.entries(examples)) {
        expect(faultsOf(value, [...place, "schema"]), `${place.join("/")} ${name}`).toBe("");
      }
    }
  });

  test("has a valid example for every parameter, and valid defaults", () => {
    expect(parameters.length).toBeGreaterThan(10);
    for (const [place, { example, schema }] of parameters) {
      expect(example, place.join("/")).toBeDefined();
      for (const value of [example, schema.default ?? example]) {
        expect(faultsOf(value, [...place, "schema"]), place.join("/")).toBe("");
      }
    }
  });

  // Client generators ignore `const`, and create an identifier for each enum value.
  test("describes constants as an enum of one value, and has no blank values in enums", () => {
    for (const [place, node] of nodes(DOCUMENT)) {
      if (place.includes("examples")) continue;
      expect(Object.keys(node), place.join("/")).not.toContain("const");
      if ("enum" in node) expect(node.enum, place.join("/")).not.toContain("");
    }
  });

  test("describes each field of each object", () => {
    const fields = [...nodes(DOCUMENT.components.schemas)].filter(
      ([place]) => place.at(-2) === "properties",
    ) as [string[], { description?: string; $ref?: string }][];
    expect(fields.length).toBeGreaterThan(100);
    const missing = fields.filter(([, { description, $ref }]) => !description && !$ref);
    expect(missing.map(([place]) => place.join("."))).toEqual([]);
  });

  test("explains all values of a field, if it explains two of them", () => {
    const fields = [...nodes(DOCUMENT)] as [string[], Described][];
    for (const [place, { description, anyOf: [field] = [], ...schema }] of fields) {
      const { "x-extensible-enum": values = [], enum: known = values } = field ?? schema;
      const explained = known.filter((value) => description?.includes(`\`${value}\`:`));
      const named = known.filter((value) => description?.includes(`\`${value}\``));
      if (explained.length > 1) expect(named, place.join("/")).toEqual(known);
    }
  });

  // A client that checks an enum refuses a response with a new value. An enum of one value is a constant, by which
  // objects are distinguished.
  test("has no closed lists of values in responses", () => {
    const { schemas, headers, responses } = openapi.components;
    const named = Object.entries(schemas).filter(([name]) => !name.endsWith("Request"));
    const inResponses = [Object.fromEntries(named), headers, responses, openapi.paths]
      .flatMap((part) => [...nodes(part)])
      .filter(([place]) => !place.includes("parameters") && !place.includes("examples"));
    const closed = inResponses.filter(
      ([, node]) => "enum" in node && (node.enum as unknown[]).length > 1,
    );
    expect(closed.map(([place]) => place.join("/"))).toEqual([]);
    const isOpen = ([, node]: [string[], object]) => "x-extensible-enum" in node;
    expect(inResponses.filter(isOpen).length).toBeGreaterThan(50);
    expect(
      faultsOf("later", ["components", "schemas", "Order", "properties", "order_status"]),
    ).not.toBe("");
  });

  test("has the methods that the Allow header of a 405 names", async () => {
    const client = await createClient();
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

/** A request with all fields that both endpoints have. */
const orderBody = (product: TestProduct) => ({
  ...orderOf(product),
  metadata: { campaign: "spring" },
  campaign: "Spring",
  send_codes: true,
  recipient_details: recipients(1).map((person) => ({
    ...person,
    external_id: "employee-1",
    delivery_notes: "Ring twice",
    metadata: { team: "sales" },
  })),
});

/** A request with all fields of a gift-link order. */
const giftLinkBody = (product: TestProduct) => ({
  ...orderBody(product),
  gift_of_choice: "Y",
  // Only with gift_of_choice Y.
  collection: null,
  order_branding: "platform",
  redeem_by: new Date().toISOString().slice(0, 10),
  sender_name: "Ines Okafor",
  send_method: "email",
  // Only with send_method email.
  send_at: null,
  recipient_details: orderBody(product).recipient_details.map((person) => ({
    ...person,
    redemption_message: "Hi",
    language: "de",
  })),
});

interface Schema {
  $ref?: string;
  properties?: Record<string, Schema>;
  anyOf?: Schema[];
  items?: Schema;
}

/** The paths of all fields of a request. The first entry of an array stands for all. */
function fieldsOf({ $ref = "", properties, anyOf = [], items }: Schema): string[] {
  const { schemas } = openapi.components as unknown as { schemas: Record<string, Schema> };
  const named = schemas[$ref.split("/").at(-1) ?? ""];
  const inside = [...anyOf, ...(named ? [named] : [])].flatMap(fieldsOf);
  const entries = items ? ["0", ...fieldsOf(items).map((field) => `0.${field}`)] : [];
  const fields = Object.entries(properties ?? {}).flatMap(([name, schema]) => [
    name,
    ...fieldsOf(schema).map((field) => `${name}.${field}`),
  ]);
  return [...inside, ...entries, ...fields];
}

test("the sandbox describes each event that it causes", () => {
  const { description } = openapi.paths["/api/sandbox/event"].post;
  const namesOf = (event: string) => [`\`${event}\``, `\`${event.replace(/\..*/, ".…")}\``];
  const isNamed = (event: string) => namesOf(event).some((name) => description.includes(name));
  expect(SANDBOX_EVENTS.filter((event) => !isNamed(event))).toEqual([]);
});

test.each([
  ["/api/order", "OrderRequest", orderBody],
  ["/api/gift-link", "GiftLinkRequest", giftLinkBody],
] as const)(
  "POST %s accepts null and empty values where the document allows it",
  async (...given) => {
    const [path, schema, bodyOf] = given;
    const { product, client } = await openShop(variableProduct({ delivery: "digital" }));
    const worker = startWorker({ env: MAILING });
    const fields = pathsOf(bodyOf(product));
    const names = fields.map((field) => field.join(".")).filter((name) => !/metadata\./.test(name));
    expect(names.sort()).toEqual(fieldsOf(openapi.components.schemas[schema] as Schema).sort());
    for (const field of fields) {
      const request = mutated(bodyOf(product), field, null);
      const { status } = await worker.post(client, path, request);
      const documented = faultsOf(request, ["components", "schemas", schema]) === "";
      expect([field, status !== 400]).toEqual([field, documented]);
      if (!documented) continue;
      for (const nothing of ["", " \u200b", []]) {
        const answer = await worker.post(client, path, mutated(bodyOf(product), field, nothing));
        expect([field, nothing, answer.status]).toEqual([field, nothing, status]);
      }
    }
  },
);
