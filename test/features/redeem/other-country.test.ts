import { expect, test } from "vitest";
import { simpleProduct } from "../../support/fixtures.ts";
import { createGift, fieldsOf, press, readRecipient, textOf } from "../../support/gift.ts";
import { startWorker } from "../../support/worker.ts";

const worker = startWorker();

// The sender's address is in Australia, with the state VIC and the postcode 3056.
test.each([
  ["DE", "state", "Region (optional)", "VIC", { postcode_zipcode: "10115" }],
  ["AE", "postcode_zipcode", "Postcode (optional)", "3056", { state: "Dubai" }],
])(
  "a value that addresses in %s do not have, %s, has a field in which it can be removed",
  async (country, name, label, value, region) => {
    const gift = await createGift(worker, [simpleProduct()]);
    const first = await worker.fetch(`${gift.path}?step=address`);
    const form = await press(worker, gift.path, first, { step: "address" }, { country });
    expect(textOf(form)).toContain(label);
    expect(form.text).toContain(`<input id="${name}" name="${name}"`);
    const typed = { address_line_1: "Hauptstr. 1", suburb: "Berlin", ...region };
    const kept = await press(
      worker,
      gift.path,
      form,
      { step: "confirm" },
      {
        ...typed,
        phone_number: "+971 4 555 0123",
      },
    );
    expect(textOf(kept)).toContain(value);

    const again = await press(worker, gift.path, kept, { step: "address" });
    const confirm = await press(worker, gift.path, again, { step: "confirm" }, { [name]: "" });
    expect(confirm.status).toBe(200);
    expect(textOf(confirm)).not.toContain(value);
    const without = await press(worker, gift.path, confirm, { step: "address" });
    expect(textOf(without)).not.toContain(label);
    expect(fieldsOf(without)).toMatchObject({ ...typed, country, [name]: "" });
    await press(worker, gift.path, confirm, { step: "accept" });
    const { recipient_details: details } = await readRecipient(worker, gift);
    expect(details.delivery_address).toMatchObject({ ...typed, country, [name]: null });
  },
);

test("a value that is not valid and has no field in the country's form can be corrected", async () => {
  const gift = await createGift(worker, [simpleProduct()]);
  const first = await worker.fetch(`${gift.path}?step=address`);
  const long = { country: "DE", state: "x".repeat(101) };
  const refused = await press(worker, gift.path, first, { step: "confirm" }, long);
  expect(refused.status).toBe(422);
  expect(refused.text).toContain('href="#state"');
  expect(refused.text).toContain('<input id="state" name="state"');
});
