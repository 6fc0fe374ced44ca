// The recipient's note to the sender.
import { describe, expect, test } from "vitest";
import texts from "../../../public/languages/en.json";
import { failingBatches, LOST } from "../../support/faults.ts";
import { recipients, simpleProduct } from "../../support/fixtures.ts";
import {
  accept,
  createGift,
  decline,
  fieldsOf,
  postForm,
  press,
  takeStep,
  type TestGift,
  textOf,
  thank,
} from "../../support/gift.ts";
import { startWorker } from "../../support/worker.ts";
import { sql } from "../../support/sql.ts";
import { eventsOf } from "../../support/events.ts";

const worker = startWorker();
const NOTE = "Thank you!\nIt is lovely.";

async function redeemed(): Promise<TestGift> {
  const gift = await createGift(worker, [simpleProduct()]);
  expect((await accept(worker, gift.path)).status).toBe(303);
  return gift;
}

/** The note as the partner reads it. */
async function noteOf({ client, orderId }: TestGift): Promise<unknown> {
  const query = `order_id=${String(orderId)}&include=thank_you`;
  const { json } = await worker.get(client, `/api/order?${query}`);
  return json.recipients[0].thank_you?.message ?? json.recipients[0].thank_you;
}

const thanksOf = async ({ client }: TestGift) =>
  (await eventsOf(client)).filter(({ type }) => type === "gift.thanked");

