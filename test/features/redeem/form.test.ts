// The values that a recipient enters are kept on all pages of the gift, and are never part of a URL.
import { describe, expect, test } from "vitest";
import {
  buttonsOf,
  CHOICE,
  createGift,
  fieldsOf,
  postForm,
  press,
  readRecipient,
  switchLanguage,
} from "../../support/gift.ts";
import { recipients, simpleProduct, variableProduct } from "../../support/fixtures.ts";
import { type Answer, startWorker } from "../../support/worker.ts";

const worker = startWorker();

/** The address form of the United States has all fields. */
const TYPED = {
  address_line_1: "7 Typed Street",
  address_line_2: "Floor <2>",
  suburb: 'Typed "Town"',
  state: "CA",
  postcode_zipcode: "94103",
  country: "US",
  delivery_notes: "Ring twice.\nBlue door & gate.",
};

function expectNothingTypedInUrls(page: Answer): void {
  const urls = [...page.text.matchAll(/ (?:href|action|formaction)="([^"]*)"/g)].map(
    ([, url]) => url,
  );
  expect(urls.join(" ")).not.toMatch(/typed|blue door/i);
  expect(page.headers.get("Location") ?? "").not.toMatch(/typed|blue door/i);
}

describe("entered values", () => {
  test("are kept on the pages of another gift, of all gifts, and back", async () => {
    const gift = simpleProduct({ name: "Offered" });
    const others = Array.from({ length: 30 }, () => simpleProduct());
    const giftOrder = await createGift(worker, [gift, ...others], CHOICE);
    const path = giftOrder.path;
    const last = String(others[0]?.product.id);

    const another = { show: String(others[29]?.product.id) };
    const first = await press(worker, path, await worker.fetch(path), another);
    const address = await press(worker, path, first, { step: "address" });
    const typed = await press(worker, path, address, another, TYPED);
    const asked = await press(worker, path, typed, { step: "question" });
    const german = await switchLanguage(worker, path, asked, "de");
    const returned = await press(worker, path, german, another);
    const all = await press(worker, path, returned, { others: "" });
    const secondPageAfter = /name="others" value="(\d+)"/.exec(all.text)?.[1] ?? "";
    const more = await press(worker, path, all, { others: secondPageAfter });
    const start = await press(worker, path, more, { others: "" });
    const chosen = await press(worker, path, more, { show: last });
    const back = await press(worker, path, start, { show: "" });
    const addressAgain = await press(worker, path, chosen, { step: "address" });
    const confirm = await press(worker, path, addressAgain, { step: "confirm" });
    for (const page of [
      ...[typed, asked, german, returned, all, more, start],
      ...[chosen, back, addressAgain, confirm],
    ]) {
      expect(page.status).toBe(200);
      expect(fieldsOf(page)).toMatchObject(TYPED);
      expect(page.meter).toMatchObject({ roundTrips: 1, rowsWritten: 0 });
      expectNothingTypedInUrls(page);
    }
    const products = [chosen, back].map((page) => fieldsOf(page)["product_id"]);
    expect(products).toEqual([last, String(gift.product.id)]);

    expectNothingTypedInUrls(await press(worker, path, confirm, { step: "accept" }));
    const { recipient_details } = await readRecipient(worker, giftOrder);
    const { delivery_notes, ...delivery_address } = TYPED;
    expect(recipient_details).toMatchObject({ delivery_notes, delivery_address });
  });

  test("are kept on the pages of a digital gift, whose form has no address", async () => {
    const [gift, card] = [simpleProduct(), simpleProduct({ delivery: "digital" })];
    const { path } = await createGift(worker, [gift, card], CHOICE);
    const physical = await worker.fetch(`${path}?step=address`);
    const offered = { show: String(gift.product.id) };
    const back = await press(worker, path, physical, offered, TYPED);
    const digital = await press(worker, path, back, { show: String(card.product.id) });
    const email = await press(worker, path, digital, { step: "address" });
    const confirm = await press(worker, path, email, { step: "confirm" });
    const start = await press(worker, path, digital, { show: "" });
    const address = await press(worker, path, start, { step: "address" });
    for (const page of [digital, email, confirm, address]) {
      expect(page.status).toBe(200);
      expect(fieldsOf(page)).toMatchObject(TYPED);
      expect(page.text.includes('<input id="suburb"')).toBe(page === address);
    }
  });

  test("for variations are kept for each gift, with the latest choice", async () => {
    const offered = simpleProduct({ priceMinor: 9000 });
    const [socks, mugs] = [variableProduct(), variableProduct()];
    const { path } = await createGift(worker, [offered, socks, mugs], CHOICE);
    const [small = "", large = ""] = socks.product.variations.map(({ id }) => String(id));
    const mug = String(mugs.product.variations[0]?.id);
    const show = ({ product }: typeof socks) => ({ show: String(product.id) });
    const choose = (page: Answer, variation_id: string, next: Record<string, string>) =>
      postForm(worker, path, { ...fieldsOf(page), variation_id, ...next });

    const page = await postForm(worker, path, { ...TYPED, ...show(socks) });
    const first = await choose(page, large, show(mugs));
    expect(fieldsOf(first)["variation_id"]).toBeUndefined();
    const second = await choose(first, mug, show(socks));
    expect(fieldsOf(second)["variation_id"]).toBe(large);
    const third = await choose(second, small, { others: "" });
    expect(fieldsOf(await press(worker, path, third, show(mugs)))["variation_id"]).toBe(mug);
    expect(fieldsOf(await press(worker, path, third, show(socks)))["variation_id"]).toBe(small);
  });

  test("for variations are limited in number, and invalid ids are dropped", async () => {
    const { path } = await createGift(worker, [simpleProduct(), simpleProduct()], CHOICE);
    const ids = ["x", "-1", "0", "1e3", ...Array.from({ length: 80 }, (_, n) => String(n + 1))];
    const page = await postForm(worker, path, { others: "", other_variation_ids: ids.join(" ") });
    expect(fieldsOf(page)["other_variation_ids"]).toBe(ids.slice(4, 50).join(" "));
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
    expect(all.text).toContain(`href="?show=${show}#shown"`);
    expect(all.text).toMatch(/href="\?others=\d+"/);
    expect(decline.text).toContain('href="?#shown"');
    const address = await press(worker, path, first, { step: "address" });
    expect(fieldsOf(address)).toMatchObject({ variation_id: variation, suburb: "Brunswick" });
  });

  test("a form is answered with a redirect to the URL of its page", async () => {
    const [gift, other] = [simpleProduct(), simpleProduct()];
    const { path } = await createGift(worker, [gift, other], CHOICE);
    const id = String(gift.product.id);
    const show = String(other.product.id);
    const fields = fieldsOf(await worker.fetch(`${path}?step=address`));
    for (const [button, query] of [
      [{ show }, `?show=${show}`],
      [{ show: "" }, "?"],
      [{ others: "" }, "?others="],
      [{ others: show }, `?others=${show}`],
      [{ step: "gift" }, `?show=${id}`],
      [{ step: "address" }, `?step=address&product_id=${id}`],
      [{ step: "address", product_id: show }, `?step=address&product_id=${show}`],
      [{}, `?show=${id}`],
    ] as const) {
      const answer = await postForm(worker, path, { ...fields, ...button });
      expect([answer.status, answer.headers.get("Location")]).toEqual([303, path + query]);
      expect(answer.headers.get("Cache-Control")).toBe("no-store");
      expect(answer.meter).toMatchObject({ roundTrips: 1, rowsWritten: 0 });
    }
    const confirm = await postForm(worker, path, { ...fields, step: "confirm" });
    expect(confirm.status).toBe(200);
  });

  test("a change of any field counts as entered", async () => {
    const { path } = await createGift(worker, [simpleProduct(), simpleProduct()], CHOICE);
    const fields = fieldsOf(await worker.fetch(`${path}?step=address`));
    const isKept = async (typed: Record<string, string>) =>
      (await postForm(worker, path, { ...fields, ...typed, show: "" })).status === 200;
    expect(await isKept({})).toBe(false);
    for (const typed of [
      ...[{ delivery_notes: "x" }, { state: "" }, { address_line_1: "14 Plane Tree Lane, rear" }],
      ...[{ country: "NZ" }, { delivery_email: "x" }, { variation_id: "7" }],
      { other_variation_ids: "7" },
    ]) {
      expect([typed, await isKept(typed)]).toEqual([typed, true]);
    }
  });

  test("different spaces and line ends in the sender's values do not count as a change", async () => {
    const [recipient] = recipients(1);
    const { path } = await createGift(worker, [simpleProduct()], {
      recipient_details: [
        {
          ...recipient,
          delivery_address: { ...recipient?.delivery_address, suburb: " Brunswick " },
        },
      ],
    });
    const fields = fieldsOf(await worker.fetch(`${path}?step=address`));
    const spaced = { ...fields, suburb: "Brunswick  ", delivery_notes: "\r\n", show: "" };
    expect((await postForm(worker, path, spaced)).status).toBe(303);
  });

  test("the forms of a digital gift have no visible address", async () => {
    const digital = simpleProduct({ delivery: "digital" });
    const { path } = await createGift(worker, [digital]);
    expect(Object.keys(fieldsOf(await worker.fetch(path)))).toEqual(["product_id"]);
    const { text } = await worker.fetch(`${path}?step=address`);
    const visible = [...text.matchAll(/<(?:input|select|textarea)\b[^>]* id="([^"]*)"/g)];
    expect(visible.map(([, id]) => id)).toEqual(["first_name", "last_name", "delivery_email"]);
  });
});

