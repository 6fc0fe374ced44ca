// Property tests: arbitrary input never causes a 5xx.
import fc from "fast-check";
import { expect, test } from "vitest";
import { errorOf, PLACEMENTS } from "../support/errors.ts";
import { createClient, orderOf, recipients, simpleProduct, unique } from "../support/fixtures.ts";
import { mutated, pathsOf } from "../support/json.ts";
import { databaseState } from "../support/state.ts";
import { startWorker } from "../support/worker.ts";
import { runs } from "../support/runs.ts";

const worker = startWorker();

/** Any character in Unicode. The unit "binary" of fast-check takes a second to construct. */
const anyCharacter = fc
  .oneof(fc.integer({ max: 0xd7ff, min: 0 }), fc.integer({ max: 0x10ffff, min: 0xe000 }))
  .map((code) => String.fromCodePoint(code));

// All kinds of text, including lone surrogates and the names of JavaScript's built-in properties.
const anyText = fc.oneof(
  fc.string({ unit: anyCharacter }),
  fc.constantFrom("\ud800", "\u0000", "__proto__", "constructor", "toString", "1001", "AUD", ""),
);
const anyValue = fc.oneof(
  fc.jsonValue({ maxDepth: 3 }),
  anyText,
  fc.constantFrom<unknown>(0, -1, 0.5, 1e308, 2 ** 53, [], {}, [[]], null, true),
);

const unlimited = simpleProduct({}, { quantity: 1_000_000 });
const template = orderOf(unlimited, {
  gift_of_choice: "Y",
  order_branding: "platform",
  recipient_details: recipients(2),
});

test("arbitrary input in a body causes no 5xx, and an order only with a 200", async () => {
  const client = await createClient({ products: [unlimited] });
  const mutation = fc.record({
    path: fc.constantFrom(...pathsOf(template)),
    replacement: fc.oneof(anyValue, fc.constant(undefined)),
  });
  const anyBody = fc.oneof(
    { weight: 1, arbitrary: fc.jsonValue() },
    { weight: 1, arbitrary: fc.dictionary(fc.constantFrom(...Object.keys(template)), anyValue) },
    {
      weight: 4,
      arbitrary: fc
        .array(mutation, { minLength: 1, maxLength: 2 })
        .map((mutations) =>
          mutations.reduce<unknown>(
            (body, { path, replacement }) => mutated(body, path, replacement),
            { ...template, order_ref_id: `ref-${String(unique())}` },
          ),
        ),
    },
  );
  const statuses = new Set<number>();
  let before = await databaseState();
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...PLACEMENTS), anyBody, async (path, body) => {
      const answer = await worker.post(client, path, JSON.stringify(body));
      statuses.add(answer.status);
      const after = await databaseState();
      const placed = answer.status === 200 && !answer.headers.has("Idempotent-Replayed");
      if (answer.status !== 200) errorOf(answer);
      expect(answer.status).toBeLessThan(500);
      expect(after.orders - before.orders).toBe(placed ? 1 : 0);
      if (!placed) expect(after).toEqual(before);
      before = after;
    }),
    { numRuns: runs(300), examples: [["/api/gift-link", template]] },
  );
  // The example is valid, and most random bodies are not.
  expect([...statuses]).toEqual(expect.arrayContaining([200, 400]));
});

test("arbitrary input in a query causes no 5xx and no change", async () => {
  const client = await createClient({ products: [unlimited] });
  const before = await databaseState();
  const parameters = {
    "/api/products": ["limit", "page", "product_type"],
    "/api/product": ["product_id"],
    "/api/order": ["order_id", "order_number", "order_ref_id"],
    "/api/orders": [
      ...["order_status", "gift_order_method", "created_from", "created_until"],
      ...["redemption_status", "order_ref_id_prefix", "limit", "cursor"],
    ],
    "/api/credit-balance": ["currency"],
  };
  const anyQuery = fc
    .constantFrom(...Object.entries(parameters))
    .chain(([path, names]) =>
      fc
        .array(
          fc.tuple(
            fc.oneof(fc.constantFrom(...names), anyText),
            fc.oneof(anyText, fc.integer().map(String)),
          ),
        )
        .map((pairs) => `${path}?${new URLSearchParams(pairs).toString()}`),
    );
  await fc.assert(
    fc.asyncProperty(anyQuery, async (query) => {
      const answer = await worker.get(client, query);
      expect([200, 400, 404]).toContain(answer.status);
    }),
    { numRuns: runs(200) },
  );
  expect(await databaseState()).toEqual(before);
});
