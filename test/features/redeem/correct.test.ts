// The recipient's correction of where an accepted gift is sent.
import { env } from "cloudflare:workers";
import { afterEach, describe, expect, test } from "vitest";
import texts from "../../../public/languages/en.json";
import { toGiftId } from "../../../src/core/values/ids.ts";
import { cancel } from "../../../src/features/lifecycle/cancel.ts";
import { operatorKey } from "../../../src/features/lifecycle/order-key.ts";
import { MAX_CORRECTIONS_BY_LINK } from "../../../src/features/lifecycle/correct.ts";
import { writeErasure } from "../../../src/features/privacy/queries.ts";
import { eventsOf } from "../../support/events.ts";
import { failingBatches, LOST } from "../../support/faults.ts";
import { ADDRESS, brokenAccounts, simpleProduct } from "../../support/fixtures.ts";
import {
  accept,
  changeParcels,
  changingAfterRead,
  CHOICE,
  correctAddress,
  createGift,
  fieldsOf,
  postForm,
  press,
  readRecipient,
  switchLanguage,
  type TestGift,
  textOf,
  thank,
} from "../../support/gift.ts";
import { sql } from "../../support/sql.ts";
import { startWorker } from "../../support/worker.ts";

const worker = startWorker();
const NOTES = "Gate code 4711";

async function accepted(delivery: "physical" | "digital" = "physical", locations: string[] = []) {
  const gift = await createGift(worker, [simpleProduct({ delivery, locations })]);
  expect((await accept(worker, gift.path, { delivery_notes: NOTES })).status).toBe(303);
  return gift;
}

const formOf = ({ path }: TestGift) => `${path}?correct=&step=address`;

const NEW_ADDRESS = { ...ADDRESS, address_line_1: "9 Elm Row", address_line_2: "" };

const correctionsOf = async ({ client }: TestGift) =>
  (await eventsOf(client)).filter(({ type }) => type === "gift.corrected");

const detailsOf = async (gift: TestGift) => (await readRecipient(worker, gift)).recipient_details;

const ship = ({ orderId }: TestGift) => changeParcels("ship", [{ orderId, sequence: 1 }]);

const renew = (gift: TestGift) =>
  worker.post(gift.client, "/api/gift-link/renew", { suborder_id: toGiftId(gift.orderId, 1) });

/** Only a gift that is shipped can be erased. */
async function shipAndErase(gift: TestGift) {
  await ship(gift);
  await writeErasure(env.DB, [toGiftId(gift.orderId, 1)], Date.now());
}

const withdraw = ({ orderId }: TestGift) =>
  cancel(env.DB, {
    ...operatorKey(orderId),
    giftIds: [toGiftId(orderId, 1)],
    withRedeemed: true,
    requestId: crypto.randomUUID(),
    nowMs: Date.now(),
  });

afterEach(async () => {
  expect(await brokenAccounts()).toEqual([]);
});

