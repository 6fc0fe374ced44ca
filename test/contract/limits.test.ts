// Limits of lengths and counts: the limit is accepted, and one more is refused at its field.
import { describe, expect, test } from "vitest";
import type { ApiError } from "../../src/core/api-error.ts";
import { clientAdd } from "../../src/operator/client/add.ts";
import { parseInput } from "../../src/operator/declaration/input.ts";
import {
  ADDRESS,
  createClient,
  openShop,
  orderOf,
  recipients,
  unique,
} from "../support/fixtures.ts";
import { startWorker } from "../support/worker.ts";

const worker = startWorker();

/** A text of `length` characters that is different on every call. */
const text = (length: number) => String(unique()).padEnd(length, "x");

const withRecipient = (changes: object) => ({
  recipient_details: recipients(1).map((recipient) => ({ ...recipient, ...changes })),
});
const withAddress = (changes: object) =>
  withRecipient({ delivery_address: { ...ADDRESS, ...changes } });
const RECIPIENT = "recipient_details[0]";

/** Each field of a placement, its maximum length, and a body with a value of a given length. */
type Field = [field: string, max: number, body: (value: string) => Record<string, unknown>];
const FIELDS: Field[] = [
  ["order_ref_id", 100, (value) => ({ order_ref_id: value })],
  [`${RECIPIENT}.first_name`, 100, (value) => withRecipient({ first_name: value })],
  [`${RECIPIENT}.last_name`, 100, (value) => withRecipient({ last_name: value })],
  [
    `${RECIPIENT}.phone_number`,
    50,
    (value) => withRecipient({ phone_number: value.replaceAll("x", "0") }),
  ],
  ...(
    [
      ["address_line_1", 200],
      ["address_line_2", 200],
      ["suburb", 100],
      ["state", 100],
      ["postcode_zipcode", 20],
      ["country", 100],
    ] as const
  ).map(([part, max]): Field => [
    `${RECIPIENT}.delivery_address.${part}`,
    max,
    // A country without rules for states and postcodes.
    (value) => {
      const country = `Angola (${"x".repeat(value.length - 9)})`;
      return withAddress({ country: "Angola", [part]: part === "country" ? country : value });
    },
  ]),
];
const MESSAGE: Field = [
  `${RECIPIENT}.redemption_message`,
  2_000,
  (value) => withRecipient({ redemption_message: value }),
];

describe.each(["/api/order", "/api/gift-link"])("POST %s", (path) => {
  test.each(path === "/api/gift-link" ? [...FIELDS, MESSAGE] : FIELDS)(
    "accepts %s of %d characters, and refuses one more",
    async (field, max, body) => {
      const { product, client } = await openShop();
      const longest = await worker.post(client, path, orderOf(product, body(text(max))));
      expect(longest.status, longest.text).toBe(200);
      const longer = orderOf(product, body(text(max + 1)));
      const { status, json } = await worker.post(client, path, longer);
      expect([status, json.errors]).toMatchObject([400, [{ field }]]);
    },
  );

  test("accepts an e-mail address of 254 characters with 64 before the @, and refuses one more of each", async () => {
    const { product, client } = await openShop();
    const domain = (length: number) =>
      `${"a.".repeat(length / 2 - 2)}${"a".repeat(length % 2)}.com`;
    const place = (email: string) =>
      worker.post(client, path, orderOf(product, withRecipient({ email })));
    const longest = `${"x".repeat(64)}@${domain(189)}`;
    expect(longest).toHaveLength(254);
    expect((await place(longest)).status).toBe(200);
    const [longerName, longerDomain] = [`x${longest}`, longest.replace("@", "@b")];
    for (const email of [longerName.replace("a.", ""), longerDomain]) {
      const { status, json } = await place(email);
      expect([status, json.errors?.[0]?.field]).toEqual([400, `${RECIPIENT}.email`]);
    }
  });
});

test.each([
  ["order_number", 30],
  ["order_ref_id", 100],
])("GET /api/order accepts an %s of %d characters, and refuses one more", async (name, max) => {
  const client = await createClient();
  const read = (length: number) => worker.get(client, `/api/order?${name}=${"x".repeat(length)}`);
  expect((await read(max)).status).toBe(404);
  const { status, json } = await read(max + 1);
  expect([status, json.errors]).toMatchObject([400, [{ field: name }]]);
});

