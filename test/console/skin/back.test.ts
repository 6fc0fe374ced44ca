// The way back from a confirmation, and what a refused change advises.
import { describe, expect, test } from "vitest";
import { toGiftNumber } from "../../../src/core/values/ids.ts";
import { DAY_MS } from "../../../src/core/values/time.ts";
import { openOperatorApi } from "../../operator/operator-api.ts";
import { simpleProduct } from "../../support/fixtures.ts";
import { accept, createGift, type TestGift } from "../../support/gift.ts";
import { sql } from "../../support/sql.ts";
import { startWorker } from "../../support/worker.ts";
import { openConsole } from "../console.ts";

const worker = startWorker();
const opened = await openConsole();
const user = await opened.signIn("support");
const api = await openOperatorApi(["support"], opened);

async function newGift() {
  const created = await createGift(worker, [simpleProduct({}, { quantity: 9 })]);
  return { ...created, gift: toGiftNumber(created.orderId, 1) };
}

test("Back leads to the form with what was entered, which no address has", async () => {
  const { gift } = await newGift();
  const form = await user.get(`/gift/note?gift=${gift}`);
  const plan = await user.submit(form, "Continue", { text: "Ada moves <soon>" });
  expect(plan.text).toContain("Ada moves <soon>");
  const back = await user.submit(plan, "Back");
  expect([back.status, back.path]).toEqual([200, `/gift/note?gift=${gift}`]);
  expect(back.html).toMatch(/<textarea[^>]*>Ada moves &lt;soon&gt;<\/textarea>/);
  const again = await user.submit(back, "Continue", { text: "Ada moves in June" });
  const done = await user.submit(again, "Add a note");
  expect(done.text).toContain("Ada moves in June");
});

const expireYesterday = ({ orderId }: TestGift) =>
  sql("UPDATE orders SET expires_at_ms = ? WHERE id = ?", Date.now() - DAY_MS, orderId).run();

const CASES: [string, (gift: TestGift) => Promise<unknown>, string, string][] = [
  ["expired", expireYesterday, "gift renew", "gift extend"],
  ["accepted", ({ path }) => accept(worker, path), "gift extend", "gift swap"],
];

describe.each(CASES)("a gift that is %s", (_, change, refused, advised) => {
  test(`is not possible for ${refused}, which names and links ${advised}`, async () => {
    const created = await newGift();
    const { gift } = created;
    await change(created);
    const path = `/${refused.replace(" ", "/")}?gift=${gift}`;
    const page = await user.get(path);
    expect([page.status, page.text]).toEqual([409, expect.stringContaining("Not possible")]);
    expect(page.html).toContain(`href="/${advised.replace(" ", "/")}?gift=${gift}"`);
    const input = refused === "gift extend" ? { gift, redeem_by: "2027-01-31" } : { gift };
    const { message } = await api.refusal(refused, input);
    expect(message).toContain(`(${advised} ${gift})`);
  });
});
