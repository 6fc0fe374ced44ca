// What the recipient learns after accepting, and how much of an address is shown.
import { expect, test } from "vitest";
import texts from "../../../public/languages/en.json";
import { ADDRESS, recipients, simpleProduct } from "../../support/fixtures.ts";
import {
  accept,
  changeParcels,
  createGift,
  fetchAccepted,
  fieldsOf,
  postForm,
  press,
  readRecipient,
  textOf,
} from "../../support/gift.ts";
import { startWorker } from "../../support/worker.ts";

const worker = startWorker();
const PHONE = "+61 2 5550 0100";
const PERSON = { ...recipients(1)[0], phone_number: PHONE, delivery_notes: "Gate code 4711" };
const known = () => createGift(worker, [simpleProduct()], { recipient_details: [PERSON] });
const inOrder = (text: string, parts: string[]) => {
  const places = parts.map((part) => text.indexOf(part));
  expect(places).toEqual(places.toSorted((a, b) => a - b));
  expect(places[0]).toBeGreaterThan(-1);
};

test("the address is whole for the browser that has accepted, and then hidden in part", async () => {
  const { path } = await createGift(worker, [simpleProduct()]);
  await accept(worker, path, { delivery_notes: "Gate code 4711" });
  const [thanks, later] = [await fetchAccepted(worker, path), await worker.fetch(path)];
  for (const page of [thanks, later]) {
    const isWhole = page === thanks;
    for (const part of [ADDRESS.address_line_1, ADDRESS.postcode_zipcode, "Gate code 4711"])
      expect(page.text.includes(part)).toBe(isWhole);
    expect(page.text.includes(texts.accepted.masked)).toBe(!isWhole);
  }
});

test.each([
  ["physical", { deliveryDays: 8 }, ["We will send it to Brunswick.", "arrives within 8 days."]],
  ["physical", {}, ["We will send it to Brunswick."]],
  ["digital", {}, ["will be sent to recipient0@example.com."]],
] as const)("the page of a %s gift tells what follows until it is sent", async (...row) => {
  const [delivery, product, sentences] = row;
  const gift = await createGift(worker, [simpleProduct({ delivery, ...product })]);
  await accept(worker, gift.path);
  const keep = delivery === "digital" ? texts.accepted.keepEmail : texts.accepted.keep;
  const page = textOf(await fetchAccepted(worker, gift.path));
  inOrder(page, [...sentences, keep]);
  expect(page.includes("arrives within")).toBe("deliveryDays" in product);
  await changeParcels("ship", [{ orderId: gift.orderId, sequence: 1 }], Date.now());
  expect(textOf(await worker.fetch(gift.path))).not.toContain(keep);
});

test("the heading follows the state, and the status and the tracking come before the picture and the note", async () => {
  const gift = await createGift(worker, [simpleProduct({ name: "A Teapot" })]);
  await accept(worker, gift.path);
  for (const [step, title] of [
    [null, texts.accepted.title],
    ["ship", texts.email.shipped.title],
    ["fail", texts.shipment.failed],
    ["deliver", texts.email.delivered.title],
  ] as const) {
    const sent = { trackingNumber: "JD01", problem: "lost" } as const;
    const parcel = { orderId: gift.orderId, sequence: 1, ...sent };
    if (step) await changeParcels(step, [parcel], Date.now());
    const { text } = await worker.fetch(gift.path);
    const tracking = step === null ? [] : ["JD01"];
    const { shipment, thanks } = texts;
    inOrder(text, [`<h1>${title}</h1>`, shipment.title, ...tracking, "A Teapot", thanks.title]);
  }
});

test("an address of the order is hidden in part, without the phone number, and can be accepted", async () => {
  const gift = await known();
  const page = await worker.fetch(`${gift.path}?step=address`);
  expect(textOf(page)).toMatch(/First0 Last0.*1••••.*Brunswick VIC 30••••/);
  expect(fieldsOf(page)).toEqual({ product_id: expect.any(String) as string });
  for (const query of ["step=address", "step=address&country=AU"]) {
    const { text } = await worker.fetch(`${gift.path}?${query}`);
    for (const part of [ADDRESS.address_line_1, "3056", PHONE, "5550", "Gate code"])
      expect(text).not.toContain(part);
  }
  const scanned = await postForm(worker, gift.path, { step: "accept" });
  expect([scanned.status, scanned.meter.rowsWritten]).toEqual([422, 0]);
  expect(scanned.text).toContain(texts.problems.tick);
  expect((await press(worker, gift.path, page, { step: "accept" })).status).toBe(303);
  const { recipient_details } = await readRecipient(worker, gift);
  const { phone_number, delivery_notes } = PERSON;
  expect(recipient_details).toMatchObject({ phone_number, delivery_notes });
  expect(recipient_details.delivery_address).toMatchObject(ADDRESS);
});

test("another address replaces that of the order and its notes, and keeps the phone number", async () => {
  const gift = await known();
  const page = await worker.fetch(`${gift.path}?step=address`);
  const [, link = ""] = /<a href="([^"]*)">Use another address/.exec(page.text) ?? [];
  const form = await worker.fetch(gift.path + link.replaceAll("&amp;", "&"));
  const started = { first_name: "First0", country: "AU", address_line_1: "", phone_number: "" };
  expect(fieldsOf(form)).toMatchObject({ ...started, suburb: "", delivery_notes: "" });
  // What is typed needs no tick.
  expect(form.text).not.toContain('name="confirmed"');
  const typed = { ...ADDRESS, address_line_1: "9 Elm Row" };
  expect((await press(worker, gift.path, form, { step: "accept" }, typed)).status).toBe(303);
  const { recipient_details } = await readRecipient(worker, gift);
  expect(recipient_details).toMatchObject({ phone_number: PHONE, delivery_notes: null });
  expect(recipient_details.delivery_address).toMatchObject(typed);
});

test("an address of the order that is not complete is asked for", async () => {
  const incomplete = { ...ADDRESS, suburb: undefined, state: undefined };
  const gift = await createGift(worker, [simpleProduct()], {
    recipient_details: [{ ...PERSON, delivery_address: incomplete }],
  });
  const page = await worker.fetch(`${gift.path}?step=address`);
  expect(fieldsOf(page)).toMatchObject({ country: "AU", address_line_1: "" });
  expect(page.text).not.toContain(ADDRESS.address_line_1);
  const refused = await postForm(worker, gift.path, { step: "accept" });
  expect(refused.status).toBe(422);
  expect(refused.text).not.toContain(texts.problems.tick);
});
