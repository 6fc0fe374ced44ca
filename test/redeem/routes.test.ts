import { env } from "cloudflare:workers";
import { describe, expect, test } from "vitest";
import {
  ADDRESS,
  recipients,
  simpleProduct,
  stockOf,
  variableProduct,
} from "../support/fixtures.ts";
import { accept, createGift, readRecipient, textOf } from "../support/gift.ts";
import { startWorker } from "../support/worker.ts";

const noAddress = () =>
  recipients(1).map((recipient) => ({
    ...recipient,
    delivery_address: undefined,
    redemption_message: "Happy <b>birthday</b>!\nEnjoy.",
  }));

describe("GET a gift link", () => {
  test("shows the sender, the message and the gift in one round trip, and changes nothing", async () => {
    const worker = startWorker();
    const product = simpleProduct({ name: "Tea & <Cake>" });
    const gift = await createGift(worker, [product], { recipient_details: noAddress() });
    const before = await readRecipient(worker, gift);
    const page = await worker.fetch(gift.path);
    expect(page.status).toBe(200);
    expect(textOf(page)).toContain(`Company ${gift.client.clientId} has sent you a gift.`);
    expect(page.text).toContain("Happy &lt;b&gt;birthday&lt;/b&gt;!\nEnjoy.");
    expect(page.text).toContain("Tea &amp; &lt;Cake&gt;");
    expect(page.text).toContain(`${env.PUBLIC_URL}/images/products/product.svg`);
    expect(page.text).toContain("<p>In small numbers.</p>");
    expect(page.meter).toMatchObject({ roundTrips: 1, rowsWritten: 0, kvReads: 0, kvWrites: 0 });
    expect(await readRecipient(worker, gift)).toEqual(before);
  });

  test("answers HEAD as it answers GET, without a body", async () => {
    const worker = startWorker();
    const gift = await createGift(worker, [simpleProduct()]);
    const head = await worker.fetch(gift.path, { method: "HEAD" });
    expect([head.status, head.text]).toEqual([200, ""]);
  });

  test("fills in the sender's address", async () => {
    const worker = startWorker();
    const { path } = await createGift(worker, [simpleProduct()]);
    const { text } = await worker.fetch(path);
    for (const value of Object.values(ADDRESS)) expect(text).toContain(`value="${value}"`);
  });

  test("isolates the text direction of every name and text", async () => {
    const worker = startWorker();
    const product = simpleProduct({ name: "ספר (כרך א')" });
    product.product.vendor.name = "הוצאה!";
    const [recipient] = noAddress();
    const { path } = await createGift(
      worker,
      [product, simpleProduct({ name: "כוס!", shortDescription: "קטנה." })],
      { gift_of_choice: "Y", recipient_details: [{ ...recipient, first_name: "נועה!" }] },
      { name: "חברה בע''מ" },
    );
    const { text } = await worker.fetch(path);
    for (const html of [
      "<h1><bdi>נועה!</bdi>, a gift for you</h1>",
      "<bdi>חברה בע&#39;&#39;מ</bdi> has sent you a gift.",
      '<p dir="auto">Happy &lt;b&gt;',
      '<h2 id="gift-name" dir="auto">ספר (כרך א&#39;)</h2>',
      "By <bdi>הוצאה!</bdi>",
      '<div class="prose" dir="auto">',
      '<span class="name" dir="auto">כוס!</span>',
      '<span class="short" dir="auto">קטנה.</span>',
      'name="suburb" dir="auto"',
      'name="delivery_notes" dir="auto"',
    ]) {
      expect(text).toContain(html);
    }
    await accept(worker, path, { delivery_notes: "בבקשה לצלצל!" });
    const redeemed = (await worker.fetch(path)).text;
    for (const html of [
      '<address dir="auto"><span>14 Plane Tree Lane</span><br/>',
      '<p class="prose" dir="auto">בבקשה לצלצל!</p>',
      '<h2 dir="auto">ספר (כרך א&#39;)</h2>',
      "Please ask <bdi>חברה בע&#39;&#39;מ</bdi>.",
    ]) {
      expect(redeemed).toContain(html);
    }
  });

  test("does not ask for an address for a digital gift", async () => {
    const worker = startWorker();
    const { path } = await createGift(worker, [simpleProduct({ delivery: "digital" })]);
    const { text } = await worker.fetch(path);
    expect(text).not.toContain('name="suburb"');
    expect(text).toContain("Delivered to you digitally");
  });

  test("names a variation of several attributes by all of them", async () => {
    const worker = startWorker();
    const product = variableProduct();
    for (const [index, variation] of product.product.variations.entries()) {
      variation.options.push({ id: 2, name: "Colour", option: `Navy ${String(index)}` });
    }
    const { path } = await createGift(worker, [product]);
    expect(textOf(await worker.fetch(path))).toContain("Size, Colour S, Navy 0");
  });

  test("shows only the ordered variation if the sender permits no choice", async () => {
    const worker = startWorker();
    const { path } = await createGift(worker, [variableProduct()]);
    const page = await worker.fetch(path);
    expect(textOf(page)).toMatch(/Size S/);
    expect(page.text).not.toContain('type="radio"');
  });

  test("has the company's branding if the order has it", async () => {
    const worker = startWorker();
    const branding = {
      logo: "https://brand.example/logo.svg",
      claimLogo: "https://brand.example/claim.svg",
      primaryColor: "#123456",
      secondaryColor: "#eef4ff",
    };
    const { path } = await createGift(
      worker,
      [simpleProduct()],
      { order_branding: "company" },
      { branding },
    );
    const { text, headers } = await worker.fetch(path);
    expect(text).toContain('src="https://brand.example/logo.svg"');
    expect(text).toContain("--brand:#123456");
    expect(headers.get("Content-Security-Policy")).toContain("https://brand.example");
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
    expect(answer.headers.get("Location")).toBe(`${gift.path}?thanks`);
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
    const redeemedAt = "SELECT redeemed_at_ms AS ms FROM sub_orders WHERE order_id = ?";
    expect(await env.DB.prepare(redeemedAt).bind(gift.orderId).first("ms")).toBe(nowMs);

    const thanks = await worker.fetch(`${gift.path}?thanks`);
    expect(thanks.text).toContain("It’s yours!");
    expect(thanks.text).toContain("14 Plane Tree Lane");
    expect(thanks.text).toContain("Blue door.");
  });

  test("accepts notes of 500 characters, and no notes", async () => {
    const worker = startWorker();
    for (const [typed, kept] of [
      ["x".repeat(500), "x".repeat(500)],
      ["  ", null],
    ] as const) {
      const gift = await createGift(worker, [simpleProduct()]);
      expect((await accept(worker, gift.path, { delivery_notes: typed })).status).toBe(303);
      const { recipient_details } = await readRecipient(worker, gift);
      expect(recipient_details.delivery_notes).toBe(kept);
      expect((await worker.fetch(gift.path)).text.includes("Delivery notes")).toBe(kept !== null);
    }
  });

  test("redeems a digital gift without an address, and keeps the sender's address", async () => {
    const worker = startWorker();
    const gift = await createGift(worker, [simpleProduct({ delivery: "digital" })]);
    const answer = await accept(worker, gift.path, { address_line_1: "", suburb: "Elsewhere" });
    expect(answer.status).toBe(303);
    const { recipient_details } = await readRecipient(worker, gift);
    expect(recipient_details.delivery_address).toEqual(ADDRESS);
  });

  test("reports every missing part of the address at its field, and keeps the entered values", async () => {
    const worker = startWorker();
    const gift = await createGift(worker, [simpleProduct()]);
    const answer = await accept(worker, gift.path, {
      address_line_1: " ",
      suburb: "",
      state: 'Some "State"',
      postcode_zipcode: "",
      country: "",
    });
    expect(answer.status).toBe(422);
    for (const field of ["address_line_1", "suburb", "postcode_zipcode", "country"]) {
      expect(answer.text).toContain(`href="#${field}"`);
      expect(answer.text).toContain(`id="${field}-fault"`);
    }
    expect(answer.text).toContain('value="Some &quot;State&quot;"');
    expect(answer.text).not.toContain('id="state-fault"');
    expect(await readRecipient(worker, gift)).toMatchObject({ redemption_status: null });
  });

  test.each(["HK", "Hong Kong", "united arab emirates", "Côte d’Ivoire", "The Gambia"])(
    "requires no postcode in %s",
    async (country) => {
      const worker = startWorker();
      const gift = await createGift(worker, [simpleProduct()]);
      const answer = await accept(worker, gift.path, { country, postcode_zipcode: "" });
      expect(answer.status).toBe(303);
      const { recipient_details } = await readRecipient(worker, gift);
      expect(recipient_details.delivery_address).toMatchObject({ country, postcode_zipcode: null });
    },
  );

  test("keeps a postcode that is entered for a country without postcodes", async () => {
    const worker = startWorker();
    const gift = await createGift(worker, [simpleProduct()]);
    await accept(worker, gift.path, { country: "HK", postcode_zipcode: "999077" });
    const { recipient_details } = await readRecipient(worker, gift);
    expect(recipient_details.delivery_address).toMatchObject({ postcode_zipcode: "999077" });
  });

  test.each(["AU", "Germany", "Hong", "HKG", "Atlantis"])(
    "requires a postcode in %s",
    async (country) => {
      const worker = startWorker();
      const gift = await createGift(worker, [simpleProduct()]);
      const answer = await accept(worker, gift.path, { country, postcode_zipcode: "" });
      expect(answer.status).toBe(422);
      expect(answer.text).toContain('id="postcode_zipcode-fault"');
    },
  );

  test.each([
    ["address_line_2", "x".repeat(201)],
    ["country", "A\u0007U"],
    ["delivery_notes", "x".repeat(501)],
  ])("refuses a %s that is invalid in an order's address", async (field, value) => {
    const worker = startWorker();
    const gift = await createGift(worker, [simpleProduct()]);
    const answer = await accept(worker, gift.path, { [field]: value });
    expect(answer.status).toBe(422);
    expect(answer.text.match(/aria-invalid/g)).toHaveLength(1);
    expect(answer.text).toContain(`id="${field}-fault"`);
  });

  test("accepts one of 10 simultaneous submissions, and shows the others that the gift is redeemed", async () => {
    const worker = startWorker();
    const gift = await createGift(worker, [simpleProduct()]);
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, n) =>
        accept(worker, gift.path, { delivery_notes: `note ${String(n)}` }),
      ),
    );
    const winner = answers.findIndex(({ status }) => status === 303);
    expect(answers.map(({ status }) => status).sort()).toEqual([
      303,
      ...Array<number>(9).fill(409),
    ]);
    const { recipient_details } = await readRecipient(worker, gift);
    expect(recipient_details.delivery_notes).toBe(`note ${String(winner)}`);
    for (const answer of answers.filter(({ status }) => status === 409)) {
      expect(answer.text).toContain("This gift has been accepted");
      expect(answer.text).toContain(`note ${String(winner)}`);
    }
  });

  test("redeems each recipient's gift separately", async () => {
    const worker = startWorker();
    const gift = await createGift(worker, [simpleProduct()], { recipient_details: recipients(2) });
    expect((await accept(worker, gift.paths[1] ?? "")).status).toBe(303);
    const { json } = await worker.get(gift.client, `/api/order?order_id=${String(gift.orderId)}`);
    expect(json.recipients.map((r: { redemption_status: unknown }) => r.redemption_status)).toEqual(
      [null, "redeemed"],
    );
    expect((await worker.fetch(gift.path)).text).toContain("Accept this gift");
  });
});
