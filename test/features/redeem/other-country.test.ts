// The countries to which a gift ships, and addresses in another country than the one that the form showed.
import { describe, expect, test } from "vitest";
import { ADDRESS, recipients, simpleProduct } from "../../support/fixtures.ts";
import { accept, createGift, fieldsOf, press, readRecipient, textOf } from "../../support/gift.ts";
import { startWorker } from "../../support/worker.ts";
import { shippingCountries } from "../../../src/features/redeem/countries.ts";
import { COUNTRIES } from "../../../src/core/values/iso.ts";

const worker = startWorker();

const [person] = recipients(1);

test.each([
  ["DE", "state", "Region (optional)", "VIC", { postcode_zipcode: "10115" }],
  ["AE", "postcode_zipcode", "Postcode (optional)", "3056", { state: "Dubai" }],
])(
  "a value that addresses in %s do not have, %s, has a field in which it can be removed",
  async (country, name, label, value, region) => {
    const other = { state: "", postcode_zipcode: "" };
    // A part of an address, with which the form starts.
    const delivery_address = { ...other, [name]: value, country };
    const order = { recipient_details: [{ ...person, delivery_address }] };
    const gift = await createGift(worker, [simpleProduct()], order);
    const form = await worker.fetch(`${gift.path}?step=address`);
    expect(textOf(form)).toContain(label);
    expect(form.text).toContain(`<input id="${name}" name="${name}"`);
    const typed = { address_line_1: "Hauptstr. 1", suburb: "Berlin", ...region };
    const entered = { ...typed, phone_number: "+971 4 555 0123" };
    const kept = await press(worker, gift.path, form, { step: "address" }, entered);
    expect(fieldsOf(kept)[name]).toBe(value);
    const without = await press(worker, gift.path, kept, { step: "address" }, { [name]: "" });
    expect(textOf(without)).not.toContain(label);
    expect(fieldsOf(without)).toMatchObject({ ...typed, country });
    await press(worker, gift.path, without, { step: "accept" });
    const { recipient_details: details } = await readRecipient(worker, gift);
    expect(details.delivery_address).toMatchObject({ ...typed, country, [name]: null });
  },
);

test("a value that is not valid and has no field in the country's form can be corrected", async () => {
  const gift = await createGift(worker, [simpleProduct()]);
  const long = { country: "DE", state: "x".repeat(101) };
  const refused = await accept(worker, gift.path, long);
  expect(refused.status).toBe(422);
  expect(refused.text).toContain('href="#state"');
  expect(refused.text).toContain('<input id="state" name="state"');
});

/** What is changed, and the region that is kept. The order has the state VIC and the postcode 3056. */
const CHANGES = [
  [{ country: "FR" }, { state: "", postcode_zipcode: "" }],
  [{ country: "AT" }, { state: "", postcode_zipcode: "" }],
  [
    { country: "FR", postcode_zipcode: "75008" },
    { state: "", postcode_zipcode: "75008" },
  ],
  [
    { country: "FR", state: "NSW", postcode_zipcode: "2000" },
    { state: "", postcode_zipcode: "" },
  ],
  [
    { country: "US", state: "TX", postcode_zipcode: "3056" },
    { state: "TX", postcode_zipcode: "" },
  ],
  [{ country: "HK" }, { state: "", postcode_zipcode: "" }],
] as const;

test.each(["accept", "address"])(
  "another country keeps the rest, with the button %s",
  async (step) => {
    const { path } = await createGift(worker, [simpleProduct()]);
    const first = await worker.fetch(`${path}?step=address`);
    const typed = { address_line_1: "1 Main Street", suburb: "Here", delivery_notes: "Blue door" };
    for (const [changes, region] of CHANGES) {
      const form = await press(worker, path, first, { step }, { ...typed, ...changes });
      expect(form.text).toContain('<select id="country"');
      // A form without a field sends nothing for it.
      const empty = { state: "", postcode_zipcode: "" };
      expect({ ...empty, ...fieldsOf(form) }).toMatchObject({ ...typed, ...changes, ...region });
      expect(form.status).toBe(step === "accept" ? 422 : 200);
      expect(form.text.includes('<a href="#country">')).toBe(step === "accept");
    }
  },
);

