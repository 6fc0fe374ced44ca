// The recipient's page of products with translations.
import { env } from "cloudflare:workers";
import { describe, expect, test } from "vitest";
import type { Translations } from "../../../src/features/catalogue/product.ts";
import { forgetClient } from "../../../src/features/clients/cache.ts";
import { publish } from "../../../src/operator/catalogue/publish/publish.ts";
import {
  ADDRESS,
  productWithOptions,
  simpleProduct,
  variableProduct,
} from "../../support/fixtures.ts";
import {
  accept,
  CHOICE,
  choose,
  createGift,
  fieldsOf,
  postForm,
  press,
} from "../../support/gift.ts";
import { startWorker } from "../../support/worker.ts";

const worker = startWorker();

const GERMAN = {
  name: "Wollpullover mit Zopfmuster",
  shortDescription: "Von Hand gestrickt.",
  shippingInfo: "<p>Versand in <strong>zwei Tagen</strong>.</p>",
  options: { Size: "Größe", S: "Klein", L: "Groß" },
};

const vendor = {
  name: "Harbour Knits",
  logo: "/images/vendors/vendor.svg",
  bio: "<p>Since 1999.</p>",
  shippingInfo: "<p>Ships soon.</p>",
  returnsInfo: "<p>Keep it.</p>",
};

const jumper = (translations?: Translations) =>
  variableProduct({ name: "Cable jumper", vendor, ...(translations && { translations }) });

/** A gift of a catalogue whose texts are in English. */
async function englishGift(products: Parameters<typeof createGift>[1], changes = {}) {
  const variationId = products[0]?.product.variations[0]?.id;
  const gift = await createGift(worker, products, { variation_id: variationId, ...changes });
  const { catalogue } = gift.client;
  await publish(env.DB, catalogue, products, Date.now(), { settings: { language: "en" } });
  return gift;
}

const read = async (path: string, language: string) =>
  (await worker.fetch(path, { headers: { "Accept-Language": language } })).text;

