// The form in which the recipient enters where the gift is sent. What was typed is kept, and is never part of a URL.
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import texts from "../../../public/languages/en.json";
import { withoutInvisible } from "../../../src/core/values/plain-text.ts";
import { FIELDS } from "../../../src/features/redeem/form.ts";
import {
  ADDRESS,
  recipients,
  simpleProduct,
  type TestProduct,
  variableProduct,
} from "../../support/fixtures.ts";
import {
  accept,
  attributeOf,
  buttonsOf,
  CHOICE,
  type Control,
  createGift,
  fetchAccepted,
  fieldsOf,
  postForm,
  press,
  pressButton,
  readRecipient,
  switchLanguage,
  textOf,
} from "../../support/gift.ts";
import { runs } from "../../support/runs.ts";
import { type Answer, startWorker } from "../../support/worker.ts";

const worker = startWorker();

const titleOf = ({ text }: Answer) => /<title>([^<]*)<\/title>/.exec(text)?.[1];
const productIn = (page: Answer) => fieldsOf(page)["product_id"];

const text = fc
  .string({ unit: "grapheme", maxLength: 8 })
  .map((value) => `${withoutInvisible(value).replaceAll(/\s/gu, " ")}. x`);
/** What is typed. */
const EDIT = fc.record({
  address_line_1: text,
  delivery_notes: text,
  country: fc.constantFrom("AU", "US", "JP", "HK", "NZ"),
});

test("what was typed is kept in every language and country, and is not part of a URL", async () => {
  const { path } = await createGift(worker, [simpleProduct({ locations: [] })]);
  const moves = fc.array(fc.tuple(fc.nat(), EDIT), { minLength: 2, maxLength: 6 });
  await fc.assert(
    fc.asyncProperty(moves, async (all) => {
      let page = await worker.fetch(`${path}?step=address`);
      for (const [index, typed] of all) {
        const buttons = buttonsOf(page).filter(
          (tag) => attributeOf(tag, "value") === "address" || attributeOf(tag, "lang"),
        );
        const button = buttons[index % buttons.length] ?? "";
        page = await pressButton(worker, path, page, button, typed);
        expect(page.status).toBe(200);
        expect(page.meter).toMatchObject({ roundTrips: 1, rowsWritten: 0 });
        expect(fieldsOf(page)).toMatchObject(typed);
        const urls = [...page.text.matchAll(/ (?:href|action|formaction)="([^"]*)"/g)];
        for (const [, url = ""] of urls) expect(url).not.toMatch(/address_line|delivery_notes/);
      }
    }),
    { numRuns: runs(10), endOnFailure: true },
  );
});