test.each([
  ["SG", "Singapore"],
  ["MO", "Macao"],
  ["MC", "Monaco"],
  ["GI", "Gibraltar"],
  ["VA", "Vatican City"],
])("the city that the form had filled in for %s does not stay", async (country, city) => {
  const { path } = await createGift(worker, [simpleProduct()]);
  const empty = await worker.fetch(`${path}?step=address`);
  const typed = { country, address_line_1: ADDRESS.address_line_1 };
  const form = await press(worker, path, empty, { step: "address" }, typed);
  expect(fieldsOf(form)["suburb"]).toBe(city);
  for (const step of ["address", "accept"]) {
    const california = { country: "US", state: "CA", postcode_zipcode: "94103" };
    const page = await press(worker, path, form, { step }, california);
    expect(fieldsOf(page)["suburb"]).toBe("");
    const refused = await press(worker, path, page, { step: "accept" }, california);
    expect(refused.text).toContain('href="#suburb"');
    const other = await press(worker, path, form, { step }, { country: "SG" });
    expect(fieldsOf(other)["suburb"]).toBe("Singapore");
    const typed = await press(worker, path, form, { step }, { country: "US", suburb: "Fresno" });
    expect(fieldsOf(typed)["suburb"]).toBe("Fresno");
  }
});

test("another country in the form of a correction does not keep the region", async () => {
  const gift = await createGift(worker, [simpleProduct()]);
  await accept(worker, gift.path);
  const empty = await worker.fetch(`${gift.path}?correct=&step=address`);
  const typed = { ...ADDRESS, state: "NSW", country: "FR", postcode_zipcode: "75008" };
  const form = await press(worker, gift.path, empty, { step: "accept" }, typed);
  expect(form.text).toContain('<select id="country"');
  expect(fieldsOf(form)).toMatchObject({ country: "FR", postcode_zipcode: "75008" });
  expect(fieldsOf(form)["state"]).toBeUndefined();
  await press(worker, gift.path, form, { step: "accept" });
  const { recipient_details: details } = await readRecipient(worker, gift);
  expect(details.delivery_address).toMatchObject({ ...typed, state: null });
});

const CODES = COUNTRIES.split(" ");

describe("the countries to which a product ships", () => {
  test.each([
    ["en", "Germany", "China", "Côte d’Ivoire"],
    ["de", "Deutschland", "China", "Côte d’Ivoire"],
    ["fr", "Allemagne", "Chine", "Côte d’Ivoire"],
    ["es", "Alemania", "China", "Côte d’Ivoire"],
    ["pt", "Alemanha", "China", "Costa do Marfim"],
    ["it", "Germania", "Cina", "Costa d’Avorio"],
    ["nl", "Duitsland", "China", "Ivoorkust"],
    ["ja", "ドイツ", "中国", "コートジボワール"],
    ["zh", "德国", "中国", "科特迪瓦"],
    ["ar", "ألمانيا", "الصين", "ساحل العاج"],
  ])("have names in %s", (locale, ...expected) => {
    const { shipping: countries, others } = shippingCountries([], locale);
    expect(others).toEqual([]);
    const nameOf = new Map(countries.map(({ code, name }) => [code, name]));
    expect(["DE", "CN", "CI"].map((code) => nameOf.get(code))).toEqual(expected);
    expect([...nameOf.keys()].sort()).toEqual(CODES);
    expect(new Set(nameOf.values()).size).toBe(CODES.length);
    expect(countries.filter(({ code, name }) => name === code)).toEqual([]);
  });

  test("are those of the product", () => {
    expect(shippingCountries(["NZ", "DE", "AU"], "en").shipping).toEqual([
      { code: "AU", name: "Australia" },
      { code: "DE", name: "Germany" },
      { code: "NZ", name: "New Zealand" },
    ]);
  });

  test("are sorted as usual in the language", () => {
    const codes = (locations: string[], locale: string) =>
      shippingCountries(locations, locale).shipping.map(({ code }) => code);
    // Ägypten, Albanien, Österreich, Zypern
    expect(codes(["CY", "AT", "EG", "AL"], "de")).toEqual(["EG", "AL", "AT", "CY"]);
    // アメリカ合衆国, ドイツ, 日本
    expect(codes(["JP", "DE", "US"], "ja")).toEqual(["US", "DE", "JP"]);
    // 德国 (déguó), 美国 (měiguó), 日本 (rìběn), 中国 (zhōngguó)
    expect(codes(["CN", "US", "JP", "DE"], "zh")).toEqual(["DE", "US", "JP", "CN"]);
  });
});