describe("a thank-you note", () => {
  test("is stored in one round trip, shown to the recipient, and read by the partner", async () => {
    const gift = await redeemed();
    const page = await worker.fetch(gift.path);
    const answer = await press(
      worker,
      gift.path,
      page,
      { step: "thank" },
      { note: ` ${NOTE}\r\n ` },
    );
    expect([answer.status, answer.headers.get("Location")]).toEqual([303, gift.path]);
    expect(answer.meter.roundTrips).toBe(1);
    const after = await worker.fetch(gift.path);
    expect(after.text).toContain(`<p class="prose" lang="" dir="auto">${NOTE}</p>`);
    expect(after.text).toContain(texts.thanks.sent);
    expect(fieldsOf(after)).toEqual({});
    expect(await noteOf(gift)).toEqual(NOTE);
    const events = await thanksOf(gift);
    expect(events).toHaveLength(1);
    expect(JSON.stringify(events)).not.toContain("lovely");
  });

  test("is stored once: a repeated request succeeds, and another note is refused", async () => {
    const gift = await redeemed();
    await thank(worker, gift.path, NOTE);
    const again = await thank(worker, gift.path, NOTE);
    expect([again.status, again.meter.rowsWritten]).toEqual([303, 0]);
    const other = await thank(worker, gift.path, "Another note");
    expect([other.status, other.meter.rowsWritten]).toEqual([409, 0]);
    expect(other.text).toContain(NOTE);
    expect(await noteOf(gift)).toEqual(NOTE);
    expect(await thanksOf(gift)).toHaveLength(1);
  });

  test("is stored once if ten are sent at the same time", async () => {
    const gift = await redeemed();
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, n) => thank(worker, gift.path, `Note ${String(n)}`)),
    );
    expect(answers.filter(({ status }) => status === 303)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 409)).toHaveLength(9);
    const winner = answers.findIndex(({ status }) => status === 303);
    expect(await noteOf(gift)).toEqual(`Note ${String(winner)}`);
    expect(await thanksOf(gift)).toHaveLength(1);
  });

  test.each(["before the commit", "after the commit"] as const)(
    "is stored once if the database's response is lost %s",
    async (when) => {
      const gift = await redeemed();
      const DB = failingBatches(new Error(LOST), when, 1);
      expect((await thank(startWorker({ env: { DB } }), gift.path, NOTE)).status).toBe(303);
      expect(await noteOf(gift)).toEqual(NOTE);
      expect(await thanksOf(gift)).toHaveLength(1);
    },
  );

  test.each([
    ["x".repeat(1_000), null],
    ["é".repeat(1_000), null],
    ["x".repeat(1_001), "Please use plain text of at most 1000 characters"],
    ["bell \u0007", "Please use plain text of at most 1000 characters"],
    [" \r\n ", texts.thanks.required],
  ])("has at least 1 and at most 1,000 characters of plain text", async (note, problem) => {
    const gift = await redeemed();
    const answer = await thank(worker, gift.path, note);
    if (problem === null) {
      expect(answer.status).toBe(303);
      expect(await noteOf(gift)).toEqual(note);
      return;
    }
    expect([answer.status, answer.meter.rowsWritten]).toEqual([422, 0]);
    expect(textOf(answer)).toContain(problem);
    expect(answer.text).toMatch(/<textarea id="note"[^>]* aria-invalid="true"/);
    expect(fieldsOf(answer)["note"]).toBe(note.trim());
    expect(await noteOf(gift)).toBeNull();
  });

  test("is refused for a gift that is not redeemed", async () => {
    const products = [simpleProduct()];
    const open = await createGift(worker, products);
    const cancelled = await createGift(worker, products);
    const declined = await createGift(worker, products);
    const unpaid = await createGift(worker, products, {}, { billing: "invoice" });
    await takeStep(cancelled, "cancel");
    await decline(worker, declined.path);
    for (const [gift, status] of [
      [open, 303],
      [cancelled, 410],
      [declined, 409],
      [unpaid, 409],
    ] as const) {
      for (const note of [NOTE, ""]) {
        const answer = await thank(worker, gift.path, note);
        expect(answer.status).toBe(status);
        expect(answer.meter.rowsWritten).toBe(0);
        expect(answer.text).not.toContain("lovely");
      }
      expect(await thanksOf(gift)).toEqual([]);
    }
  });

  test("is not stored by a link that was replaced, and is by the new one", async () => {
    const gift = await redeemed();
    const renewal = { suborder_id: gift.orderId * 1000 + 1 };
    const { json } = await worker.post(gift.client, "/api/gift-link/renew", renewal);
    const refused = await thank(worker, gift.path, NOTE);
    expect([refused.status, refused.meter.rowsWritten]).toEqual([410, 0]);
    expect(await noteOf(gift)).toBeNull();
    expect(await thanksOf(gift)).toEqual([]);
    const path = new URL(json.recipient.gift_url as string).pathname;
    expect((await thank(worker, path, NOTE)).status).toBe(303);
    expect(await noteOf(gift)).toBe(NOTE);
  });

  test("is not stored by the link of an order that a database restore has removed", async () => {
    const gift = await redeemed();
    await sql("UPDATE orders SET link_nonce = 'another0' WHERE id = ?", gift.orderId).run();
    const refused = await thank(worker, gift.path, NOTE);
    expect([refused.status, refused.meter.rowsWritten]).toEqual([404, 0]);
    expect(await noteOf(gift)).toBeNull();
    expect(await thanksOf(gift)).toEqual([]);
  });

  test("may contain markup and any language, which are shown as text", async () => {
    const gift = await redeemed();
    const note = "<b>شكرًا</b> & ありがとう 🎁";
    await postForm(worker, gift.path, { step: "thank", note });
    expect(await noteOf(gift)).toEqual(note);
    const { text } = await worker.fetch(gift.path);
    expect(text).toContain("&lt;b&gt;شكرًا&lt;/b&gt; &amp; ありがとう 🎁");
  });

  test("is kept if the order is cancelled afterwards", async () => {
    const order = { recipient_details: recipients(2) };
    const gift = await createGift(worker, [simpleProduct()], order);
    await accept(worker, gift.path);
    await thank(worker, gift.path, NOTE);
    await takeStep(gift, "cancel");
    expect((await worker.fetch(gift.path)).text).toContain(NOTE);
    const select = "SELECT thank_you FROM sub_orders WHERE order_id = ?";
    expect(await sql(select, gift.orderId).first("thank_you")).toBe(NOTE);
  });
});

test.each([
  ["empty", ""],
  ["too long", "x".repeat(1_001)],
  ["valid", "Another note"],
])("a second note that is %s is a conflict", async (_, note) => {
  const gift = await redeemed();
  expect((await thank(worker, gift.path, "The first note")).status).toBe(303);
  const page = await thank(worker, gift.path, note);
  expect(page.status).toBe(409);
  expect(textOf(page)).toContain(`${texts.thanks.sent}The first note`);
});
