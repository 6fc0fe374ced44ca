// Limits of lengths and counts: the limit is accepted, and one more is refused at its field.
import { describe, expect, test } from "vitest";
import {
  brandingAfter,
  ClientId,
  NewProfileInput,
  ProfileChanges,
} from "../../src/operator/clients/input.ts";
import type { ApiError } from "../../src/core/api-error.ts";
import { validate } from "../../src/core/validation/validate.ts";
import {
  ADDRESS,
  createClient,
  openShop,
  orderOf,
  recipients,
  simpleProduct,
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
  [`${RECIPIENT}.phone_number`, 50, (value) => withRecipient({ phone_number: value })],
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
    (value) => withAddress({ [part]: value }),
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

  test("accepts 500 recipients, and refuses one more", async () => {
    const { product, client } = await openShop(simpleProduct({}, { quantity: 1_000 }));
    const place = (count: number) =>
      worker.post(client, path, orderOf(product, { recipient_details: recipients(count) }));
    expect((await place(500)).status).toBe(200);
    expect((await place(501)).json.errors).toMatchObject([{ field: "recipient_details" }]);
  });

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

const fieldOf = (schema: Parameters<typeof validate>[0], value: unknown) =>
  refusedField(() => validate(schema, value));

describe("a client's profile", () => {
  const profile = { name: "A", billing: "credit", feeBasisPoints: 0, defaultCurrency: "AUD" };
  const valid = {
    primaryColor: "#112233",
    secondaryColor: "#AABBCC",
    logo: "/logo.svg",
    claimLogo: "/claim.svg",
  };
  const fieldOfBranding = (changes: Record<string, unknown>) =>
    refusedField(() => brandingAfter(null, { ...valid, ...changes }));
  const logoOf = (length: number) => `/${"x".repeat(length - 1)}`;

  test.each<[object, string | undefined]>([
    [{ name: "x".repeat(200) }, undefined],
    [{ name: "x".repeat(201) }, "name"],
    [{ name: "" }, "name"],
    [{ feeBasisPoints: 10_000 }, undefined],
    [{ feeBasisPoints: 10_001 }, "feeBasisPoints"],
    [{ feeBasisPoints: -1 }, "feeBasisPoints"],
    [{ feeBasisPoints: 0.5 }, "feeBasisPoints"],
    [{ billing: "cash" }, "billing"],
    [{ defaultCurrency: "aud" }, "defaultCurrency"],
  ])("with %j is refused at the field %s", (changes, field) => {
    expect(fieldOf(NewProfileInput, { ...profile, ...changes })).toBe(field);
    expect(fieldOf(ProfileChanges, changes)).toBe(field);
  });

  test.each([
    [logoOf(2_000), true],
    ["https://brand.example/logo.svg", true],
    [logoOf(2_001), false],
    ["http://brand.example/logo.svg", false],
  ])("with the logo %j is accepted: %s", (logo, accepted) => {
    for (const name of ["logo", "claimLogo"]) {
      expect(fieldOfBranding({ [name]: logo })).toBe(accepted ? undefined : `branding.${name}`);
    }
  });

  test.each(["#12345", "#1234567", "112233", "#11223g", "x#112233"])(
    "with %j is refused",
    (color) => {
      for (const name of ["primaryColor", "secondaryColor", "accentColor", "backgroundColor"]) {
        expect(fieldOfBranding({ [name]: color })).toBe(`branding.${name}`);
      }
    },
  );

  test.each<Record<string, unknown>>([
    { logoDark: "http://a.example/b.svg" },
    { cover: "//a.example/b.jpg" },
    { preview: logoOf(2_001) },
    { pattern: "dots" },
    { typeface: "comic" },
    { logoDrak: "/a.svg" },
  ])("with the branding %j is refused", (changes) => {
    expect(fieldOfBranding(changes)).toBe(`branding.${String(Object.keys(changes)[0])}`);
  });
});

test("a client's id has 1 to 64 lower-case letters, digits and hyphens, the first no hyphen", () => {
  const valid = ["a", "0", "acme-2", "a".repeat(64)];
  expect(valid.map((id) => fieldOf(ClientId, id))).toEqual(valid.map(() => undefined));
  const invalid = ["", "a".repeat(65), "-a", "Acme", "a_b", "a b", "é", "a\n"];
  expect(invalid.map((id) => fieldOf(ClientId, id))).toEqual(invalid.map(() => "body"));
});
