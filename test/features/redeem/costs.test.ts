// The round trips to the database, the size and the texts of each page, in each language.
import { env } from "cloudflare:workers";
import { describe, expect, test } from "vitest";
import english from "../../../public/languages/en.json";
import { LANGUAGES } from "../../../src/features/pages/language.ts";
import { STYLESHEET } from "../../../src/features/pages/stylesheet.ts";
import { recipients, simpleProduct } from "../../support/fixtures.ts";
import { runs } from "../../support/runs.ts";
import { accept, createGift, decline, fetchAccepted, takeStep, thank } from "../../support/gift.ts";
import { type Answer, startWorker } from "../../support/worker.ts";

const MAX_BYTES = 20 * 1024;
const worker = startWorker();

async function compressedSize(text: string): Promise<number> {
  const stream = new Blob([text]).stream().pipeThrough(new CompressionStream("gzip"));
  return (await new Response(stream).arrayBuffer()).byteLength;
}

/** 30 products with long texts. The last one is digital. */
function products() {
  const words = Array.from({ length: 200 }, (_, n) => `word${String(n * 7919)}`);
  return Array.from({ length: 30 }, (_, index) => {
    const text = words.slice(index).concat(words.slice(0, index)).join(" ");
    const product = simpleProduct({
      description: `<p>${text}</p>`,
      shortDescription: text.slice(0, 120),
      delivery: index === 29 ? "digital" : "physical",
    });
    Object.assign(product.product.vendor, { shippingInfo: text, returnsInfo: text, bio: text });
    return product;
  });
}

const order = () => ({
  gift_of_choice: "Y",
  redeem_by: "2030-05-09",
  sender_name: "A Sender",
  recipient_details: recipients(4).map((person) => ({
    ...person,
    redemption_message: "A letter with a few sentences. ".repeat(20),
  })),
});

interface Visits {
  /** The pages that change nothing, each with a text that it shows. */
  read: [Answer, string][];
  /** The answers to changes, each with its round trips. */
  written: [Answer, number][];
}

/** Visits every page and submits every form in the language, until the gifts are redeemed, declined and cancelled. */
async function visitAll(language: string, texts: typeof english): Promise<Visits> {
  const all = products();
  const digital = { product_id: String(all[29]?.product.id) };
  const gift = await createGift(worker, all, order());
  const unpaid = await createGift(worker, all, order(), { billing: "invoice" });
  const lang = `?lang=${language}`;
  const [path = "", declined = "", third = ""] = gift.paths.map((each) => each + lang);
  const read: Visits["read"] = [];
  const open = async (text: string, url: string) => read.push([await worker.fetch(url), text]);
  const post = async (text: string, fields: Record<string, string>) =>
    read.push([await accept(worker, path, { delivery_notes: "Typed", ...fields }), text]);
  await open(texts.gift.continue, path);
  await open(texts.others.title, `${path}&others=`);
  await open(texts.address.title, `${path}&step=address`);
  await open(texts.decline.title, `${path}&step=question`);
  await open(texts.gone.other, `${path}&show=1`);
  await open(texts.gift.continue, `${path}&show=${digital.product_id}`);
  await open(texts.address.emailTitle, `${path}&step=address&product_id=${digital.product_id}`);
  await open(texts.closed.unpaid.title, unpaid.path + lang);
  await post(texts.address.title, { step: "address" });
  await post(texts.address.emailTitle, { step: "address", ...digital });
  await post(texts.problems.title, { suburb: "" });
  const written: Visits["written"] = [[await accept(worker, path), 2]];
  await open(texts.accepted.text, path);
  read.push([await fetchAccepted(worker, path), texts.accepted.thanks]);
  await post(texts.accepted.text, {});
  read.push([await decline(worker, path), texts.accepted.text]);
  read.push([await thank(worker, path, ""), texts.thanks.required]);
  written.push([await thank(worker, path, "x".repeat(1_000)), 1]);
  await open(texts.thanks.sent.split("{")[0] ?? "", path);
  written.push([await decline(worker, declined), 2]);
  await open(texts.closed.declined.title, declined);
  read.push([await thank(worker, declined, "x"), texts.closed.declined.title]);
  await takeStep(gift, "cancel");
  await open(texts.closed.cancelled.title, third);
  return { read, written };
}