/** The attribute `lang` of the elements that contain the text. */
const languagesOf = (page: string, text: string) => [
  ...new Set(
    page
      .split(text)
      .slice(0, -1)
      .map((before) => [...before.matchAll(/ lang="([^"]*)"/g)].at(-1)?.[1]),
  ),
];

describe("a German page", () => {
  test("has the translated texts in German, and the others in the catalogue's language", async () => {
    const { path } = await englishGift([jumper({ de: GERMAN, fr: { name: "Pull torsadé" } })]);
    const page = await read(path, "de-AT");
    for (const [text, language] of [
      ['id="gift-name" lang="de" dir="auto">Wollpullover mit Zopfmuster', "de"],
      ["<p>Versand in <strong>zwei Tagen</strong>.</p>", "de"],
      ["Made by hand.", "en"],
      ["Since 1999.", "en"],
      ["Keep it.", "en"],
      ["Größe", "de"],
      ["Klein", "de"],
    ] as const) {
      expect(page).toContain(text);
      expect([text, languagesOf(page, text)]).toEqual([text, [language]]);
    }
    for (const original of ["Cable jumper", "Ships soon", "Pull torsadé", ">S<", "Size"]) {
      expect(page).not.toContain(original);
    }
    // The name of the picture.
    expect(page).toContain('alt="');
    expect(page).toContain(`${GERMAN.name}"`);
  });

  test("asks, confirms and thanks in German", async () => {
    const gift = jumper({ de: GERMAN });
    const { path } = await englishGift([gift]);
    const chosen = choose(gift, gift.product.variations[0]?.id);
    const at = `${path}?lang=de`;
    const { text } = await postForm(worker, at, { ...ADDRESS, ...chosen, step: "address" });
    expect(text).toContain(`<p class="name" lang="de" dir="auto">${GERMAN.name}</p>`);
    expect(languagesOf(text, "Klein")).toEqual(["de"]);
    await accept(worker, at, chosen);
    const accepted = await read(path, "de");
    expect(accepted).toContain(`<h2 lang="de" dir="auto">${GERMAN.name}</h2>`);
    expect(languagesOf(accepted, "Klein")).toEqual(["de"]);
    expect(languagesOf(accepted, "Since 1999.")).toEqual(["en"]);
  });

  test("has the texts for recipients in place of the vendor's for buyers", async () => {
    const { product, ...rest } = jumper({ de: { recipientInfo: "Fällt groß aus." } });
    const pageWith = async (recipientInfo: string, language: string) => {
      const { path } = await englishGift([{ product: { ...product, recipientInfo }, ...rest }]);
      return read(path, language);
    };
    const texts = ["Fällt groß aus.", "Runs large.", "Ships soon.", "Keep it.", "Since 1999."];
    for (const [info, language, shown] of [
      ["Runs large.", "de", ["Fällt groß aus.", "Since 1999."]],
      ["Runs large.", "fr", ["Runs large.", "Since 1999."]],
      ["", "fr", ["Since 1999."]],
    ] as const) {
      const page = await pageWith(info, language);
      expect(texts.filter((text) => page.includes(text))).toEqual(shown);
    }
  });

  test("has other gifts in German", async () => {
    const other = simpleProduct({
      name: "Mug",
      shortDescription: "For tea.",
      priceMinor: 100,
      translations: { de: { name: "Becher" } },
    });
    const { path } = await englishGift([jumper({ de: GERMAN }), other], CHOICE);
    for (const page of [await read(path, "de"), await read(`${path}?others=`, "de")]) {
      expect(page).toMatch(/<h[23] class="name" lang="de" dir="auto">Becher</);
      expect(page).toContain('<span class="short" lang="en" dir="auto">For tea.</span>');
    }
    const viewed = await read(`${path}?show=${String(other.product.id)}`, "de");
    expect(viewed).toContain('lang="de" dir="auto">Becher');
  });
});

test("options with the same translation are told apart", async () => {
  const translations = { de: { options: { Colour: "Farbe", Red: "Rot", Crimson: "Rot" } } };
  const rows = ["Red", "Crimson", "Blue"].map((colour) => [colour, "L"]);
  const product = productWithOptions(["Colour", "Size"], rows, { translations });
  const crimson = product.product.variations[1]?.id;
  const { path } = await englishGift([product], { ...CHOICE, variation_id: crimson });
  const page = await worker.fetch(`${path}?lang=de`);
  expect(page.text.match(/<bdi>Rot<\/bdi>/g)).toHaveLength(2);
  const address = await press(worker, path, page, { step: "address" });
  expect(fieldsOf(address)["variation_id"]).toBe(String(crimson));
});

test("a publication of translations leaves the choices of open gifts as they are", async () => {
  const plain = jumper();
  const { product, stock } = plain;
  const [cheaper, offered] = product.variations;
  const { client, path } = await englishGift([plain], { ...CHOICE, variation_id: offered?.id });
  await publish(
    env.DB,
    client.catalogue,
    [{ product: { ...product, translations: { de: GERMAN } }, stock }],
    Date.now(),
  );
  expect((await read(path, "de")).match(/name="variation_id"/g)).toHaveLength(2);
  const chosen = { variation_id: String(cheaper?.id) };
  expect((await accept(worker, path, chosen)).status).toBe(303);
});

test("translations need no further round trip, and API responses do not contain them", async () => {
  const plain = jumper();
  const gift = await englishGift([plain]);
  const before = await worker.fetch(gift.path);
  const list = async () => {
    await forgetClient(env, gift.client.clientId);
    const answer = await startWorker().get(gift.client, "/api/products");
    return answer.text;
  };
  const single = async () =>
    (await worker.get(gift.client, `/api/product?product_id=${String(plain.product.id)}`)).text;
  const responses = [await list(), await single()];
  const { product, stock } = plain;
  const next = { product: { ...product, translations: { de: GERMAN } }, stock };
  await publish(env.DB, gift.client.catalogue, [next], Date.now());
  expect([await list(), await single()]).toEqual(responses);
  const { path } = await createGift(worker, [jumper({ de: GERMAN })], {});
  const after = await worker.fetch(path);
  expect(after.meter).toMatchObject({ roundTrips: before.meter.roundTrips, rowsWritten: 0 });
});
