// The recipient corrects the name and the phone number, and chooses another country.
import { describe, expect, test } from "vitest";
import texts from "../../../public/languages/en.json";
import { toGiftId } from "../../../src/core/values/ids.ts";
import { ADDRESS, orderOf, simpleProduct } from "../../support/fixtures.ts";
import {
  accept,
  CHOICE,
  createGift,
  fieldsOf,
  postForm,
  press,
  readRecipient,
  textOf,
  withoutAddress,
} from "../../support/gift.ts";
import { startWorker } from "../../support/worker.ts";

const worker = startWorker();

const [person] = withoutAddress();
const ORDER = { recipient_details: [{ ...person, phone_number: "+61 2 5550 0100" }] };
const NEW_ZEALAND = { country: "NZ", state: "", suburb: "Wellington", postcode_zipcode: "6011" };

test("the notes of the order are stored, shown to the recipient, and kept by a redemption", async () => {
  const notes = { delivery_notes: "Ring twice" };
  const order = { recipient_details: [{ ...person, ...notes, delivery_address: ADDRESS }] };
  const product = simpleProduct();
  const gift = await createGift(worker, [product], order);
  const { json: direct } = await worker.post(gift.client, "/api/order", orderOf(product, order));
  const shown = await readRecipient(worker, { ...gift, orderId: direct.order_data.order_id });
  expect(shown.recipient_details).toMatchObject(notes);
  const page = await worker.fetch(`${gift.path}?step=address`);
  expect(page.text).toContain('<p dir="auto">R••••</p>');
  const redemption = { event: "gift.redeemed", suborder_id: toGiftId(gift.orderId, 1) };
  await worker.post(gift.client, "/api/sandbox/event", redemption);
  expect((await readRecipient(worker, gift)).recipient_details).toMatchObject(notes);
});

describe("the name and the phone number", () => {
  test("are those of the order, and can be corrected, as the event shows", async () => {
    const gift = await createGift(worker, [simpleProduct()], ORDER);
    const address = await worker.fetch(`${gift.path}?step=address`);
    expect(fieldsOf(address)).toMatchObject({
      first_name: "First0",
      last_name: "Last0",
      phone_number: "+61 2 5550 0100",
    });
    const corrected = { first_name: "Ada", phone_number: "+61 2 5550 0199" };
    const typed = { ...ADDRESS, ...corrected };
    const answer = await press(worker, gift.path, address, { step: "accept" }, typed);
    expect(answer.status).toBe(303);
    const { recipient_details } = await readRecipient(worker, gift);
    expect(recipient_details).toMatchObject({ name: "Ada Last0", phone_number: "+61 2 5550 0199" });
    const { json } = await worker.get(gift.client, "/api/events");
    expect(json.events.at(-1)).toMatchObject({
      type: "gift.redeemed",
      data: { redemption_status: "redeemed", corrected_fields: ["first_name", "phone_number"] },
    });
    expect(JSON.stringify(json.events)).not.toMatch(/Ada|0199/);
    expect(textOf(await worker.fetch(gift.path))).not.toContain("0199");
  });

  test("stay as they are if nothing is changed, or if the form does not contain them", async () => {
    for (const fields of [{}, { first_name: "First0", last_name: "Last0" }]) {
      // Browsers send what was prefilled, and spaces around it do not count.
      const order = { recipient_details: [{ ...ORDER.recipient_details[0], last_name: "Last0 " }] };
      const gift = await createGift(worker, [simpleProduct()], order);
      expect((await accept(worker, gift.path, fields)).status).toBe(303);
      const { recipient_details } = await readRecipient(worker, gift);
      expect(recipient_details).toMatchObject({
        name: "First0 Last0",
        phone_number: "+61 2 5550 0100",
      });
      const { json } = await worker.get(gift.client, "/api/events");
      expect(json.events.at(-1).data).not.toHaveProperty("corrected_fields");
    }
  });

  test("keep a correction by the partner, also if the form was already open", async () => {
    const gift = await createGift(worker, [simpleProduct()], ORDER);
    const address = await worker.fetch(`${gift.path}?step=address`);
    const corrected = {
      suborder_id: toGiftId(gift.orderId, 1),
      first_name: "Ada",
      phone_number: "+61 2 5550 0177",
    };
    expect((await worker.post(gift.client, "/api/order/correct", corrected)).status).toBe(200);
    const changed = { ...ADDRESS, last_name: "Lovelace" };
    const answer = await press(worker, gift.path, address, { step: "accept" }, changed);
    expect(answer.status).toBe(303);
    const { recipient_details } = await readRecipient(worker, gift);
    expect(recipient_details).toMatchObject({
      name: "Ada Lovelace",
      phone_number: "+61 2 5550 0177",
    });
    const { json } = await worker.get(gift.client, "/api/events");
    expect(json.events.at(-1).data.corrected_fields).toEqual(["last_name"]);
  });

  test("have no line breaks", async () => {
    const gift = await createGift(worker, [simpleProduct()], ORDER);
    const name = { first_name: "Ada\r\nMarie", last_name: "Bee\n" };
    expect((await accept(worker, gift.path, name)).status).toBe(303);
    const { recipient_details } = await readRecipient(worker, gift);
    expect(recipient_details).toMatchObject({ name: "Ada Marie Bee" });
  });
});