describe("the form", () => {
  test("leads from the gift to the thanks", async () => {
    const product = variableProduct({ name: "Socks" });
    const [small, large] = product.product.variations.map(({ id }) => String(id));
    const order = { ...CHOICE, variation_id: Number(large) };
    const gift = await createGift(worker, [product], order);
    const start = await worker.fetch(gift.path);
    const choice = { variation_id: small ?? "" };
    const form = await press(worker, gift.path, start, { step: "address" }, choice);
    for (const part of ["Socks", "Size S", texts.confirm.final]) {
      expect(textOf(form)).toContain(part);
    }
    const { country, ...typed } = ADDRESS;
    const accepted = await press(worker, gift.path, form, { step: "accept" }, typed);
    expect(accepted.headers.get("Location")).toBe(gift.path);
    expect(await readRecipient(worker, gift)).toMatchObject({
      redemption_status: "redeemed",
      product_selected: { variation_id: small },
      recipient_details: { delivery_address: { ...typed, country } },
    });
    expect(titleOf(await fetchAccepted(worker, gift.path))).toBe(texts.accepted.thanks);
    expect(titleOf(await worker.fetch(gift.path))).toBe(texts.accepted.title);
  });

  test("has the offered variation if the link names none, and requires one of another gift", async () => {
    const [gift, socks] = [variableProduct(), variableProduct()];
    const large = String(gift.product.variations[1]?.id);
    const order = { ...CHOICE, variation_id: Number(large) };
    const { path } = await createGift(worker, [gift, socks], order);
    const form = await worker.fetch(`${path}?step=address`);
    expect(fieldsOf(form)["variation_id"]).toBe(large);
    const id = String(socks.product.id);
    const linked = await worker.fetch(`${path}?step=address&product_id=${id}`);
    const posted = await postForm(worker, path, { ...ADDRESS, step: "address", product_id: id });
    for (const page of [linked, posted]) {
      expect([page.status, productIn(page)]).toEqual([422, id]);
      expect(page.text).toContain(texts.gift.choiceMissing);
    }
  });

  test("is kept with the offered gift if another one has sold out", async () => {
    const [offered, gone] = [simpleProduct(), simpleProduct({ name: "Gone" }, { quantity: 0 })];
    const { path } = await createGift(worker, [offered, gone], CHOICE);
    const product_id = String(gone.product.id);
    const page = await accept(worker, path, { product_id, suburb: "Elsewhere" });
    const linked = await worker.fetch(`${path}?step=address&product_id=${product_id}`);
    for (const answer of [page, linked]) {
      expect(answer.status).toBe(409);
      expect(textOf(answer)).toContain(texts.gone.soldOut.replace("{product}", "Gone"));
      expect(productIn(answer)).toBe(String(offered.product.id));
    }
    expect(fieldsOf(page)["suburb"]).toBe("Elsewhere");
    expect(attributeOf(buttonsOf(page)[0] ?? "", "value")).toBe("check");
    expect((await press(worker, path, page, { step: "accept" })).status).toBe(303);
  });

  test("is checked and not sent by Enter, which activates the first button", async () => {
    const gift = await createGift(worker, [simpleProduct()]);
    const empty = await worker.fetch(`${gift.path}?step=address`);
    let page = await press(worker, gift.path, empty, { step: "check" }, ADDRESS);
    for (const [suburb, status, landing] of [
      ["", 422, /<div id="shown" class="notice fault"/],
      ["Elsewhere", 200, /<button id="shown" [^>]*value="accept"/],
    ] as const) {
      const [first = ""] = buttonsOf(page);
      expect(attributeOf(first, "formaction")).toBe("?#shown");
      page = await pressButton(worker, gift.path, page, first, { suburb });
      expect([page.status, fieldsOf(page)["suburb"]]).toEqual([status, suburb]);
      expect(page.text).toMatch(landing);
      expect(page.text.match(/id="shown"/g)).toHaveLength(1);
    }
    expect(await readRecipient(worker, gift)).toMatchObject({ redemption_status: null });
  });

  test("keeps what was typed on the way to another gift, also to a digital one", async () => {
    const [offered, card] = [simpleProduct(), simpleProduct({ delivery: "digital" })];
    const gift = await createGift(worker, [offered, card], CHOICE);
    const typed = { ...ADDRESS, delivery_notes: "Blue door", first_name: "Augusta" };
    let page = await worker.fetch(`${gift.path}?step=address`);
    const go = async (control: Control, fields: Record<string, string> = {}) => {
      page = await press(worker, gift.path, page, control, fields);
      expect([page.status, page.meter.rowsWritten]).toEqual([200, 0]);
      expect(fieldsOf(page)).toMatchObject({ ...typed, ...fields });
      expect(page.text).not.toMatch(/ (?:href|action|formaction)="[^"]*(?:Augusta|Blue|Brunswick)/);
    };
    await go({ show: String(offered.product.id) }, typed);
    await go({ show: String(card.product.id) });
    await go({ step: "question" });
    await go({ show: "" });
    page = await switchLanguage(worker, gift.path, page, "de");
    await go({ show: String(card.product.id) });
    await go({ step: "address" });
    expect(page.text).toContain('<input id="delivery_email"');
    const delivery_email = "augusta@example.com";
    await go({ show: String(card.product.id) }, { delivery_email });
    await go({ show: "" });
    await go({ step: "address" });
    expect(fieldsOf(page)).toMatchObject({ delivery_email });
    const form = page;
    expect((await press(worker, gift.path, form, { step: "accept" })).status).toBe(303);
    const repeated = await press(worker, gift.path, form, { step: "accept" });
    expect(textOf(repeated)).not.toContain(texts.accepted.earlier);
    expect((await readRecipient(worker, gift)).recipient_details).toMatchObject({
      delivery_address: ADDRESS,
      delivery_notes: "Blue door",
    });
  });

  test("shows the address of the order after a form without an address, and leads to URLs if nothing is typed", async () => {
    const [card, offered] = [simpleProduct({ delivery: "digital" }), simpleProduct()];
    const order = { ...CHOICE, recipient_details: recipients(1) };
    const { path } = await createGift(worker, [card, offered], order);
    const form = await worker.fetch(`${path}?step=address`);
    const unchanged = await press(worker, path, form, { show: String(card.product.id) });
    expect(unchanged.text).not.toContain('method="post"');
    const typed = { first_name: "Augusta" };
    const left = await press(worker, path, form, { show: String(card.product.id) }, typed);
    const chosen = await press(worker, path, left, { show: String(offered.product.id) });
    const address = await press(worker, path, chosen, { step: "address" });
    expect(fieldsOf(address)).toMatchObject(typed);
    expect(textOf(address)).toMatch(/Augusta.*1••••/);
  });

  test("of a digital gift has no visible address", async () => {
    const { path } = await createGift(worker, [simpleProduct({ delivery: "digital" })]);
    expect(Object.keys(fieldsOf(await worker.fetch(path)))).toEqual(["product_id"]);
    const { text } = await worker.fetch(`${path}?step=address`);
    const visible = [...text.matchAll(/<(?:input|select|textarea)\b[^>]* id="([^"]*)"/g)];
    expect(visible.map(([, id]) => id)).toEqual([
      ...["first_name", "last_name", "delivery_email", "confirmed"],
    ]);
  });

  test("says that a name needs letters", async () => {
    const { path } = await createGift(worker, [simpleProduct()]);
    const page = await accept(worker, path, { first_name: "123" });
    expect(textOf(page)).toContain("Use letters in your first name");
  });

  test("asks for a phone number and a postcode as the country has them", async () => {
    const { path } = await createGift(worker, [simpleProduct({ locations: [] })]);
    for (const [country, phone, keys] of [
      ["AU", "+61 412 345 678", 'inputmode="numeric"'],
      ["GB", "+44 7400 123456", 'autocapitalize="characters"'],
    ] as const) {
      const page = await accept(worker, path, { country, phone_number: "1" });
      expect(textOf(page)).toContain(texts.problems.phone.replace("{example}", phone));
      expect(/<input id="postcode_zipcode"[^>]*>/.exec(page.text)?.[0]).toContain(keys);
    }
  });
});

