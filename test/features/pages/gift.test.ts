import { describe, expect, test } from "vitest";
import texts from "../../../public/languages/en.json";
import { STATE_COLUMNS, type StateColumns } from "../../../src/features/codes/delivery-queries.ts";
import { stateOf } from "../../../src/features/lifecycle/gift-state.ts";
import { optionsOf, type PageGift } from "../../../src/features/pages/gift.ts";
import { sqlOf } from "../../../src/platform/db/sql.ts";
import {
  recipients,
  simpleProduct,
  type TestProduct,
  variableProduct,
} from "../../support/fixtures.ts";
import {
  accept,
  buttonsOf,
  createGift,
  readRecipient,
  takeStep,
  type TestGift,
  textOf,
} from "../../support/gift.ts";
import { sql } from "../../support/sql.ts";
import { startWorker } from "../../support/worker.ts";
import { type Transition } from "../../support/transition.ts";

const worker = startWorker();

const noAddress = () =>
  recipients(1).map((recipient) => ({ ...recipient, delivery_address: undefined }));

type Columns = Record<string, string | number>;

/** The state at 5 of a gift link of generation 1 with these columns of the order and the gift. */
async function stateAt5({ order = "paid", ...gift }: Columns, generation: number) {
  const row = await sql(
    `SELECT ${sqlOf(STATE_COLUMNS)}
     FROM (SELECT ?1 AS status, 'api-giftlink' AS gift_order_method, NULL AS expires_at_ms) o,
       (SELECT value ->> 'status' AS redemption_status, value ->> 'expires' AS expires_at_ms, NULL AS fulfilment,
          value ->> 'declined' AS declined_at_ms, value ->> 'erased' AS erased_at_ms, 1 AS link_generation
        FROM (SELECT ?2 AS value)) s`,
    order,
    JSON.stringify(gift),
  ).first<StateColumns>();
  return row && stateOf(row, { generation, nowMs: 5 });
}

const CANCELLED = { status: "cancelled" };
const REDEEMED = { status: "redeemed" };
const EXPIRED = { status: "expired" };

test.each<[Columns, string]>([
  [{}, "open"],
  [{ order: "created" }, "unpaid"],
  [{ order: "failed" }, "failed"],
  [{ order: "failed", ...CANCELLED }, "failed"],
  [{ order: "failed", ...REDEEMED }, "redeemed"],
  [{ order: "cancieled" }, "cancelled"],
  [{ order: "cancieled", ...CANCELLED }, "cancelled"],
  [{ order: "cancieled", ...REDEEMED }, "redeemed"],
  [{ order: "cancieled", ...EXPIRED }, "expired"],
  [CANCELLED, "cancelled"],
  [REDEEMED, "redeemed"],
  [EXPIRED, "expired"],
  [{ ...CANCELLED, expires: 5, declined: 3, erased: 4 }, "declined"],
  [{ ...REDEEMED, erased: 4 }, "erased"],
  [{ ...CANCELLED, erased: 4 }, "cancelled"],
  [{ ...EXPIRED, erased: 4 }, "expired"],
  [{ expires: 6 }, "open"],
  [{ expires: 5 }, "expired"],
  [{ order: "created", expires: 6 }, "unpaid"],
  [{ order: "created", expires: 5 }, "expired"],
  [{ ...REDEEMED, expires: 5 }, "redeemed"],
  [{ ...CANCELLED, expires: 5 }, "cancelled"],
  [{ order: "failed", ...CANCELLED, expires: 5 }, "failed"],
])("at 5, a gift with %j has the state %s", async (columns, state) => {
  expect(await stateAt5(columns, 1)).toBe(state);
  expect(await stateAt5(columns, 0)).toBe("replaced");
});

const { product } = variableProduct();
const [small, large] = product.variations.map(({ id }) => id);
const gift = {
  giftOfChoice: "Y",
  currency: product.currency,
  baseLocation: "AU",
  budgetMinor: 3000 + product.shippingMinor,
  offeredProductId: 1,
  offeredVariationId: null,
} as PageGift;
const level = (variationId = 0, quantity: number | null = 1, sellable = true) => ({
  variationId,
  quantity,
  sellable,
});
test.each([
  ["both in stock", [level(small), level(large, null)], [small, large]],
  ["one sold out", [level(small, 0), level(large)], [large]],
  ["one not sellable", [level(small), level(large, 1, false)], [small]],
  ["one without a stock record", [level(large)], [large]],
  ["none in stock", [level(small, 0), level(large, 0)], []],
])("the options of another gift are the variations in stock: %s", (_stock, stock, options) => {
  const choice = { product, stock, revision: "r", current: true };
  expect(optionsOf(gift, choice, "AU")).toEqual(options);
});

