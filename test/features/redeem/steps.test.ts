// The steps of the gift page. Everything that the recipient enters is passed from page to page.
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import texts from "../../../public/languages/en.json";
import { FIELDS } from "../../../src/features/redeem/form.ts";
import { ADDRESS, recipients, simpleProduct, variableProduct } from "../../support/fixtures.ts";
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
    expect(pages.map(currentStep)).toEqual(["Gift", "Delivery", "Confirm"]);
    expect(pages.map(titleOf)).toEqual([
      "First0, a gift for you",
      "Step 2 of 3: Where should it go?",
      "Step 3 of 3: Is everything right?",
    ]);
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

  test("keep everything that was entered, with any sequence of buttons", async () => {
    const offered = simpleProduct({ priceMinor: 9000 });
    const others = [
      simpleProduct({ delivery: "digital" }),
      simpleProduct({ locations: ["AU", "NZ"] }),
      variableProduct(),
      variableProduct(),
    ];
    const { path } = await createGift(worker, [offered, ...others], CHOICE);

    const text = fc.string({ unit: "grapheme", maxLength: 8 }).map((value) => `${value.trim()}.`);
    const edit = fc.record({
      address_line_1: text,
      state: text,
      delivery_notes: text,
      country: fc.constantFrom("AU", "US", "JP", "HK", "NZ"),
      delivery_email: fc.constantFrom("x", "a@example.com"),
    });
    const move = fc.record({ button: fc.nat(), radio: fc.nat(), edit });
    await fc.assert(
      fc.asyncProperty(
        edit,
        fc.array(move, { minLength: 4, maxLength: 12 }),
        async (first, moves) => {
          let page = await worker.fetch(`${path}?step=address`);
          const expected: Record<string, string> = { ...fieldsOf(page) };
          const chosen = new Map<string, string>();
          const enter = (values: Record<string, string>) => {
            // The fields that the page shows. The others are hidden, and a select has the listed values only.
            const visible = Object.entries(values).filter(([name, value]) => {
              const shown = new RegExp(`<(input|select|textarea) id="${name}"`).exec(page.text);
              return shown && (shown[1] !== "select" || page.text.includes(`value="${value}"`));
            });
            const typed = Object.fromEntries(visible);
            Object.assign(expected, typed);
            return typed;
          };
          let country = expected["country"];
          page = await press(worker, path, page, { step: "address" }, enter(first));
          expect(page.status).toBe(200);
          // The region of another country is not kept.
          const enterRegion = (kept: Record<string, string>) => {
            const { state = "", postcode_zipcode = "" } = kept;
            if (expected["country"] !== country)
              Object.assign(expected, { state, postcode_zipcode });
            country = expected["country"];
          };
          enterRegion(fieldsOf(page));
          for (const { button, radio, edit } of moves) {
            const all = buttonsOf(page).filter((tag) => !changesGift(tag));
            // One move in eight may change the language.
            const buttons = button % 8 === 0 ? all : all.filter((tag) => !tag.includes(" lang="));
            const typed: Record<string, string> = enter(edit);
            const radios = [...page.text.matchAll(/<input type="radio"[^>]*value="(\d+)"/g)];
            if (radios.length > 0) {
              typed["variation_id"] = radios[radio % radios.length]?.[1] ?? "";
              chosen.set(productIn(page) ?? "", typed["variation_id"]);
            }
            page = await pressButton(
              worker,
              path,
              page,
              buttons[button % buttons.length] ?? "",
              typed,
            );
            expect([200, 422]).toContain(page.status);
            expect(page.meter).toMatchObject({ roundTrips: 1, rowsWritten: 0 });
            const kept = fieldsOf(page);
            enterRegion(kept);
            for (const name of FIELDS) {
              const isSelect = page.text.includes(`<select id="${name}"`);
              const isListed = page.text.includes(`<option value="${expected[name] ?? ""}"`);
              if (!isSelect || isListed) expect([name, kept[name]]).toEqual([name, expected[name]]);
              else expected[name] = "";
            }
            const variation = chosen.get(productIn(page) ?? "");
            if (variation !== undefined) {
              // Pages without the product's variations keep them in one hidden field.
              const others = (kept["other_variation_ids"] ?? "").split(" ");
              expect(kept["variation_id"] ? [kept["variation_id"]] : others).toContain(variation);
            }
          }
        },
      ),
      { numRuns: runs(12), endOnFailure: true },
    );
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
      expect(textOf(page)).toContain("Gone has just sold out");
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
  test.each<Record<string, string>>([
    {},
    { step: "" },
    { step: "thanks" },
    { step: "ACCEPT" },
    { step: " accept" },
    { step: "accept\u0000" },
    { step: "toString" },
    { step: "accept", show: "" },
    { step: "decline", others: "" },
    { step: "confirm", thanks: "" },
  ])("with %j instead of a step changes nothing", async (fields) => {
    const gift = await createGift(worker, [simpleProduct()]);
    const before = await readRecipient(worker, gift);
    const typed = { ...ADDRESS, suburb: "Elsewhere" };
    const answer = await postForm(worker, gift.path, { ...typed, ...fields });
    expect(answer.status).toBe(200);
    expect(answer.meter).toMatchObject({ roundTrips: 1, rowsWritten: 0 });
    expect(fieldsOf(answer)).toMatchObject(typed);
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

  const INVALID_IDS = ["0", "-1", "1.5", "abc", "9".repeat(30), "<b>", "1 2", "\u0000"];
  test.each(INVALID_IDS)(
    "with the invalid id %j shows the offered gift, on every page",
    async (id) => {
      const product = simpleProduct();
      const { path } = await createGift(worker, [product, simpleProduct()], CHOICE);
      const query = (fields: Record<string, string>) =>
        `?${new URLSearchParams(fields).toString()}`;
      for (const page of [
        await worker.fetch(path + query({ show: id })),
        await worker.fetch(path + query({ step: "address", product_id: id })),
        await worker.fetch(path + query({ step: "address", variation_id: id })),
        await accept(worker, path, { step: "confirm", product_id: id }),
        await accept(worker, path, { step: "confirm", variation_id: id }),
        await accept(worker, path, { step: "accept", product_id: id }),
      ]) {
        expect([200, 409]).toContain(page.status);
        expect(productIn(page)).toBe(String(product.product.id));
        expect(page.text).toContain('role="alert"');
        expect(page.meter.rowsWritten).toBe(0);
      }
      const others = await worker.fetch(path + query({ others: id }));
      expect(others.status).toBe(200);
    },
  );

  const HOSTILE = `"><script>alert(1)</script><img src=x onerror=alert(2)>'&lt;`;
  const NAMES = [
    ...FIELDS,
    ...["product_id", "variation_id", "other_variation_ids", "show", "others", "step", "note"],
  ];
  test.each(NAMES)("with markup in the field %s shows no markup", async (name) => {
    const { path } = await createGift(worker, [simpleProduct(), simpleProduct()], CHOICE);
    const pages = [];
    for (const step of ["gift", "address", "confirm", "question", "accept", "decline", "thank"]) {
      if (name === "step" || step !== "decline") {
        pages.push(await accept(worker, path, { suburb: "", step, [name]: HOSTILE }));
      }
      const fields = new URLSearchParams({ step, [name]: HOSTILE, lang: HOSTILE });
      pages.push(await worker.fetch(`${path}?${fields.toString()}`));
    }
    for (const page of pages) {
      expect(page.status).toBeLessThan(500);
      expect(page.text).not.toMatch(/<script|<img src=x|onerror=alert\(2\)>/);
      expect(page.headers.get("Location") ?? "").not.toMatch(/[<>"']/);
    }
    const isShown = pages.some(({ text }) => text.includes("&lt;script&gt;"));
    expect(isShown).toBe((FIELDS as string[]).includes(name));
  });
});
