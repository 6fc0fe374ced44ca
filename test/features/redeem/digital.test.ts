// Digital gifts, which are sent by e-mail, and the masks of personal data on the accepted page.
import { describe, expect, test } from "vitest";
import texts from "../../../public/languages/en.json";
import { maskedAddress, maskedEmail } from "../../../src/features/redeem/mask.ts";
import { ADDRESS, simpleProduct } from "../../support/fixtures.ts";
import {
  accept,
  createGift,
  fieldsOf,
  press,
  readRecipient,
  type TestGift,
  textOf,
} from "../../support/gift.ts";
import { startWorker } from "../../support/worker.ts";
import { sql } from "../../support/sql.ts";

const worker = startWorker();
const EMAIL = "recipient0@example.com";
const MASKED = "r••••@example.com";

/** The stored addresses: that of the order, and that of the recipient. */
const emailsOf = ({ orderId }: TestGift) =>
  sql("SELECT email, delivery_email FROM gifts WHERE order_id = ?", orderId).first();

const digitalGift = () => createGift(worker, [simpleProduct({ delivery: "digital" })]);

describe("a digital gift", () => {
  test("is sent to the order's e-mail address, of which the pages show the first letter", async () => {
    const gift = await digitalGift();
    const start = await worker.fetch(gift.path);
    const address = await press(worker, gift.path, start, { step: "address" });
    const accepted = await press(worker, gift.path, address, { step: "accept" });
    expect(accepted.status).toBe(303);
    const later = await worker.fetch(gift.path);
    expect(textOf(start)).toContain(texts.gift.digital);
    for (const page of [address, later]) expect(textOf(page)).toContain(MASKED);
    for (const page of [start, address, later]) expect(page.text).not.toContain(EMAIL);
    expect(await emailsOf(gift)).toEqual({ email: EMAIL, delivery_email: null });
  });

  test("is sent to another address that the recipient enters", async () => {
    const gift = await digitalGift();
    const address = await worker.fetch(`${gift.path}?step=address`);
    const typed = { delivery_email: " New.Address@example.org " };
    await press(worker, gift.path, address, { step: "accept" }, typed);
    const later = await worker.fetch(gift.path);
    expect(textOf(later)).toContain("N••••@example.org");
    expect(later.text).not.toContain("New.Address");
    expect(await emailsOf(gift)).toEqual({
      email: EMAIL,
      delivery_email: "New.Address@example.org",
    });
  });

  test("is not sent to an invalid address, which the form keeps", async () => {
    const gift = await digitalGift();
    const long = `${"x".repeat(250)}@example.com`;
    for (const delivery_email of ["x", "a@b", "a b@example.com", long, "a@example.com, b@c.de"]) {
      const page = await accept(worker, gift.path, { delivery_email });
      expect([delivery_email, page.status]).toEqual([delivery_email, 422]);
      expect(page.text).toContain('<p id="delivery_email-problem" class="fault">');
      expect(page.text.match(/aria-invalid="true"/g)).toHaveLength(1);
      expect(fieldsOf(page)["delivery_email"]).toBe(delivery_email);
    }
    expect(await readRecipient(worker, gift)).toMatchObject({ redemption_status: null });
  });

  test("needs no complete address, and a physical gift needs no e-mail address", async () => {
    const gift = await digitalGift();
    const empty = { address_line_1: "", suburb: "", postcode_zipcode: "", country: "" };
    expect((await accept(worker, gift.path, empty)).status).toBe(303);
    const physical = await createGift(worker, [simpleProduct()]);
    const answer = await accept(worker, physical.path, { delivery_email: "x" });
    expect(answer.status).toBe(303);
    expect(await emailsOf(physical)).toEqual({ email: EMAIL, delivery_email: null });
  });
});

describe("the accepted page", () => {
  test("hides the street, the house, the notes and the end of the postcode", async () => {
    const gift = await createGift(worker, [simpleProduct()]);
    await accept(worker, gift.path, { delivery_notes: "The code is 4711" });
    for (const query of ["", "?lang=de", "?step=address", "?show=1"]) {
      const { text } = await worker.fetch(gift.path + query);
      expect(text).toContain(
        "<bdi>1••••</bdi><br/><bdi>U••••</bdi><br/><bdi>Brunswick VIC 30••••</bdi><br/>",
      );
      expect(text).not.toMatch(/Plane Tree|Unit 3|3056|4711|recipient0@|Last0/);
    }
    // The note to the sender is the only thing that can still be sent.
    expect(Object.keys(fieldsOf(await worker.fetch(gift.path)))).toEqual(["note"]);
    const same = await accept(worker, gift.path, { delivery_notes: "The code is 4711" });
    expect(same.text).not.toMatch(/Plane Tree|Unit 3|3056|4711/);
  });

  test.each([
    ["a@example.com", "a••••@example.com"],
    ["first@last@example.com", "f••••@example.com"],
  ])("masks %s as %s", (email, masked) => {
    expect(maskedEmail(email)).toBe(masked);
  });

  test("masks short and empty parts of an address", () => {
    expect(
      maskedAddress({ ...ADDRESS, address_line_1: "😀 Street", postcode_zipcode: "1" }),
    ).toEqual({
      address_line_2: "U••••",
      suburb: "Brunswick",
      state: "VIC",
      country: "AU",
      address_line_1: "😀••••",
      postcode_zipcode: "••••",
    });
    expect(maskedAddress({ address_line_2: "4" })).toEqual({ address_line_2: "••••" });
    expect(maskedAddress({ suburb: "Here" })).toEqual({ suburb: "Here" });
  });
});