test.each(runs(10) === 10 ? LANGUAGES : (["de", "ja", "ar"] as const))(
  "each page has one round trip, the list of gifts three, and a change two, at most 20 KB and its texts in %s",
  async (language) => {
    const file = await env.ASSETS.fetch(`${env.PUBLIC_URL}/languages/${language}.json`);
    const texts = await file.json<typeof english>();
    const { read, written } = await visitAll(language, texts);
    for (const [{ status, meter, text }, shown] of read) {
      expect(status).toBeLessThan(500);
      const roundTrips = shown === texts.others.title ? 3 : 1;
      expect(meter).toMatchObject({ roundTrips, rowsWritten: 0, kvReads: 0, kvWrites: 0 });
      expect(text).toContain(`<html lang="${language}"`);
      expect(text.replaceAll("\u200b", "")).toContain(shown);
      expect(text).not.toMatch(/undefined|\[object|NaN|Invalid Date|[{]\w+[}](?!.*<\/style>)/);
    }
    for (const [{ status, meter }, roundTrips] of written) {
      expect([status, meter.roundTrips]).toEqual([303, roundTrips]);
      expect(meter.rowsWritten).toBeGreaterThan(0);
    }
    const css = await env.ASSETS.fetch(`${env.PUBLIC_URL}${STYLESHEET}`);
    const sheet = await compressedSize(await css.text());
    expect(sheet).toBeGreaterThan(1_000);
    const sizes = await Promise.all(read.map(([{ text }]) => compressedSize(text)));
    expect(Math.max(...sizes) + sheet).toBeLessThanOrEqual(MAX_BYTES);
  },
);

const pictured = () =>
  simpleProduct({ featuredImage: "/images/a.jpg", additionalImages: ["/b.svg"] });

test("pictures are offered in several widths only with image transformations", async () => {
  const { path } = await createGift(worker, [pictured()]);
  const on = startWorker({ env: { IMAGE_TRANSFORMATIONS: "on" } });
  const imagesOf = async (from: typeof worker) =>
    [...(await from.fetch(path)).text.matchAll(/<img[^>]* alt="[^"]+"[^>]*>/g)].map(([tag]) => tag);
  const [plain = "", plainVector = ""] = await imagesOf(worker);
  const [resized = "", vector = ""] = await imagesOf(on);
  expect(plain).not.toContain("srcset");
  const url = `${env.PUBLIC_URL}/images/a.jpg`;
  const prefix = `${env.PUBLIC_URL}/cdn-cgi/image/width=`;
  expect(resized.match(/ srcset="([^"]*)"/)?.[1]?.split(", ")).toEqual(
    [320, 480, 640, 800, 1080].map(
      (width) =>
        `${prefix}${String(width)},quality=60,format=auto,onerror=redirect/${url} ${String(width)}w`,
    ),
  );
  expect(resized).toMatch(/ sizes="[^"]+"/);
  // Vector pictures are not resized, and browsers without srcset use the original.
  expect(vector).toBe(plainVector);
  for (const tag of [plain, resized]) {
    expect(tag).toContain(` src="${url}"`);
    expect(tag).toContain(' width="800" height="800"');
    expect(tag).toContain(' fetchpriority="high"');
  }
});

describe("a link preview", () => {
  const BRANDING = {
    logo: "https://logo.example/l.svg",
    claimLogo: "https://claim.example/c.svg",
    primaryColor: "#FFE600",
    secondaryColor: "#eef4ff",
  };

  test("has a title with the company's name and a picture, without personal data, and the theme colour of the sender", async () => {
    const gift = await createGift(
      worker,
      [simpleProduct({ name: "Tea" })],
      {
        ...order(),
        order_branding: "company",
      },
      { branding: BRANDING },
    );
    for (const query of ["?lang=en", "?lang=ja", "?step=address"]) {
      const { text } = await worker.fetch(gift.path + query);
      const preview =
        text.match(/<meta (?:property|name)="(?:og|twitter):[^>]*>/g)?.join("\n") ?? "";
      expect(preview).toContain('property="og:title"');
      expect(preview).toContain(`content="${env.PUBLIC_URL}/images/brand/preview.png"`);
      expect(preview).not.toMatch(/First0|Last0|Tea|A Sender|redeem/);
      expect(preview).toContain(
        `property="og:site_name" content="Company ${gift.client.clientId}"`,
      );
      expect(preview).toMatch(/og:title" content="[^"]*Company/);
      expect(text).toContain('<meta name="theme-color" content="#ffe600"/>');
      expect(text).not.toContain('name="description"');
    }
    const preview = await env.ASSETS.fetch(`${env.PUBLIC_URL}/images/brand/preview.png`);
    expect(preview.headers.get("Content-Type")).toBe("image/png");
  });

  test("has the company's own picture, or with the platform's branding its title", async () => {
    const branding = { ...BRANDING, preview: "https://p.example/a.png" };
    const request = { order_branding: "company" };
    const own = await createGift(worker, [simpleProduct()], request, { branding });
    expect((await worker.fetch(own.path)).text).toContain(
      '<meta property="og:image" content="https://p.example/a.png"/>',
    );
    const { text } = await worker.fetch((await createGift(worker, [simpleProduct()])).path);
    expect(text).toContain(`property="og:title" content="${english.page.preview}"`);
    expect(text).not.toContain("og:site_name");
  });
});