describe("correcting the address of an accepted gift", () => {
  test("leads from the gift over the form back to the gift", async () => {
    const gift = await accepted();
    const page = await worker.fetch(gift.path);
    const form = await press(worker, gift.path, page, { step: "address" });
    expect([form.status, form.meter.roundTrips, form.meter.rowsWritten]).toEqual([200, 1, 0]);
    expect(form.text).toContain(`<h1>${texts.accepted.correct}</h1>`);

    const faulty = await press(worker, gift.path, form, { step: "accept" }, { suburb: "Fitzroy" });
    expect([faulty.status, faulty.meter.rowsWritten]).toEqual([422, 0]);
    expect(fieldsOf(faulty)["suburb"]).toBe("Fitzroy");
    expect(textOf(faulty)).not.toContain(texts.confirm.final);
    expect(await correctionsOf(gift)).toEqual([]);

    const saved = await press(worker, gift.path, faulty, { step: "accept" }, NEW_ADDRESS);
    expect([saved.status, saved.headers.get("Location")]).toEqual([303, `${gift.path}?corrected`]);
    expect(saved.meter.roundTrips).toBe(3);
    const shown = await worker.fetch(`${gift.path}?corrected`);
    expect(textOf(shown)).toContain(texts.accepted.saved);
    expect(textOf(shown)).toContain("9••••");
    expect(shown.text).not.toContain("9 Elm Row");
    // The form replaces the address and the notes as a whole.
    expect(await detailsOf(gift)).toMatchObject({
      delivery_address: { address_line_1: "9 Elm Row", address_line_2: null },
      delivery_notes: null,
    });
    const [event, ...others] = await correctionsOf(gift);
    expect(event?.data).toEqual({ corrected_fields: ["delivery_address", "delivery_notes"] });
    expect(others).toEqual([]);
  });

  test("starts with the country and shows nothing else of the address", async () => {
    const gift = await accepted();
    const form = await worker.fetch(formOf(gift));
    expect(fieldsOf(form)).toMatchObject({ country: "AU", address_line_1: "", delivery_notes: "" });
    expect(form.text).not.toMatch(/Plane Tree|Unit 3|Brunswick|3056|4711/);
  });

  test("keeps the language and the input", async () => {
    const gift = await accepted();
    const form = await worker.fetch(formOf(gift));
    const german = await switchLanguage(worker, gift.path, form, "de", NEW_ADDRESS);
    expect(fieldsOf(german)["address_line_1"]).toBe("9 Elm Row");
    const saved = await press(worker, gift.path, german, { step: "accept" });
    expect(saved.headers.get("Location")).toBe(`${gift.path}?lang=de&corrected`);
  });

  test("changes nothing a second time, or with the present address", async () => {
    const gift = await accepted();
    await correctAddress(worker, gift.path, NEW_ADDRESS);
    const again = await correctAddress(worker, gift.path, NEW_ADDRESS);
    expect([again.status, again.meter.rowsWritten]).toEqual([303, 0]);
    expect(await correctionsOf(gift)).toHaveLength(1);
  });

  test("at the same time in two windows stores both, one after the other", async () => {
    const gift = await accepted();
    const other = { ...NEW_ADDRESS, address_line_1: "7 Oak Row" };
    const answers = await Promise.all([
      correctAddress(worker, gift.path, NEW_ADDRESS),
      correctAddress(worker, gift.path, NEW_ADDRESS),
      correctAddress(worker, gift.path, other),
    ]);
    for (const { status } of answers) expect(status).toBe(303);
    const { address_line_1 } = (await detailsOf(gift)).delivery_address;
    expect(["9 Elm Row", "7 Oak Row"]).toContain(address_line_1);
    const events = await correctionsOf(gift);
    expect([2, 3]).toContain(events.length);
  });

  test.each(["before the commit", "after the commit"] as const)(
    "is stored once if the database's response is lost %s",
    async (when) => {
      const gift = await accepted();
      // The first batch reads.
      const DB = failingBatches(new Error(LOST), when, 1, 1);
      const answer = await correctAddress(startWorker({ env: { DB } }), gift.path, NEW_ADDRESS);
      expect(answer.headers.get("Location")).toBe(`${gift.path}?corrected`);
      expect((await detailsOf(gift)).delivery_address.address_line_1).toBe("9 Elm Row");
      expect(await correctionsOf(gift)).toHaveLength(1);
    },
  );
});