describe("the page of a gift", () => {
  test("has the main button before all others, since Enter presses the first", async () => {
    const [gift, other, third] = [simpleProduct(), simpleProduct(), simpleProduct()];
    const { path } = await createGift(worker, [gift, other, third], CHOICE);
    const show = String(other.product.id);
    for (const page of [
      await worker.fetch(path),
      await worker.fetch(`${path}?show=${show}`),
      await postForm(worker, path, { ...TYPED, show }),
      await postForm(worker, path, { ...TYPED, product_id: "1", step: "address" }),
    ]) {
      const [main, ...buttons] = buttonsOf(page);
      expect(main).toBe('<button class="primary" form="input" name="step" value="address">');
      for (const button of buttons) expect(button).toContain('form="input"');
    }
  });

  test("opens at the gift's name, or at the notice if there is one", async () => {
    const [gift, other] = [simpleProduct(), simpleProduct({ name: "Other" })];
    const { path } = await createGift(worker, [gift, other], CHOICE);
    const show = String(other.product.id);
    const swapped = await postForm(worker, path, { ...TYPED, show });
    const unknown = await postForm(worker, path, { ...TYPED, show: "abc" });
    expect(swapped.text).toMatch(
      /<hgroup id="shown" tabindex="-1"><p class="eyebrow">Another choice<.*Other.*<\/hgroup>/s,
    );
    expect(unknown.text).toMatch(/<div id="shown" class="notice" role="alert" tabindex="-1"/);
    for (const page of [swapped, unknown]) {
      expect(page.text.match(/id="shown"/g)).toHaveLength(1);
      const gifts = buttonsOf(page).filter((tag) => / name="show"(?!.* lang=)/.test(tag));
      expect(gifts.length).toBeGreaterThan(0);
      for (const button of gifts.filter((tag) => !tag.includes(" lang="))) {
        expect(button).toContain('formaction="?#shown"');
      }
    }
  });
});