describe("before anything is entered", () => {
  test("all links and forms lead to URLs, so that Back and Reload need no confirmation", async () => {
    const others = Array.from({ length: 30 }, () => simpleProduct());
    const gift = variableProduct({ name: "Offered" });
    const variation = String(gift.product.variations[1]?.id);
    const { path } = await createGift(worker, [gift, ...others], {
      ...CHOICE,
      variation_id: Number(variation),
    });
    const show = String(others[29]?.product.id);
    const first = await worker.fetch(path);
    const other = await press(worker, path, first, { show });
    const all = await press(worker, path, other, { others: "" });
    const decline = await press(worker, path, other, { step: "question" });
    for (const page of [first, other, all]) {
      expect(page.status).toBe(200);
      expect(page.text).not.toContain('method="post"');
    }
    expect(other.text).toContain('href="?#shown"');
    expect(all.text).toContain('href="?#shown"');
    expect(all.text).toContain(`href="?show=${String(others[0]?.product.id)}#shown"`);
    expect(all.text).toMatch(/href="\?others=&amp;page=2"/);
    expect(decline.text).toContain('href="?#shown"');
    const address = await press(worker, path, first, { step: "address" });
    expect(fieldsOf(address)).toMatchObject({ variation_id: variation, suburb: "" });
  });

  test("the page opens at the gift's name, or at the notice if there is one", async () => {
    const [gift, other] = [simpleProduct(), simpleProduct({ name: "Other" })];
    const { path } = await createGift(worker, [gift, other], CHOICE);
    const swapped = await worker.fetch(`${path}?show=${String(other.product.id)}`);
    const unknown = await worker.fetch(`${path}?show=abc`);
    expect(swapped.text).toMatch(
      /<hgroup id="shown" tabindex="-1"><p class="eyebrow">Another choice<.*Other.*<\/hgroup>/s,
    );
    expect(unknown.text).toMatch(/<div id="shown" class="notice" role="alert" tabindex="-1"/);
    for (const page of [swapped, unknown]) expect(page.text.match(/id="shown"/g)).toHaveLength(1);
  });
});

