// Pages that change something, with the page that changes the last day of a gift.
import { env } from "cloudflare:workers";
import { beforeAll, expect, test } from "vitest";
import { listAudit } from "../../src/operator/audit/queries.ts";
import { dayIn } from "../../src/core/values/redeem-by.ts";
import { suborderNumber } from "../../src/core/values/ids.ts";
import { openShop, recipients, simpleProduct } from "../support/fixtures.ts";
import { createGift } from "../support/gift.ts";
import { openConsole, type TestConsole } from "./console.ts";
import { startWorker } from "../support/worker.ts";

let testConsole: TestConsole;

beforeAll(async () => {
  await openShop();
  testConsole = await openConsole();
});

async function newGift() {
  const product = simpleProduct({}, { quantity: 100 });
  const gift = await createGift(startWorker(), [product], { recipient_details: recipients(1) });
  return { ...gift, number: suborderNumber(gift.orderId, 1) };
}

const day = (days: number) => dayIn(days, Date.now());

test("shows the plan, and carries it out after it is confirmed", async () => {
  const { number, orderId } = await newGift();
  const user = await testConsole.signIn("support");
  const form = await user.get(`/gifts/${number}/extend`);
  expect(form.status).toBe(200);
  const plan = await user.submit(form, "Continue", { redeem_by: day(30) });
  expect(plan.text).toContain(`This will set the last day of ${number}`);
  expect(await listAudit(env.DB, { orderId, limit: 9 })).toEqual([]);
  const done = await user.submit(plan, "Change the last day");
  expect(done.text).toContain(`${number} can be accepted until ${day(30)}.`);
  expect(await listAudit(env.DB, { orderId, limit: 9 })).toMatchObject([
    { actor: user.name, action: "gift extend", subject: number },
  ]);
});

test("carries out a form that is sent twice once", async () => {
  const { number, orderId } = await newGift();
  const user = await testConsole.signIn("support");
  const form = await user.get(`/gifts/${number}/extend`);
  const plan = await user.submit(form, "Continue", { redeem_by: day(30) });
  const answers = await Promise.all([1, 2, 3].map(() => user.submit(plan, "Change the last day")));
  const repeated = await user.submit(plan, "Change the last day");
  expect(repeated.text).toContain("Already done");
  expect(answers.filter(({ text }) => text.includes("Done"))).toHaveLength(1);
  expect(await listAudit(env.DB, { orderId, limit: 9 })).toHaveLength(1);
});

test("shows what somebody else has changed since the form was opened", async () => {
  const { number } = await newGift();
  const [first, second] = [
    await testConsole.signIn("support"),
    await testConsole.signIn("engineer"),
  ];
  const open = async (user: typeof first, redeem_by: string) =>
    user.submit(await user.get(`/gifts/${number}/extend`), "Continue", { redeem_by });
  const mine = await open(first, day(30));
  await second.submit(await open(second, day(60)), "Change the last day");
  const told = await first.submit(mine, "Change the last day");
  expect(told.text).toContain("Check it again");
  expect(told.text).toContain(second.name);
  expect(told.text).toContain(`from ${day(60)} to ${day(30)}`);
});

test("does not carry out a plan whose gift somebody else has changed meanwhile", async () => {
  const { number } = await newGift();
  const [first, second] = [
    await testConsole.signIn("support"),
    await testConsole.signIn("engineer"),
  ];
  const open = async (user: typeof first) =>
    user.submit(await user.get(`/gifts/${number}/renew`), "Continue");
  const [mine, theirs] = [await open(first), await open(second)];
  expect((await second.submit(theirs, "Replace the link")).html).toContain("/redeem/");
  const again = await first.submit(mine, "Replace the link");
  expect(again.text).toContain("Check it again");
  expect(again.html).not.toContain("/redeem/");
});

test("shows a form again whose values somebody else has changed since it was opened", async () => {
  const { number } = await newGift();
  const [first, second] = [
    await testConsole.signIn("support"),
    await testConsole.signIn("engineer"),
  ];
  const path = `/gifts/${number}/correct`;
  const [mine, theirs] = [await first.get(path), await second.get(path)];
  const plan = await second.submit(theirs, "Continue", { first_name: "Zoë" });
  await second.submit(plan, "Correct the recipient");
  const again = await first.submit(mine, "Continue", { phone_number: "0400 000 001" });
  expect(again.text).toContain("Check it again");
  expect(again.html).toContain('value="Zoë"');
});
