// The values that a recipient enters are kept on all pages of gifts, and are never part of a URL.
import { describe, expect, test } from "vitest";
import { fieldsOf, createGift, press, readRecipient } from "../support/gift.ts";
import { recipients, simpleProduct, variableProduct } from "../support/fixtures.ts";
import { type Answer, startWorker, type TestWorker } from "../support/worker.ts";

const TYPED = {
  address_line_1: "7 Typed Street",
  address_line_2: "Floor <2>",
  suburb: 'Typed "Town"',
  state: "Typed State",
  postcode_zipcode: "T1",
  country: "Typed Country",
  delivery_notes: "Ring twice.\nBlue door & gate.",
};

const CHOICE = { gift_of_choice: "Y" };

const post = (worker: TestWorker, path: string, fields: Record<string, string>) =>
  worker.fetch(path, {
    method: "POST",
    redirect: "manual",
    body: new URLSearchParams(fields),
  });

/** The submit buttons of the page's form, in the document's order. The first one is the default button. */
const buttonsOf = ({ text }: Answer) => [...text.matchAll(/<button\b[^>]*>/g)].map(([tag]) => tag);

function expectNothingTypedInUrls(page: Answer): void {
  const urls = [...page.text.matchAll(/ (?:href|action|formaction)="([^"]*)"/g)].map(
    ([, url]) => url,
  );
  expect(urls.join(" ")).not.toMatch(/typed/i);
  expect(page.headers.get("Location") ?? "").not.toMatch(/typed/i);
}

describe("entered values", () => {
  test("are kept on the pages of another gift, of all gifts, and back", async () => {
    const worker = startWorker();
    const gift = simpleProduct({ name: "Offered" });
    const others = Array.from({ length: 30 }, () => simpleProduct());
    const giftOrder = await createGift(worker, [gift, ...others], CHOICE);
    const { path } = giftOrder;
    const last = String(others[0]?.product.id);

    const first = await worker.fetch(path);
    const another = await post(worker, path, {
      ...fieldsOf(first),
      ...TYPED,
      show: String(others[29]?.product.id),
    });
    const all = await press(worker, path, another, { gifts: "" });
    const secondPageAfter = /name="gifts" value="(\d+)"/.exec(all.text)?.[1] ?? "";
    const more = await press(worker, path, all, { gifts: secondPageAfter });
    const start = await press(worker, path, more, { gifts: "" });
    const chosen = await press(worker, path, more, { show: last });
    const back = await press(worker, path, start, { show: "" });
    for (const page of [another, all, more, start, chosen, back]) {
      expect(page.status).toBe(200);
      expect(fieldsOf(page)).toMatchObject(TYPED);
      expect(page.meter).toMatchObject({ roundTrips: 1, rowsWritten: 0 });
      expectNothingTypedInUrls(page);
    }
    expect(fieldsOf(chosen)["product_id"]).toBe(last);
    expect(fieldsOf(back)["product_id"]).toBe(String(gift.product.id));
    expect(await readRecipient(worker, giftOrder)).toMatchObject({ redemption_status: null });

    const accepted = await post(worker, path, fieldsOf(chosen));
    expect(accepted.status).toBe(303);
    expectNothingTypedInUrls(accepted);
    const { recipient_details } = await readRecipient(worker, giftOrder);
    const { delivery_notes, ...address } = TYPED;
    expect(recipient_details).toMatchObject({ delivery_notes, delivery_address: address });
  });

  test("are kept on the page of a digital gift, which does not ask for them", async () => {
    const worker = startWorker();
    const [gift, card] = [simpleProduct(), simpleProduct({ delivery: "digital", name: "A Card" })];
    const { path } = await createGift(worker, [gift, card], CHOICE);
    const digital = await post(worker, path, { ...TYPED, show: String(card.product.id) });
    expect(digital.text).not.toContain('<input id="suburb"');
    const back = await press(worker, path, digital, { show: "" });
    expect(fieldsOf(back)).toMatchObject(TYPED);
    expect(back.text).toContain('<input id="suburb"');
  });

  test("for variations are kept for each gift, with the latest choice", async () => {
    const worker = startWorker();
    const [gift, socks, mugs] = [
      simpleProduct({ priceMinor: 9000 }),
      variableProduct({ name: "Socks" }),
      variableProduct({ name: "Mugs" }),
    ];
    const { path } = await createGift(worker, [gift, socks, mugs], CHOICE);
    const [large, small] = [1, 0].map((index) => String(socks.product.variations[index]?.id));
    const mug = String(mugs.product.variations[0]?.id);
    const show = ({ product }: typeof socks) => ({ show: String(product.id) });

    const fields = { ...fieldsOf(await worker.fetch(path)), product_id: String(socks.product.id) };
    const first = await post(worker, path, {
      ...fields,
      variation_id: String(large),
      ...show(mugs),
    });
    expect(fieldsOf(first)["variation_id"]).toBeUndefined();
    const second = await post(worker, path, {
      ...fieldsOf(first),
      variation_id: mug,
      ...show(socks),
    });
    expect(fieldsOf(second)["variation_id"]).toBe(large);
    const third = await post(worker, path, {
      ...fieldsOf(second),
      variation_id: String(small),
      gifts: "",
    });
    expect(fieldsOf(await press(worker, path, third, show(mugs)))["variation_id"]).toBe(mug);
    expect(fieldsOf(await press(worker, path, third, show(socks)))["variation_id"]).toBe(small);
  });

  test("for variations are limited in number, and invalid ids are dropped", async () => {
    const worker = startWorker();
    const { path } = await createGift(worker, [simpleProduct(), simpleProduct()], CHOICE);
    const ids = ["x", "-1", "0", "1e3", ...Array.from({ length: 80 }, (_, n) => String(n + 1))];
    const page = await post(worker, path, { gifts: "", other_variation_ids: ids.join(" ") });
    expect(fieldsOf(page)["other_variation_ids"]).toBe(ids.slice(4, 50).join(" "));
  });
});

