// Limits of e-mail addresses, ids and the settings of a client.
import { describe, expect, test } from "vitest";
import type { ApiError } from "../../src/core/api-error.ts";
import { clientAdd } from "../../src/operator/client/add.ts";
import { parseInput } from "../../src/operator/declaration/input.ts";
import { createClient, openShop, orderOf, recipients, unique } from "../support/fixtures.ts";
import { startWorker } from "../support/worker.ts";

const worker = startWorker();

const withRecipient = (changes: object) => ({
  recipient_details: recipients(1).map((recipient) => ({ ...recipient, ...changes })),
});
const RECIPIENT = "recipient_details[0]";

describe.each(["/api/order", "/api/gift-link"])("POST %s", (path) => {
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
    [{ name: "Win at x.io" }, false],
    [{ name: "A\nLtd" }, false],
    [{ fee: "100" }, true],
    [{ fee: "100.01" }, false],
    [{ fee: "-1" }, false],
    [{ fee: "0.005" }, false],
    [{ currency: "aud" }, true],
    [{ redeem_within_days: 1_826 }, true],
    [{ redeem_within_days: 1_827 }, false],
    [{ redeem_within_days: 0 }, false],
    [{ retain_days: 29 }, false],
    [{ reminder_days: 91 }, false],
    [{ support_email: "nobody" }, false],
    [{ privacy_url: "http://acme.example/privacy" }, false],
    [{ privacy_url: "/privacy" }, false],
    [{ reply_to: "a@acme.example" }, true],
    [{ logo: path(2_000) }, true],
    [{ claim_logo: path(2_001) }, false],
    [{ logo: "http://brand.example/logo.svg" }, false],
    [{ cover: "//a.example/b.jpg" }, false],
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
