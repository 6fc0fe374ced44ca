// The steps of the gift page. Everything that the recipient enters is passed from page to page.
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import texts from "../../../public/languages/en.json";
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
  createGift,
  fetchAccepted,
  fieldsOf,
  postForm,
  press,
  pressButton,
  readRecipient,
  textOf,
} from "../../support/gift.ts";
import { type Answer, startWorker } from "../../support/worker.ts";
import { runs } from "../../support/runs.ts";

const worker = startWorker();

const withoutAddress = {
  recipient_details: recipients(1).map((person) => ({ ...person, delivery_address: undefined })),
};

const titleOf = ({ text }: Answer) => /<title>([^<]*)<\/title>/.exec(text)?.[1];
const currentStep = ({ text }: Answer) => /<li aria-current="step">([^<]*)</.exec(text)?.[1];
/** Whether the button accepts or declines the gift. */
const changesGift = (button: string) =>
  attributeOf(button, "name") === "step" &&
  ["accept", "decline"].includes(attributeOf(button, "value") ?? "");
const productIn = (page: Answer) => fieldsOf(page)["product_id"];

const text = fc
  .string({ unit: "grapheme", maxLength: 8 })
  .map((value) => `${value.trim().replaceAll(/\s/gu, " ")}.`);
/** What is typed on a page. */
const EDIT = fc.record({
  address_line_1: text,
  state: text,
  delivery_notes: text,
  country: fc.constantFrom("AU", "US", "JP", "HK", "NZ"),
  delivery_email: fc.constantFrom("x", "a@example.com"),
});
type Values = Record<string, string>;

/** The values of the fields that the page shows. The others are hidden, and a select has the listed values only. */
const shownIn = (page: Answer, values: Values): Values =>
  Object.fromEntries(
    Object.entries(values).filter(([name, value]) => {
      const shown = new RegExp(`<(input|select|textarea) id="${name}"`).exec(page.text);
      return shown && (shown[1] !== "select" || page.text.includes(`value="${value}"`));
    }),
  );

/** A recipient who types and presses buttons, and the values that the pages must keep. */
async function visit(path: string) {
  let page = await worker.fetch(`${path}?step=address`);
  const expected: Values = { ...fieldsOf(page) };
  /** The chosen variation of each product. */
  const chosen = new Map<string, string>();

  function expectKept(country: string | undefined) {
    const kept = fieldsOf(page);
    const { state = "", postcode_zipcode = "" } = kept;
    // The region of another country is not kept.
    if (expected["country"] !== country) Object.assign(expected, { state, postcode_zipcode });
    for (const name of FIELDS) {
      const isSelect = page.text.includes(`<select id="${name}"`);
      const isListed = page.text.includes(`<option value="${expected[name] ?? ""}"`);
      if (isSelect && !isListed) expected[name] = "";
      else expect([name, kept[name]]).toEqual([name, expected[name]]);
    }
    const variation = chosen.get(productIn(page) ?? "");
    // Pages without the product's variations keep them in one hidden field.
    const others = (kept["other_variation_ids"] ?? "").split(" ");
    if (variation !== undefined) {
      expect(kept["variation_id"] ? [kept["variation_id"]] : others).toContain(variation);
    }
  }

  return async function move(button: number, radio: number, edit: Values) {
    const all = buttonsOf(page).filter((tag) => !changesGift(tag));
    // One move in eight may change the language.
    const buttons = button % 8 === 0 ? all : all.filter((tag) => !tag.includes(" lang="));
    const typed = shownIn(page, edit);
    const country = expected["country"];
    Object.assign(expected, typed);
    const radios = [...page.text.matchAll(/<input type="radio"[^>]*value="(\d+)"/g)];
    if (radios.length > 0) {
      typed["variation_id"] = radios[radio % radios.length]?.[1] ?? "";
      chosen.set(productIn(page) ?? "", typed["variation_id"]);
    }
    const pressed = buttons[button % buttons.length] ?? "";
    page = await pressButton(worker, path, page, pressed, typed);
    expect([200, 422]).toContain(page.status);
    expect(page.meter).toMatchObject({ roundTrips: 1, rowsWritten: 0 });
    expectKept(country);
  };
}

test("the three steps keep everything that was entered, with any sequence of buttons", async () => {
  const products = [
    ...[simpleProduct({ priceMinor: 9000 }), simpleProduct({ delivery: "digital" })],
    ...[simpleProduct({ locations: ["AU", "NZ"] }), variableProduct(), variableProduct()],
  ];
  const { path } = await createGift(worker, products, CHOICE);
  const moves = fc.array(fc.tuple(fc.nat(), fc.nat(), EDIT), { minLength: 4, maxLength: 12 });
  await fc.assert(
    fc.asyncProperty(moves, async (all) => {
      const move = await visit(path);
      // Without an entered value, a button is a link, which keeps nothing.
      for (const [index, [button, radio, edit]] of all.entries()) {
        await move(index === 0 ? 0 : button, radio, edit);
      }
    }),
    { numRuns: runs(12), endOnFailure: true },
  );
});

