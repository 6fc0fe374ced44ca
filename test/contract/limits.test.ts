// Limits of lengths and counts: the limit is accepted, and one more is refused with a message that names it.
import { describe, expect, test } from "vitest";
import {
  brandingAfter,
  ClientId,
  NewProfileInput,
  ProfileChanges,
} from "../../src/operator/clients/input.ts";
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
      const { status, json } = await worker.post(
        client,
        path,
        orderOf(product, body(text(max + 1))),
      );
      expect([status, json.errors]).toEqual([
        400,
        [{ field, message: `must have at most ${String(max)} characters` }],
      ]);
    },
  );

  test("accepts 500 recipients, and refuses one more", async () => {
    const { product, client } = await openShop(simpleProduct({}, { quantity: 1_000 }));
    const place = (count: number) =>
      worker.post(client, path, orderOf(product, { recipient_details: recipients(count) }));
    expect((await place(500)).status).toBe(200);
    expect((await place(501)).json.errors).toEqual([
      { field: "recipient_details", message: "must have at most 500 elements" },
    ]);
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

describe("GET /api/order", () => {
  test.each([
    ["order_number", 30],
    ["order_ref_id", 100],
  ])("accepts an %s of %d characters, and refuses one more", async (name, max) => {
    const client = await createClient();
    const read = (length: number) => worker.get(client, `/api/order?${name}=${"x".repeat(length)}`);
    expect((await read(max)).status).toBe(404);
    const { status, json } = await read(max + 1);
    expect([status, json.errors]).toEqual([
      400,
      [{ field: name, message: `must have at most ${String(max)} characters` }],
    ]);
  });
});

describe("CLIENT-ID", () => {
  test("has at most 64 characters: longer ones cause no reads of D1 or KV", async () => {
    const id = `${"c".repeat(50)}-${String(unique())}`.padEnd(64, "0");
    const client = await createClient({ id });
    expect((await worker.get({ ...client, clientId: id }, "/api/credit-balance")).status).toBe(200);
    const fresh = startWorker();
    const longer = await fresh.get({ ...client, clientId: `${id}0` }, "/api/credit-balance");
    expect(longer.status).toBe(401);
    expect(longer.meter).toMatchObject({ kvReads: 0, roundTrips: 0 });
  });
});

/** The error message of `validate` for the value, or undefined. */
function problemOf(schema: Parameters<typeof validate>[0], value: unknown): string | undefined {
  try {
    validate(schema, value);
    return undefined;
  } catch (error) {
    return (error as Error).message;
  }
}

describe("a client's profile", () => {
  const profile = { name: "A", billing: "credit", feeBasisPoints: 0, defaultCurrency: "AUD" };
  const branding = { primaryColor: "#112233", secondaryColor: "#AABBCC" };
  const brandingProblem = (changes: Record<string, unknown>) => {
    try {
      brandingAfter(null, changes);
    } catch (error) {
      return (error as Error).message;
    }
  };
  const logoOf = (length: number) => `/${"x".repeat(length - 1)}`;

  test.each<[object, string | undefined]>([
    [{ name: "x".repeat(200) }, undefined],
    [{ name: "x".repeat(201) }, "name must have at most 200 characters."],
    [{ name: "" }, "name must not be empty."],
    [{ feeBasisPoints: 10_000 }, undefined],
    [{ feeBasisPoints: 10_001 }, "feeBasisPoints must be at most 10000."],
    [{ feeBasisPoints: -1 }, "feeBasisPoints must be at least 0."],
    [{ feeBasisPoints: 0.5 }, "feeBasisPoints must be an integer."],
    [{ billing: "cash" }, "billing must be credit or invoice."],
    [{ defaultCurrency: "aud" }, "defaultCurrency must be an ISO 4217 code, such as AUD."],
  ])("with %j: %s", (changes, problem) => {
    expect(problemOf(NewProfileInput, { ...profile, ...changes })).toBe(problem);
    expect(problemOf(ProfileChanges, changes)).toBe(problem);
  });

  test.each<[string, string | undefined]>([
    [logoOf(2_000), undefined],
    ["https://brand.example/logo.svg", undefined],
    [logoOf(2_001), "must have at most 2000 characters"],
    ["http://brand.example/logo.svg", "must be an https URL, or a path that starts with one /"],
  ])("with the logo %j: %s", (logo, problem) => {
    const said = brandingProblem({ ...branding, logo, claimLogo: "/claim.svg" });
    expect(said).toBe(problem && `branding.logo ${problem}.`);
    const claim = brandingProblem({ ...branding, logo: "/logo.svg", claimLogo: logo });
    expect(claim).toBe(problem && `branding.claimLogo ${problem}.`);
  });

  test.each(["#12345", "#1234567", "112233", "#11223g", "x#112233"])(
    "with the colour %j is refused",
    (colour) => {
      const logos = { logo: "/a.svg", claimLogo: "/b.svg" };
      for (const name of ["primaryColor", "secondaryColor", "accentColor", "backgroundColor"]) {
        expect(brandingProblem({ ...logos, ...branding, [name]: colour })).toBe(
          `branding.${name} must be a colour such as #1f4d5c.`,
        );
      }
    },
  );

  test.each<[Record<string, unknown>, string]>([
    [{ logoDark: "http://a.example/b.svg" }, "logoDark must be an https URL"],
    [{ cover: "//a.example/b.jpg" }, "cover must be an http(s) URL"],
    [{ preview: logoOf(2_001) }, "preview must have at most 2000 characters"],
    [{ pattern: "dots" }, "pattern must be on or off"],
    [{ typeface: "comic" }, "typeface must be serif or sans"],
    [{ logoDrak: "/a.svg" }, "logoDrak is not a field of a branding"],
  ])("with the branding %j is refused: %s", (changes, problem) => {
    expect(brandingProblem(changes)).toContain(`branding.${problem}`);
  });
});

describe("a client's id", () => {
  test.each(["a", "0", "acme-2", "a".repeat(64)])("may be %j", (id) => {
    expect(problemOf(ClientId, id)).toBeUndefined();
  });

  test.each(["", "a".repeat(65), "-a", "Acme", "a_b", "a b", "é", "a\n"])("may not be %j", (id) => {
    expect(problemOf(ClientId, id)).toContain(
      "must be 1 to 64 lower-case letters, digits and hyphens",
    );
  });
});