/** For each state of a gift that is not open: the statuses of GET and POST, and the steps that lead to it. */
const CLOSED: [string, Transition[], get: number, post: number, title: string][] = [
  ["unpaid", [], 409, 409, texts.closed.unpaid.title],
  ["failed", ["fail"], 410, 410, texts.closed.failed.title],
  ["cancelled", ["cancel"], 410, 410, texts.closed.cancelled.title],
  ["cancelled when paid", ["pay", "cancel"], 410, 410, texts.closed.cancelled.title],
  ["redeemed", ["pay"], 200, 409, texts.accepted.text],
];

/** Opens every page of the gift, and posts every form. */
async function answersOf({ path }: TestGift, other: TestProduct) {
  const id = String(other.product.id);
  const queries = [
    ...["", "?others=", `?others=${id}`, `?show=${id}`, "?step=question"],
    `?step=address&product_id=${id}`,
  ];
  const typed = { suburb: "Elsewhere", delivery_notes: "Elsewhere" };
  const forms = [
    ...[{}, { product_id: id }, { show: id }, { show: "" }, { others: "" }, { others: id }],
    ...["gift", "question", "decline"].map((step) => ({ step })),
    { step: "address", product_id: id },
  ];
  const opened = queries.map((query) => worker.fetch(path + query));
  const posted = forms.map((fields) => accept(worker, path, { ...typed, ...fields }));
  return { pages: await Promise.all(opened), answers: await Promise.all(posted) };
}

test.each(CLOSED)(
  "the states of a gift %s: every page and every form is answered with the page of the state",
  async (state, steps, get, post, title) => {
    const [product, other] = [simpleProduct({ name: "First" }), simpleProduct({ name: "Other" })];
    const order = { gift_of_choice: "Y", recipient_details: noAddress() };
    const gift = await createGift(worker, [product, other], order, { billing: "invoice" });
    for (const step of steps) await takeStep(gift, step);
    if (state === "redeemed") await accept(worker, gift.path);
    const before = await readRecipient(worker, gift);

    const { pages, answers } = await answersOf(gift, other);

    expect(new Set(pages.map(({ status }) => status))).toEqual(new Set([get]));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([post]));
    for (const page of [...pages, ...answers]) {
      expect(page.text).toContain(title);
      expect(textOf(page)).not.toMatch(/Other|Elsewhere|It’s yours/);
      expect(page.text.includes("First")).toBe(state === "redeemed");
      // The order may have been paid, so the primary is read after the nearest replica.
      expect(page.meter.roundTrips).toBeLessThanOrEqual(state === "unpaid" ? 2 : 1);
      expect(page.meter.rowsWritten).toBe(0);
    }
    for (const page of state === "redeemed" ? pages : [...pages, ...answers]) {
      const controls = state === "redeemed" ? ["step"] : [];
      expect(buttonsOf(page).map((tag) => / name="([^"]*)"/.exec(tag)?.[1])).toEqual(controls);
    }
    expect(await readRecipient(worker, gift)).toEqual(before);
  },
);

describe("a gift link", () => {
  test("with punctuation or spaces at its end opens and accepts the same gift", async () => {
    const gift = await createGift(worker, [simpleProduct()]);
    const page = await worker.fetch(gift.path);
    for (const end of [
      ...[".", "/", ">", ")", "%3E", "%29.", "/).", "&gt;", "%22%3E", "%E2%80%9D", "...", "//"],
      ...["%", "%20", "%0A", "%0D%0A", "%00", "%E2%80%A8"],
    ]) {
      const answer = await worker.fetch(gift.path + end);
      expect([end, answer.status, answer.text]).toEqual([end, 200, page.text]);
    }
    expect((await accept(worker, `${gift.path}%29.`)).status).toBe(303);
    expect((await worker.fetch(`${gift.path}/).`)).text).toContain(texts.accepted.text);
    expect(await readRecipient(worker, gift)).toMatchObject({ redemption_status: "redeemed" });
  });

  test("that is forged is 404 without a query", async () => {
    const gift = await createGift(worker, [simpleProduct()]);
    const last = gift.path.endsWith("0") ? "1" : "0";
    const forged = gift.path.slice(0, -1) + last;
    const others = ["1-x", "", ".", "a/b", ").>", "%00", "%", ".".repeat(8_000)];
    for (const path of [
      forged,
      ...[".", "/", "%3E", ")."].map((end) => forged + end),
      ...["x", "-", "_", "%41"].map((end) => gift.path + end),
      ...others.map((token) => `/redeem/${token}`),
    ]) {
      for (const answer of [await worker.fetch(path), await accept(worker, path)]) {
        expect(answer.status).toBe(404);
        expect(answer.text).toContain(texts.errors.unknown.title);
        expect(answer.meter.roundTrips).toBe(0);
      }
    }
  });
});