describe("the three steps", () => {
  test("lead from the gift to the address, the confirmation and the thanks", async () => {
    const product = variableProduct({ name: "Socks" });
    const [small, large] = product.product.variations.map(({ id }) => String(id));
    const order = { ...CHOICE, ...withoutAddress, variation_id: Number(large) };
    const gift = await createGift(worker, [product], order);
    const start = await worker.fetch(gift.path);
    const choice = { variation_id: small ?? "" };
    const address = await press(worker, gift.path, start, { step: "address" }, choice);
    const { country, ...typed } = ADDRESS;
    const confirm = await press(worker, gift.path, address, { step: "confirm" }, typed);
    const pages = [start, address, confirm];
    expect(pages.map(({ status }) => status)).toEqual([200, 200, 200]);
    const { gift: first, address: second, confirm: third } = texts.steps;
    expect(pages.map(currentStep)).toEqual([first, second, third]);
    for (const part of ["Socks", "Size S", "First0 Last0", typed.address_line_1, "Australia"]) {
      expect(textOf(confirm)).toContain(part);
    }
    expect(await readRecipient(worker, gift)).toMatchObject({ redemption_status: null });

    const accepted = await press(worker, gift.path, confirm, { step: "accept" });
    expect(accepted.headers.get("Location")).toBe(gift.path);
    expect(await readRecipient(worker, gift)).toMatchObject({
      redemption_status: "redeemed",
      product_selected: { variation_id: small },
      recipient_details: { delivery_address: { ...typed, country } },
    });
    expect(titleOf(await fetchAccepted(worker, gift.path))).toBe(texts.accepted.thanks);
    expect(titleOf(await worker.fetch(gift.path))).toBe(texts.accepted.title);
  });

  test("require a variation before the address, in a link and in a form", async () => {
    const [offered, socks] = [simpleProduct({ priceMinor: 9000 }), variableProduct()];
    const { path } = await createGift(worker, [offered, socks], CHOICE);
    const id = String(socks.product.id);
    const linked = await worker.fetch(`${path}?step=address&product_id=${id}`);
    const posted = await postForm(worker, path, {
      ...ADDRESS,
      suburb: "Elsewhere",
      step: "address",
      product_id: id,
    });
    for (const page of [linked, posted]) {
      expect([page.status, productIn(page)]).toEqual([422, id]);
      expect(page.text).toContain(texts.gift.choiceMissing);
    }
    expect(fieldsOf(posted)["suburb"]).toBe("Elsewhere");
  });

  test("lead to the sold-out notice in each step, which keeps what was entered", async () => {
    const [offered, gone] = [simpleProduct(), simpleProduct({ name: "Gone" }, { quantity: 0 })];
    const { path } = await createGift(worker, [offered, gone], CHOICE);
    const product_id = String(gone.product.id);
    for (const step of ["address", "confirm", "accept"]) {
      const page = await accept(worker, path, { step, product_id, suburb: "Elsewhere" });
      expect(page.status).toBe(409);
      expect(textOf(page)).toContain(texts.gone.soldOut.replace("{product}", "Gone"));
      expect(fieldsOf(page)).toMatchObject({
        suburb: "Elsewhere",
        product_id: String(offered.product.id),
      });
    }
    const linked = await worker.fetch(`${path}?step=address&product_id=${product_id}`);
    expect(linked.status).toBe(409);
  });
});

describe("a form", () => {
  test("without a known step changes nothing", async () => {
    const gift = await createGift(worker, [simpleProduct()]);
    const before = await readRecipient(worker, gift);
    const typed = { ...ADDRESS, suburb: "Elsewhere" };
    const steps = ["", "thanks", "ACCEPT", " accept", "accept\u0000", "toString"];
    for (const fields of [
      ...[{}, ...steps.map((step) => ({ step }))],
      ...[
        { step: "accept", show: "" },
        { step: "decline", others: "" },
      ],
      { step: "confirm", thanks: "" },
    ]) {
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
    const names = FIELDS.filter((field) => field !== "country");
    const fields = Object.fromEntries(names.map((field) => [field, long]));
    for (const step of ["confirm", "accept"]) {
      const answer = await accept(worker, gift.path, { ...fields, country: "US", step });
      expect(answer.status).toBe(422);
      expect(answer.text.match(/aria-invalid="true"/g)).toHaveLength(10);
      expect(fieldsOf(answer)).toMatchObject(fields);
    }
    expect(await readRecipient(worker, gift)).toMatchObject({ redemption_status: null });
  });

  test("with an invalid id shows the offered gift, on every page", async () => {
    const { product, path } = await createChoice();
    const open = (fields: Record<string, string>) =>
      worker.fetch(`${path}?${new URLSearchParams(fields).toString()}`);
    for (const id of ["0", "-1", "1.5", "abc", "9".repeat(30), "<b>", "1 2", "\u0000"]) {
      expectOffered(await open({ show: id }), product);
      expectOffered(await accept(worker, path, { step: "confirm", product_id: id }), product);
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
  const STEPS = ["gift", "address", "confirm", "question", "accept", "decline", "thank"];

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
    const { path } = await createChoice();
    const fields = FIELDS.map((name) => [name, `${HOSTILE}${name}`]);
    const shown = await openAll(path, STEPS, Object.fromEntries(fields) as Record<string, string>);
    for (const name of FIELDS) expect(shown).toContain(`&#39;&amp;lt;${name}`);
  });

  test.each([
    ...["product_id", "variation_id", "other_variation_ids", "show", "others", "step", "note"],
  ])("in the field %s does not show it", async (name) => {
    const { path } = await createChoice();
    const shown = await openAll(path, ["address", "accept"], { [name]: HOSTILE });
    expect(shown).not.toContain("&lt;script&gt;");
  });
});