describe("while the form is empty", () => {
  test("buttons lead to URLs, so that Back and Reload need no confirmation", async () => {
    const worker = startWorker();
    const others = Array.from({ length: 30 }, () => simpleProduct());
    const gift = variableProduct({ name: "Offered" });
    const { path } = await createGift(worker, [gift, ...others], {
      ...CHOICE,
      variation_id: gift.product.variations[1]?.id,
    });
    const page = await worker.fetch(path);
    const show = String(others[29]?.product.id);
    for (const [button, query] of [
      [{ show }, `?gift=${show}#shown`],
      [{ gifts: "" }, "?gifts"],
    ] as const) {
      const answer = await press(worker, path, page, button);
      expect([answer.status, answer.headers.get("Location")]).toEqual([303, path + query]);
      expect(answer.headers.get("Cache-Control")).toBe("no-store");
    }
    const other = await worker.fetch(`${path}?gift=${show}`);
    const back = await press(worker, path, other, { show: "" });
    expect(back.headers.get("Location")).toBe(`${path}?#shown`);

    const all = await worker.fetch(`${path}?gifts`);
    expect(all.text).not.toMatch(/<form|<button|<input/);
    expect(all.text).toContain('href="?#shown"');
    expect(all.text).toContain(`href="?gift=${show}#shown"`);
    expect(all.text).toMatch(/href="\?gifts=\d+"/);
  });

  test.each([
    { delivery_notes: "x" },
    { state: "" },
    { address_line_1: "14 Plane Tree Lane, rear" },
    { variation_id: "7" },
    { other_variation_ids: "7" },
  ])("and %j is entered", async (typed) => {
    const worker = startWorker();
    const { path } = await createGift(worker, [simpleProduct(), simpleProduct()], CHOICE);
    const fields = fieldsOf(await worker.fetch(path));
    expect((await post(worker, path, { ...fields, show: "" })).status).toBe(303);
    expect((await post(worker, path, { ...fields, ...typed, show: "" })).status).toBe(200);
  });

  test("different spaces and line ends in the sender's values do not count as a change", async () => {
    const worker = startWorker();
    const [recipient] = recipients(1);
    const other = simpleProduct();
    const { path } = await createGift(worker, [simpleProduct(), other], {
      ...CHOICE,
      recipient_details: [
        {
          ...recipient,
          delivery_address: { ...recipient?.delivery_address, suburb: " Brunswick " },
        },
      ],
    });
    const show = String(other.product.id);
    const answer = await press(worker, path, await worker.fetch(path), { show });
    expect(answer.status).toBe(303);
  });

  test("the form of a digital gift without a choice has no address", async () => {
    const worker = startWorker();
    const digital = simpleProduct({ delivery: "digital" });
    const { path } = await createGift(worker, [digital]);
    expect(Object.keys(fieldsOf(await worker.fetch(path)))).toEqual(["product_id"]);
  });
});