describe("a correction", () => {
  test("is checked by the rules of the form", async () => {
    const gift = await accepted("physical", ["AU", "NZ"]);
    for (const [fields, field] of [
      [{ ...NEW_ADDRESS, suburb: "" }, "suburb"],
      [{ ...NEW_ADDRESS, country: "DE" }, "country"],
      [{ ...NEW_ADDRESS, postcode_zipcode: "ABCDE" }, "postcode_zipcode"],
    ] as const) {
      const answer = await correctAddress(worker, gift.path, fields);
      expect([answer.status, answer.meter.rowsWritten]).toEqual([422, 0]);
      expect(answer.text).toContain(`id="${field}-problem"`);
    }
    expect(await correctionsOf(gift)).toEqual([]);
  });

  test("is refused after the shipment, with whom to ask", async () => {
    const gift = await accepted();
    await ship(gift);
    expect(await worker.fetch(gift.path).then(textOf)).not.toContain(texts.accepted.correct);
    // The answer is the same for the stored address, which the holder of the link could guess otherwise.
    for (const fields of [NEW_ADDRESS, { ...ADDRESS, delivery_notes: NOTES }]) {
      const answer = await correctAddress(worker, gift.path, fields);
      expect([answer.status, answer.meter.rowsWritten]).toEqual([409, 0]);
      expect(textOf(answer)).toContain(texts.accepted.tooLate);
      expect(answer.text).toContain(
        '<a href="mailto:support@regalo.example?subject=Gift%20number%3A%20GO-',
      );
    }
    const form = await worker.fetch(formOf(gift));
    expect([form.status, textOf(form).includes(texts.accepted.tooLate)]).toEqual([200, true]);
    expect(await correctionsOf(gift)).toEqual([]);
  });

  test.each([
    ["shipped", ship, texts.accepted.tooLate],
    ["replaced", renew, texts.closed.replaced.title],
    ["erased", shipAndErase, texts.closed.erased.title],
    ["cancelled", withdraw, texts.closed.cancelled.title],
  ] as const)("is refused if the gift is %s at the same moment", async (_, change, text) => {
    const gift = await accepted();
    const DB = changingAfterRead(() => change(gift));
    const answer = await correctAddress(startWorker({ env: { DB } }), gift.path, NEW_ADDRESS);
    expect(answer.status).toBe(303);
    const location = answer.headers.get("Location") ?? "";
    expect(location).not.toContain("corrected");
    expect(textOf(await worker.fetch(location))).toContain(text);
    expect(await correctionsOf(gift)).toEqual([]);
  });

  test("is refused by a replaced link, also with the present address", async () => {
    const gift = await accepted();
    await renew(gift);
    for (const fields of [NEW_ADDRESS, { ...ADDRESS, delivery_notes: NOTES }]) {
      const answer = await correctAddress(worker, gift.path, fields);
      expect([answer.status, answer.meter.rowsWritten]).toEqual([410, 0]);
    }
    expect((await worker.fetch(formOf(gift))).status).toBe(410);
  });

  test("is not possible before the gift is accepted", async () => {
    const gift = await createGift(worker, [simpleProduct()]);
    const answer = await correctAddress(worker, gift.path, NEW_ADDRESS);
    expect([answer.status, answer.meter.rowsWritten]).toEqual([303, 0]);
    expect((await worker.fetch(formOf(gift))).text).toContain(texts.address.title);
    expect(await readRecipient(worker, gift)).toMatchObject({ redemption_status: null });
    expect(await correctionsOf(gift)).toEqual([]);
  });

  test("is possible a limited number of times, of which the partner's are not limited", async () => {
    const gift = await accepted();
    const used = "UPDATE gifts SET corrections = ? WHERE order_id = ?";
    await sql(used, MAX_CORRECTIONS_BY_LINK - 1, gift.orderId).run();
    const last = await correctAddress(worker, gift.path, NEW_ADDRESS);
    expect(last.headers.get("Location")).toBe(`${gift.path}?corrected`);
    expect(await worker.fetch(gift.path).then(textOf)).not.toContain(texts.accepted.correct);
    const other = { ...NEW_ADDRESS, address_line_1: "7 Oak Row" };
    const refused = await correctAddress(worker, gift.path, other);
    expect([refused.status, refused.meter.rowsWritten]).toEqual([409, 0]);
    const [tooOften = ""] = texts.accepted.tooOftenText.split("{");
    expect(textOf(refused)).toContain(tooOften);
    const request = { suborder_id: toGiftId(gift.orderId, 1), first_name: "Grace" };
    expect((await worker.post(gift.client, "/api/order/correct", request)).status).toBe(200);
    expect(await correctionsOf(gift)).toHaveLength(2);
  });
});