test("CLIENT-ID has at most 64 characters: longer ones cause no reads of D1 or KV", async () => {
  const id = `${"c".repeat(50)}-${String(unique())}`.padEnd(64, "0");
  const client = await createClient({ id });
  expect((await worker.get({ ...client, clientId: id }, "/api/credit-balance")).status).toBe(200);
  const fresh = startWorker();
  const longer = await fresh.get({ ...client, clientId: `${id}0` }, "/api/credit-balance");
  expect(longer.status).toBe(401);
  expect(longer.meter).toMatchObject({ kvReads: 0, roundTrips: 0 });
});

/** The field that is refused, or undefined. */
function refusedField(check: () => unknown): string | undefined {
  try {
    check();
    return undefined;
  } catch (error) {
    return (error as ApiError).fields?.[0]?.field;
  }
}

/** The first invalid input of a new client. */
const invalidInput = (changes: Record<string, unknown>) =>
  refusedField(() =>
    parseInput(clientAdd, {
      client_id: "acme",
      name: "A",
      billing: "credit",
      currency: "AUD",
      ...changes,
    }),
  );

describe("a client's settings", () => {
  const path = (length: number) => `/${"x".repeat(length - 1)}`;

  test.each<[Record<string, unknown>, boolean]>([
    [{ name: "x".repeat(200) }, true],
    [{ name: "x".repeat(201) }, false],
    [{ name: "Win at x.io" }, false],
    [{ name: "A\nLtd" }, false],
    [{ fee: "100" }, true],
    [{ fee: "100.01" }, false],
    [{ fee: "-1" }, false],
    [{ fee: "0.005" }, false],
    [{ billing: "cash" }, false],
    [{ currency: "aud" }, true],
    [{ currency: "AU" }, false],
    [{ redeem_within_days: 1_826 }, true],
    [{ redeem_within_days: 1_827 }, false],
    [{ redeem_within_days: 0 }, false],
    [{ retain_days: 29 }, false],
    [{ retain_days: 3_650 }, true],
    [{ retain_days: 3_651 }, false],
    [{ reminder_days: 90 }, true],
    [{ reminder_days: 91 }, false],
    [{ support_email: "nobody" }, false],
    [{ privacy_url: `https://acme.example/${"p".repeat(979)}` }, true],
    [{ privacy_url: `https://acme.example/${"p".repeat(980)}` }, false],
    [{ privacy_url: "http://acme.example/privacy" }, false],
    [{ privacy_url: "/privacy" }, false],
    [{ reply_to: "a@acme.example" }, true],
    [{ register: "polite" }, false],
    [{ logo: path(2_000) }, true],
    [{ claim_logo: path(2_001) }, false],
    [{ logo: "http://brand.example/logo.svg" }, false],
    [{ cover: "//a.example/b.jpg" }, false],
    [{ pattern: "dots" }, false],
    [{ typeface: "comic" }, false],
    [{ logo_drak: "/a.svg" }, false],
  ])("%j is accepted: %s", (changes, accepted) => {
    expect(invalidInput(changes)).toBe(accepted ? undefined : Object.keys(changes)[0]);
  });

  test.each(["#12345", "#1234567", "112233", "#11223g", "x#112233", "red;}"])(
    "the colour %j is refused",
    (color) => {
      for (const name of ["primary_color", "secondary_color", "accent_color", "background_color"]) {
        expect(invalidInput({ [name]: color })).toBe(name);
      }
    },
  );
});

test("a client's id has 1 to 64 lower-case letters, digits and hyphens, the first no hyphen", () => {
  const valid = ["a", "0", "acme-2", "a".repeat(64)];
  expect(valid.map((id) => invalidInput({ client_id: id }))).toEqual(valid.map(() => undefined));
  const invalid = ["", "a".repeat(65), "-a", "Acme", "a_b", "a b", "é", "a\nb"];
  expect(invalid.map((id) => invalidInput({ client_id: id }))).toEqual(
    invalid.map(() => "client_id"),
  );
});