describe("the fields of the name and the phone number", () => {
  test("have the name of a digital gift, whose phone number is kept", async () => {
    const gift = await createGift(worker, [simpleProduct({ delivery: "digital" })], ORDER);
    const form = await worker.fetch(`${gift.path}?step=address`);
    await press(worker, gift.path, form, { step: "accept" }, { last_name: "Bee" });
    const { recipient_details } = await readRecipient(worker, gift);
    expect(recipient_details).toMatchObject({
      name: "First0 Bee",
      phone_number: "+61 2 5550 0100",
    });
  });

  test("can be left out, except the name, and the phone number where carriers need it", async () => {
    const gift = await createGift(worker, [simpleProduct()], ORDER);
    const empty = { first_name: "", last_name: "", phone_number: "" };
    const refused = await accept(worker, gift.path, empty);
    expect(refused.status).toBe(422);
    expect(refused.text).toContain('<a href="#first_name">');
    const dubai = { country: "AE", state: "Dubai", suburb: "Dubai", postcode_zipcode: "" };
    const needed = await accept(worker, gift.path, { ...dubai, phone_number: "" });
    expect(needed.text).toContain('<a href="#phone_number">');
    expect((await accept(worker, gift.path, { phone_number: "" })).status).toBe(303);
    const { recipient_details } = await readRecipient(worker, gift);
    expect(recipient_details).toMatchObject({ name: "First0 Last0", phone_number: "NA" });
  });

  test("come in the order of the page's language", async () => {
    const { path } = await createGift(worker, [simpleProduct()]);
    const orderIn = async (language: string) => {
      const { text } = await worker.fetch(`${path}?step=address&lang=${language}`);
      return [...text.matchAll(/ id="((?:first|last)_name)"/g)].map(([, id]) => id);
    };
    expect(await orderIn("fr")).toEqual(["first_name", "last_name"]);
    expect(await orderIn("ja")).toEqual(["last_name", "first_name"]);
  });
});

test("the states of a country are in the page's language, in its order", async () => {
  const { path } = await createGift(worker, [simpleProduct({ locations: [] })]);
  for (const [country, language, names] of [
    ["HK", "en", ["Hong Kong Island", "Kowloon", "New Territories"]],
    ["HK", "zh-Hant", ["九龍", "香港島", "新界"]],
    ["HK", "zh", ["九龍", "香港島", "新界"]],
    ["TW", "zh-Hant", ["台中市", "台北市", "台東縣"]],
    ["TW", "en", ["Changhua County (彰化縣)", "Chiayi City (嘉義市)", "Chiayi County (嘉義縣)"]],
    ["CN", "zh-Hant", ["安徽省", "北京市", "重庆市"]],
    ["CN", "de", ["Anhui (安徽省)", "Beijing (北京市)", "Chongqing (重庆市)"]],
  ] as const) {
    const typed = { country, state: "", step: "address" };
    const { text } = await accept(worker, `${path}?lang=${language}`, typed);
    const [list = ""] = /<select id="state".*?<\/select>/s.exec(text) ?? [];
    const shown = [...list.matchAll(/<option[^>]*>([^<]+)</g)].map(([, name]) => name);
    expect([country, language, shown.slice(0, 3)]).toEqual([country, language, names]);
  }
});

test("an unknown state is accepted if the recipient keeps it", async () => {
  const gift = await createGift(worker, [simpleProduct()]);
  const page = await accept(worker, gift.path, { state: "Atlantis" });
  expect([page.status, (await press(worker, gift.path, page, { step: "accept" })).status]).toEqual([
    ...[422, 303],
  ]);
  const { recipient_details } = await readRecipient(worker, gift);
  expect(recipient_details.delivery_address).toMatchObject({ state: "Atlantis" });
});