describe("the page of a gift", () => {
  test("has the accept button before all others, since Enter presses the first", async () => {
    const worker = startWorker();
    const [gift, other, third] = [simpleProduct(), simpleProduct(), simpleProduct()];
    const { path } = await createGift(worker, [gift, other, third], CHOICE);
    const show = String(other.product.id);
    for (const page of [
      await worker.fetch(path),
      await worker.fetch(`${path}?gift=${show}`),
      await post(worker, path, { ...TYPED, show }),
      await post(worker, path, { ...TYPED, product_id: show, suburb: "" }),
    ]) {
      const buttons = buttonsOf(page);
      expect(buttons[0]).toBe('<button class="primary">');
      expect(buttons.length).toBeGreaterThan(1);
      for (const button of buttons.slice(1)) expect(button).toContain('form="accept"');
    }
  });

  test("links back to the offered gift, without a notice", async () => {
    const worker = startWorker();
    const [gift, other] = [simpleProduct(), simpleProduct()];
    const { path } = await createGift(worker, [gift, other], CHOICE);
    const shown = await post(worker, path, { ...TYPED, show: String(other.product.id) });
    expect(shown.text).toContain(
      '<button class="textual" form="accept" name="show" value="" formaction="?#shown">Back to <bdi>',
    );
    const back = await press(worker, path, shown, { show: "" });
    expect(back.status).toBe(200);
    expect(back.text).toContain(
      `<button class="card" form="accept" name="show" value="${String(other.product.id)}" `,
    );
    expect(fieldsOf(back)["product_id"]).toBe(String(gift.product.id));
    expect(back.text).not.toContain('class="notice"');
    expect(back.text).not.toContain('name="show" value=""');
  });

  test("opens at the gift's name, or at the notice if there is one", async () => {
    const worker = startWorker();
    const [gift, other] = [simpleProduct(), simpleProduct({ name: "Other" })];
    const { path } = await createGift(worker, [gift, other], CHOICE);
    const show = String(other.product.id);
    const swapped = await post(worker, path, { ...TYPED, show });
    const unknown = await post(worker, path, { ...TYPED, show: "abc" });
    expect(swapped.text).toMatch(
      /<hgroup id="shown" tabindex="-1"><p class="eyebrow">Another choice<.*Other.*<\/hgroup>/s,
    );
    expect(unknown.text).toMatch(/<div id="shown" class="notice" role="alert" tabindex="-1"/);
    for (const page of [swapped, unknown]) {
      expect(page.text.match(/id="shown"/g)).toHaveLength(1);
      for (const button of buttonsOf(page).filter((tag) => tag.includes('name="show"'))) {
        expect(button).toContain('formaction="?#shown"');
      }
      const gifts = buttonsOf(page).filter((tag) => tag.includes('name="gifts"'));
      for (const button of gifts) expect(button).toContain('formaction="?"');
    }
  });
});