describe("a form of a gift that was accepted in another window", () => {
  const opened = async () => {
    const gift = await createGift(worker, [simpleProduct(), simpleProduct()], CHOICE);
    const form = await worker.fetch(`${gift.path}?step=address`);
    await accept(worker, gift.path, { delivery_notes: NOTES });
    return { gift, form };
  };

  test("leads to a correction, and shows nothing of the stored address", async () => {
    const { gift, form } = await opened();
    const late = await press(worker, gift.path, form, { step: "accept" }, NEW_ADDRESS);
    expect([late.status, late.meter.rowsWritten]).toEqual([409, 0]);
    expect(textOf(late)).toContain(texts.accepted.earlier);
    expect(textOf(late)).toMatch(/14?••••/);
    expect(textOf(late)).not.toContain("9 Elm Row");
    const correction = await press(worker, gift.path, late, { step: "address" });
    expect(fieldsOf(correction)).toMatchObject({ address_line_1: "", delivery_notes: "" });
  });

  test("is not reported if it contains what is stored, as after a double click", async () => {
    const { gift } = await opened();
    const same = { state: "Victoria", postcode_zipcode: "30 56", delivery_notes: NOTES };
    const again = await accept(worker, gift.path, same);
    expect(again.status).toBe(409);
    expect(textOf(again)).not.toContain(texts.accepted.earlier);
    expect(again.text).not.toMatch(/Plane Tree|4711/);
  });

  test("is reported with a link to the correction if only the choice differs", async () => {
    const { gift } = await opened();
    const same = { delivery_notes: NOTES, product_id: "1" };
    const again = await accept(worker, gift.path, same);
    expect(textOf(again)).toContain(texts.accepted.earlier);
    expect(again.text).not.toMatch(/Plane Tree|4711/);
  });

  test("has one answer after the shipment, also for the stored address", async () => {
    const { gift, form } = await opened();
    await ship(gift);
    const late = await press(worker, gift.path, form, { step: "accept" }, NEW_ADDRESS);
    expect(textOf(late)).toContain(texts.accepted.earlier);
    const [sent = ""] = texts.accepted.tooLateText.split("{");
    expect(textOf(late)).toContain(sent);
    expect(textOf(late)).not.toContain(texts.accepted.correct);
    const same = await accept(worker, gift.path, { delivery_notes: NOTES });
    expect(same.text).toBe(late.text);
  });

  test("is not reported for a note to the sender, or by the page itself", async () => {
    const { gift } = await opened();
    for (const page of [await thank(worker, gift.path, ""), await worker.fetch(gift.path)]) {
      expect(textOf(page)).not.toContain(texts.accepted.earlier);
    }
  });
});

test("the e-mail address of a digital gift can be corrected until its code is seen", async () => {
  const gift = await accepted("digital");
  const form = await worker.fetch(formOf(gift));
  expect(form.text).toContain(`<h1>${texts.accepted.correctEmail}</h1>`);
  expect(form.text).toContain("r••••@example.com");
  for (const delivery_email of ["", "ada at work"]) {
    const faulty = await press(worker, gift.path, form, { step: "accept" }, { delivery_email });
    expect(faulty.status).toBe(422);
  }
  const typed = { delivery_email: "ada@work.example" };
  const saved = await press(worker, gift.path, form, { step: "accept" }, typed);
  expect(saved.headers.get("Location")).toBe(`${gift.path}?corrected`);
  expect(textOf(await worker.fetch(gift.path))).toContain("a••••@work.example");
  expect((await correctionsOf(gift)).map(({ data }) => data)).toEqual([
    { corrected_fields: ["delivery_email"] },
  ]);
  await ship(gift);
  const correctAgain = async () =>
    (await correctAddress(worker, gift.path, { delivery_email: "b@work.example" })).status;
  expect(await correctAgain()).toBe(303);
  await postForm(worker, gift.path, { step: "reveal" });
  expect(await correctAgain()).toBe(409);
});