describe("an error", () => {
  test.each([
    ["postcode_zipcode", { postcode_zipcode: "ABCDE" }, "2060"],
    ["state", { state: "Atlantis" }, ""],
    ["postcode_zipcode", { country: "IE", state: "", postcode_zipcode: "1" }, "A65 F4E2"],
    ["first_name", { first_name: "{{first_name}}" }, ""],
    ["address_line_1", { address_line_1: "ada@example.com" }, ""],
    ["suburb", { suburb: "????" }, ""],
  ])(
    "of the %s in %j is shown at the field and after the heading, with the example %s",
    async (field, fields, example) => {
      const gift = await createGift(worker, [simpleProduct()]);
      const page = await accept(worker, gift.path, fields);
      expect(page.status).toBe(422);
      for (const start of [`<a href="#${field}">`, `<p id="${field}-problem" class="fault">`]) {
        expect(page.text.split(start)[1]?.split("<")[0]).toContain(example);
      }
      expect(page.text.indexOf("<h1>")).toBeLessThan(page.text.indexOf('role="alert"'));
      expect(fieldsOf(page)).toMatchObject(fields);
      expect(await readRecipient(worker, gift)).toMatchObject({ redemption_status: null });
    },
  );

  test.each([
    ["AU", "WA", "2000"],
    ["US", "CA", "TX94103"],
  ])(
    "asks again in %s about %s with %s, and accepts what is kept",
    async (country, state, code) => {
      const gift = await createGift(worker, [simpleProduct()]);
      const form = await worker.fetch(`${gift.path}?step=address`);
      const typed = { ...ADDRESS, country, state, postcode_zipcode: code, suburb: "Perth" };
      const asked = await press(worker, gift.path, form, { step: "accept" }, typed);
      expect(asked.status).toBe(422);
      expect(asked.text).toContain('<a href="#postcode_zipcode">');
      expect((await press(worker, gift.path, asked, { step: "accept" })).status).toBe(303);
    },
  );

  test("is none for a state that the order names in another way", async () => {
    const named = { ...ADDRESS, state: "victoria", postcode_zipcode: " 30 56 " };
    const order = { recipient_details: [{ ...person, delivery_address: named }] };
    const gift = await createGift(worker, [simpleProduct()], order);
    const form = await worker.fetch(`${gift.path}?step=address`);
    expect(fieldsOf(form)).toEqual({ product_id: expect.any(String) as string });
    await press(worker, gift.path, form, { step: "accept" });
    const { recipient_details } = await readRecipient(worker, gift);
    expect(recipient_details.delivery_address).toMatchObject(ADDRESS);
  });
});

describe("a country to which the gift does not ship", () => {
  const products = () => ({
    hamper: simpleProduct({ name: "A Hamper", locations: ["AU"] }),
    book: simpleProduct({ name: "A Book", locations: [] }),
    plant: simpleProduct({ name: "A Plant", locations: ["AU"] }),
    kiwi: simpleProduct({ name: "A Kiwi", locations: ["NZ"] }),
  });

  test("leads to the gifts that ship there, and to the form of that country", async () => {
    const all = products();
    const gift = await createGift(worker, Object.values(all), CHOICE);
    const form = await worker.fetch(`${gift.path}?step=address`);
    const elsewhere = await press(worker, gift.path, form, { step: "address" }, NEW_ZEALAND);
    expect(elsewhere.text).toContain('id="country-problem"');
    expect(textOf(elsewhere)).toContain(texts.problems.otherGifts);
    const others = await press(worker, gift.path, elsewhere, { others: "" });
    expect(textOf(others)).toMatch(/A Kiwi.*A Book|A Book.*A Kiwi/);
    expect(textOf(others)).not.toMatch(/A Plant/);
    const show = { show: String(all.kiwi.product.id) };
    const chosen = await press(worker, gift.path, others, show);
    const address = await press(worker, gift.path, chosen, { step: "address" });
    expect({ state: "", ...fieldsOf(address) }).toMatchObject(NEW_ZEALAND);
    const typed = { address_line_1: ADDRESS.address_line_1 };
    const answer = await press(worker, gift.path, address, { step: "accept" }, typed);
    expect(answer.status).toBe(303);
    expect(await readRecipient(worker, gift)).toMatchObject({
      product_selected: { product_id: String(all.kiwi.product.id) },
      recipient_details: { delivery_address: { country: "NZ", suburb: "Wellington" } },
    });
  });

  test("is refused, also for a chosen gift, and changes nothing", async () => {
    const { hamper, book, plant } = products();
    const gift = await createGift(worker, [hamper, book, plant], CHOICE);
    for (const product_id of [hamper, plant].map(({ product }) => String(product.id))) {
      const page = await accept(worker, gift.path, { ...NEW_ZEALAND, product_id });
      expect(page.status).toBe(422);
      expect(page.text).toContain('id="country-problem"');
      expect(page.text).toContain(texts.problems.otherGifts);
      expect(page.meter.rowsWritten).toBe(0);
    }
    const url = `${gift.path}?show=${String(plant.product.id)}`;
    const shown = await postForm(worker, url, NEW_ZEALAND);
    expect(textOf(shown)).toContain(
      texts.gone.country.replace("{product}", "A Plant").replace("{country}", "New Zealand"),
    );
  });

  test("says whom to ask if there is no other gift", async () => {
    const { hamper } = products();
    const gift = await createGift(worker, [hamper], {}, { name: "Acme" });
    const page = await accept(worker, gift.path, NEW_ZEALAND);
    expect(textOf(page)).toContain(texts.problems.ask.replace("{company}", "Acme"));
    expect(page.text).not.toContain(texts.problems.otherGifts);
  });
});