describe("a form", () => {
  test("without a known step changes nothing", async () => {
    const gift = await createGift(worker, [simpleProduct()]);
    const before = await readRecipient(worker, gift);
    const typed = { ...ADDRESS, suburb: "Elsewhere" };
    const steps = ["", "thanks", "ACCEPT", " accept", "accept\u0000", "toString"];
    for (const fields of [{}, ...steps.map((step) => ({ step }))]) {
      const answer = await postForm(worker, gift.path, { ...typed, ...fields });
      expect([fields, answer.status]).toEqual([fields, 200]);
      expect(answer.meter).toMatchObject({ roundTrips: 1, rowsWritten: 0 });
      expect(fieldsOf(answer)).toMatchObject(typed);
    }
    expect(await readRecipient(worker, gift)).toEqual(before);
  });

  test("uses the first of several values of one field", async () => {
    const gift = await createGift(worker, [simpleProduct()]);
    const body = new URLSearchParams([
      ...Object.entries({ ...ADDRESS, suburb: "First Town" }),
      ...([
        ["suburb", "Second Town"],
        ["step", "address"],
        ["step", "accept"],
      ] as [string, string][]),
    ]);
    const answer = await worker.fetch(gift.path, { method: "POST", redirect: "manual", body });
    expect(fieldsOf(answer)["suburb"]).toBe("First Town");
    expect(await readRecipient(worker, gift)).toMatchObject({ redemption_status: null });
  });

  test("with files is refused", async () => {
    const gift = await createGift(worker, [simpleProduct()]);
    const body = new FormData();
    body.set("step", "accept");
    body.set("address_line_1", new File(["x"], "x.txt"));
    const answer = await worker.fetch(gift.path, { method: "POST", body });
    expect(answer.status).toBe(415);
    expect(await readRecipient(worker, gift)).toMatchObject({ redemption_status: null });
  });

  test("with a long value in each field is refused at the fields, and keeps the values", async () => {
    const gift = await createGift(worker, [simpleProduct({ locations: ["AU"] })]);
    const long = "x".repeat(100_000);
    const names = FIELDS.filter((field) => !["country", "delivery_email"].includes(field));
    const fields = Object.fromEntries(names.map((field) => [field, long]));
    const answer = await accept(worker, gift.path, { ...fields, country: "US" });
    expect(answer.status).toBe(422);
    expect(answer.text.match(/aria-invalid="true"/g)).toHaveLength(10);
    expect(fieldsOf(answer)).toMatchObject(fields);
    expect(await readRecipient(worker, gift)).toMatchObject({ redemption_status: null });
  });

  test("with an invalid id shows the offered gift, on every page", async () => {
    const { product, path } = await createChoice();
    const open = (fields: Record<string, string>) =>
      worker.fetch(`${path}?${new URLSearchParams(fields).toString()}`);
    for (const id of ["0", "-1", "1.5", "abc", "9".repeat(30), "<b>", "1 2", "\u0000"]) {
      expectOffered(await open({ show: id }), product);
      expectOffered(await accept(worker, path, { product_id: id }), product);
      expect((await open({ others: id })).status).toBe(200);
    }
    for (const name of ["product_id", "variation_id"]) {
      expectOffered(await open({ step: "address", [name]: "abc" }), product);
      expectOffered(await accept(worker, path, { step: "accept", [name]: "abc" }), product);
    }
  });
});

async function createChoice() {
  const product = simpleProduct();
  const { path } = await createGift(worker, [product, simpleProduct()], CHOICE);
  return { product, path };
}

/** Checks that the page is that of the offered gift with a notice. */
function expectOffered(page: Answer, { product }: TestProduct): void {
  expect([200, 409]).toContain(page.status);
  expect(productIn(page)).toBe(String(product.id));
  expect(page.text).toContain('role="alert"');
  expect(page.meter.rowsWritten).toBe(0);
}

describe("a form with markup", () => {
  const HOSTILE = `"><script>alert(1)</script><img src=x onerror=alert(2)>'&lt;`;
  const STEPS = ["gift", "address", "question", "accept", "decline", "thank"];

  /** The pages after the fields are posted in each step, and opened with a query. */
  async function openAll(path: string, steps: string[], fields: Record<string, string>) {
    const pages: Answer[] = [];
    for (const step of steps) {
      if (step !== "decline") {
        pages.push(await accept(worker, path, { suburb: "", step, ...fields }));
      }
      const query = new URLSearchParams({ step, lang: HOSTILE, ...fields }).toString();
      pages.push(await worker.fetch(`${path}?${query}`));
    }
    for (const page of pages) {
      expect(page.status).toBeLessThan(500);
      expect(page.text).not.toMatch(/<script|<img src=x|onerror=alert\(2\)>/);
      expect(page.headers.get("Location") ?? "").not.toMatch(/[<>"']/);
    }
    return pages.map(({ text }) => text).join("");
  }

  test("in every field of the recipient shows it as text", async () => {
    const fields = FIELDS.map((name) => [name, `${HOSTILE}${name}`]);
    let shown = "";
    for (const delivery of ["physical", "digital"] as const) {
      const { path } = await createGift(worker, [simpleProduct({ delivery })]);
      shown += await openAll(path, STEPS, Object.fromEntries(fields) as Record<string, string>);
    }
    for (const name of FIELDS) expect(shown).toContain(`&#39;&amp;lt;${name}`);
  });

  test.each([...["product_id", "variation_id", "show", "others", "step", "note"]])(
    "in the field %s does not show it",
    async (name) => {
      const { path } = await createChoice();
      const shown = await openAll(path, ["address", "accept"], { [name]: HOSTILE });
      expect(shown).not.toContain("&lt;script&gt;");
    },
  );
});
