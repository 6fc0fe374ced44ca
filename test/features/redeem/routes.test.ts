import { env } from "cloudflare:workers";
import { describe, expect, test } from "vitest";
import texts from "../../../public/languages/en.json";
import {
  ADDRESS,
  recipients,
  simpleProduct,
  stockOf,
  variableProduct,
} from "../../support/fixtures.ts";
import {
  accept,
  CHOICE,
  choose,
  createGift,
  fetchAccepted,
  fieldsOf,
  readRecipient,
  textOf,
  thank,
} from "../../support/gift.ts";
import { type Answer, startWorker } from "../../support/worker.ts";
import { sql } from "../../support/sql.ts";

const worker = startWorker();
const noAddress = () =>
  recipients(1).map((recipient) => ({
    ...recipient,
    delivery_address: undefined,
    redemption_message: "Happy <b>birthday</b>!\nEnjoy.",
  }));

/** The ids of the texts that describe a field of the page. */
const describedBy = ({ text }: Answer, field: string) =>
  new RegExp(`<(?:input|select|textarea) id="${field}"[^>]* aria-describedby="([^"]*)"`).exec(
    text,
  )?.[1];

describe("GET a gift link", () => {
  test("shows the sender, the message and the gift in one round trip, and changes nothing", async () => {
    const product = simpleProduct({ name: "Tea & <Cake>" });
    const gift = await createGift(worker, [product], { recipient_details: noAddress() });
    const before = await readRecipient(worker, gift);
    const page = await worker.fetch(gift.path);
    expect(page.status).toBe(200);
    const company = `Company ${gift.client.clientId}`;
    expect(textOf(page)).toContain(texts.gift.sender.replace("{sender}", company));
    expect(page.text).toContain("Happy &lt;b&gt;birthday&lt;/b&gt;!\nEnjoy.");
    expect(page.text).toContain("Tea &amp; &lt;Cake&gt;");
    expect(page.text).toContain(`${env.PUBLIC_URL}/images/products/product.svg`);
    expect(page.text).toContain("<p>In small numbers.</p>");
    expect(page.meter).toMatchObject({ roundTrips: 1, rowsWritten: 0, kvReads: 0, kvWrites: 0 });
    expect(await readRecipient(worker, gift)).toEqual(before);
  });

  test("answers HEAD as it answers GET, without a body", async () => {
    const gift = await createGift(worker, [simpleProduct()]);
    const head = await worker.fetch(gift.path, { method: "HEAD" });
    expect([head.status, head.text]).toEqual([200, ""]);
  });

  test.each([
    ["New Zealand", "NZ"],
    ["nz", "NZ"],
    [undefined, "AU"],
  ])("selects the country of the address, or the base location: %s, %s", async (country, code) => {
    const [recipient] = recipients(1);
    const { path } = await createGift(worker, [simpleProduct({ locations: [] })], {
      recipient_details: [{ ...recipient, delivery_address: country && { country } }],
    });
    expect(fieldsOf(await worker.fetch(`${path}?step=address`))["country"]).toBe(code);
  });

  test("names a variation of several attributes by all of them", async () => {
    const product = variableProduct();
    for (const [index, variation] of product.product.variations.entries()) {
      variation.options.push({ id: 2, name: "Colour", option: `Navy ${String(index)}` });
    }
    const { path } = await createGift(worker, [product]);
    expect(textOf(await worker.fetch(path))).toContain("Size, Colour S, Navy 0");
  });

  test("shows only the ordered variation if the sender permits no choice", async () => {
    const { path } = await createGift(worker, [variableProduct()]);
    const page = await worker.fetch(path);
    expect(textOf(page)).toMatch(/Size S/);
    expect(page.text).not.toMatch(/type="radio" name="(?!picture)/);
  });

  test("shows the short description of a product that has no other", async () => {
    const product = simpleProduct({ description: "", shortDescription: "In short." });
    const { path } = await createGift(worker, [product]);
    expect((await worker.fetch(path)).text).toContain("<p>In short.</p>");
  });

  test("shows up to three more pictures, each with its number", async () => {
    const imagesOf = async (count: number) => {
      const additionalImages = Array.from({ length: count }, (_, n) => `/images/${String(n)}.svg`);
      const product = simpleProduct({ name: "Tea", additionalImages });
      const { text } = await worker.fetch((await createGift(worker, [product])).path);
      const [, attributes = "", gallery = ""] =
        /<ul class="gallery"([^>]*)>(.*?)<\/ul>/s.exec(text) ?? [];
      const images = [...gallery.matchAll(/<img[^>]*>/g)].map(([tag]) => tag);
      return {
        attributes,
        images: images.map((tag) => tag.replace(` width="800" height="800"`, "")),
      };
    };
    const image = (name: string, alt: string, more = "") =>
      `<img src="${env.PUBLIC_URL}/images/${name}.svg" alt="${alt}"${more}/>`;
    const lazy = ' loading="lazy"';
    const first = image("products/product", "Picture of Tea", ' fetchpriority="high"');
    expect(await imagesOf(0)).toEqual({ attributes: ' aria-label="Pictures"', images: [first] });
    expect(await imagesOf(1)).toEqual({
      attributes: ' aria-label="Pictures"',
      images: [first, image("0", "Tea, picture 2", lazy)],
    });
    expect((await imagesOf(4)).images).toEqual([
      first,
      ...[0, 1, 2].map((n) => image(String(n), `Tea, picture ${String(n + 2)}`, lazy)),
    ]);
  });
});

describe("the text direction of every name and text is isolated", () => {
  /** A gift with Hebrew texts that end with a character without a direction. */
  async function createHebrew() {
    const product = simpleProduct({ name: "ספר (כרך א')" });
    product.product.vendor.name = "הוצאה!";
    const other = simpleProduct({ name: "כוס!", shortDescription: "קטנה." });
    const recipient_details = noAddress().map((each) => ({ ...each, first_name: "נועה!" }));
    const order = { ...CHOICE, recipient_details };
    return createGift(worker, [product, other], order, { name: "חברה בע''מ" });
  }
  const expectAll = ({ text }: Answer, ...parts: (string | RegExp)[]) => {
    for (const html of parts) expect(text).toMatch(html);
  };
  const typed = { delivery_notes: "בבקשה לצלצל!" };

  test("on the page of the gift and in the form", async () => {
    const { path } = await createHebrew();
    expectAll(
      await worker.fetch(path),
      "<h1><bdi>נועה!</bdi>,",
      "<bdi>חברה בע&#39;&#39;מ</bdi>",
      '<p lang="" dir="auto">Happy &lt;b&gt;',
      '<h2 id="gift-name" lang="" dir="auto">ספר (כרך א&#39;)</h2>',
      ...["<bdi>הוצאה!</bdi>", '<div class="prose" lang="" dir="auto">'],
      '<h3 class="name" lang="" dir="auto">כוס!</h3>',
      '<span class="short" lang="" dir="auto">קטנה.</span>',
    );
    expectAll(
      await worker.fetch(`${path}?step=address`),
      '<p class="name" lang="" dir="auto">ספר (כרך א&#39;)</p>',
      ...[/name="suburb" dir="auto"/, /name="delivery_notes" [^>]*dir="auto"/],
    );
  });

  test("on the page of the accepted gift", async () => {
    const { path } = await createHebrew();
    await accept(worker, path, typed);
    await thank(worker, path, "תודה!");
    expectAll(
      await worker.fetch(path),
      '<h2 lang="" dir="auto">ספר (כרך א&#39;)</h2>',
      "<bdi>חברה בע&#39;&#39;מ</bdi></a>.",
      '<p dir="auto">ב••••</p>',
      '<p class="prose" lang="" dir="auto">תודה!</p>',
    );
  });
});

describe("POST a gift link", () => {
  test("redeems with the address and the notes, in two round trips, and GET /api/order shows it", async () => {
    const nowMs = Date.now();
    const worker = startWorker({ now: () => nowMs });
    const product = simpleProduct();
    const gift = await createGift(worker, [product], { recipient_details: noAddress() });
    const before = await worker.get(gift.client, `/api/order?order_id=${String(gift.orderId)}`);
    const answer = await accept(worker, gift.path, { delivery_notes: "Ring twice.\r\nBlue door." });
    expect(answer.status).toBe(303);
    expect(answer.headers.get("Location")).toBe(gift.path);
    expect(answer.meter.roundTrips).toBe(2);
    const after = await worker.get(gift.client, `/api/order?order_id=${String(gift.orderId)}`);
    expect(after.json.recipients[0]).toMatchObject({
      redemption_status: "redeemed",
      product_selected: { product_id: String(product.product.id), variation_id: null },
      recipient_details: { delivery_address: ADDRESS, delivery_notes: "Ring twice.\nBlue door." },
    });
    expect(after.json.product_offered).toEqual(before.json.product_offered);
    expect(after.json.order_totals).toEqual(before.json.order_totals);
    expect(await stockOf(product.product.id)).toBe(99);
    const redeemedAt = "SELECT redeemed_at_ms AS ms FROM gifts WHERE order_id = ?";
    expect(await sql(redeemedAt, gift.orderId).first("ms")).toBe(nowMs);

    const thanks = await fetchAccepted(worker, gift.path);
    expect(thanks.text).toContain(texts.accepted.thanks);
    expect(thanks.text).toContain("Brunswick VIC");
  });

  test("accepts notes of 500 characters, and no notes", async () => {
    for (const [typed, kept] of [
      ["x".repeat(500), "x".repeat(500)],
      ["  ", null],
    ] as const) {
      const gift = await createGift(worker, [simpleProduct()]);
      expect((await accept(worker, gift.path, { delivery_notes: typed })).status).toBe(303);
      const { recipient_details } = await readRecipient(worker, gift);
      expect(recipient_details.delivery_notes).toBe(kept);
    }
  });
});

describe("the form of the address", () => {
  test("reports every missing part of the address at its field, and keeps the entered values", async () => {
    const gift = await createGift(worker, [simpleProduct()]);
    const answer = await accept(worker, gift.path, {
      address_line_1: " ",
      suburb: "",
      state: 'Some "State"',
      postcode_zipcode: "",
      country: "",
    });
    expect(answer.status).toBe(422);
    const [start = ""] = texts.problems.pageTitle.split("{");
    expect(answer.text).toContain(`<title>${start}`);
    for (const field of ["address_line_1", "suburb", "country"]) {
      expect(answer.text).toContain(`<a href="#${field}">`);
      expect(answer.text).toContain(`<p id="${field}-problem" class="fault">`);
      expect(describedBy(answer, field)).toBe(`${field}-problem`);
    }
    expect(describedBy(answer, "state")).toBeUndefined();
    expect(fieldsOf(answer)).toMatchObject({ state: 'Some "State"', country: "" });
    expect(answer.text).not.toContain('id="state-problem"');
    expect(await readRecipient(worker, gift)).toMatchObject({ redemption_status: null });
  });
});

describe("the fields of the address", () => {
  test("have a label, and for browsers an autofill token and a maximum length", async () => {
    const { path } = await createGift(worker, [simpleProduct()]);
    const { text } = await worker.fetch(`${path}?step=address`);
    for (const [field, label, attributes, token, max] of [
      ["address_line_1", "Street address", 'required=""', "address-line1", 200],
      ["address_line_2", "Apartment, unit or floor (optional)", "", "address-line2", 200],
      ["suburb", "Suburb", 'required=""', "address-level2", 100],
      ["postcode_zipcode", "Postcode", 'required="" inputmode="numeric"', "postal-code", 20],
    ] as const) {
      expect(text).toContain(
        `<div class="field ${field}"><label for="${field}">${label}</label>` +
          `<input id="${field}" name="${field}" dir="auto" maxlength="${String(max)}" type="text" ` +
          `value="" autocomplete="shipping ${token}"` +
          `${attributes && ` ${attributes}`}/></div>`,
      );
    }
    expect(text).toContain(
      '<label for="state">State</label><select id="state" name="state" ' +
        'autocomplete="shipping address-level1" required="">',
    );
    expect(text).toContain(
      '<label for="country">Country</label><div class="country-row">' +
        '<select id="country" name="country" autocomplete="shipping country" required="">',
    );
    expect(text).toContain('<label for="delivery_notes">Delivery notes (optional)</label>');
    expect(text).toMatch(
      /<textarea id="delivery_notes" name="delivery_notes" [^>]*maxlength="500"/,
    );
  });

  test("for delivery notes are described by their hint, and by their problem", async () => {
    const { path } = await createGift(worker, [simpleProduct()]);
    const page = await worker.fetch(`${path}?step=address`);
    expect(page.text).toContain('id="delivery_notes-hint"');
    expect(describedBy(page, "delivery_notes")).toBe("delivery_notes-hint");
    expect(describedBy(page, "suburb")).toBeUndefined();
    const refused = await accept(worker, path, { delivery_notes: "x".repeat(501) });
    expect(describedBy(refused, "delivery_notes")).toBe(
      "delivery_notes-hint delivery_notes-problem",
    );
  });
});

test("simultaneous submissions accept the gift once, and show the others that the gift is redeemed", async () => {
  const [offered, other] = [simpleProduct(), simpleProduct()];
  const gift = await createGift(worker, [offered, other], CHOICE);
  const answers = await Promise.all(
    Array.from({ length: 5 }, (_, n) =>
      accept(worker, gift.path, { ...choose(other), delivery_notes: `note ${String(n)}` }),
    ),
  );
  const winner = answers.findIndex(({ status }) => status === 303);
  expect(answers.map(({ status }) => status).sort()).toEqual([303, ...Array<number>(4).fill(409)]);
  const { recipient_details } = await readRecipient(worker, gift);
  expect(recipient_details.delivery_notes).toBe(`note ${String(winner)}`);
  for (const answer of answers.filter(({ status }) => status === 409)) {
    expect(answer.text).toContain(texts.accepted.text);
    expect(textOf(answer)).not.toMatch(/note \d/);
  }
  expect([await stockOf(offered.product.id), await stockOf(other.product.id)]).toEqual([100, 99]);
});
