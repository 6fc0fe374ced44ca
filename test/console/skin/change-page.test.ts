// Pages of changes: the form, the plan and the result.
import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, test } from "vitest";
import { toGiftNumber } from "../../../src/core/values/ids.ts";
import { dayIn } from "../../../src/core/values/redeem-by.ts";
import { listAudit } from "../../../src/operator/audit/queries.ts";
import { overriding } from "../../support/counting.ts";
import { LOST, replacingBatch, retryAtOnce } from "../../support/faults.ts";
import { createClient, openShop, simpleProduct } from "../../support/fixtures.ts";
import { createGift } from "../../support/gift.ts";
import { startWorker } from "../../support/worker.ts";
import { type ConsoleUser, openConsole, type TestConsole } from "../console.ts";

let testConsole: TestConsole;
let support: ConsoleUser;
let engineer: ConsoleUser;

beforeAll(async () => {
  await openShop();
  testConsole = await openConsole();
  support = await testConsole.signIn("support");
  engineer = await testConsole.signIn("engineer");
});

async function newGift() {
  const { orderId } = await createGift(startWorker(), [simpleProduct({}, { quantity: 100 })]);
  const number = toGiftNumber(orderId, 1);
  return { orderId, number, path: `/gift/extend?gift=${number}` };
}

const day = (days: number) => dayIn(days, Date.now());
const BUTTON = "Change the last day";

const plan = async (user: ConsoleUser, path: string, redeem_by: string) =>
  user.submit(await user.get(path), "Continue", { redeem_by });

const entries = (orderId: number) => listAudit(env.DB, { orderId, kind: "changes", limit: 9 });

test("a form that is sent twice or at the same time is carried out once", async () => {
  const { path, orderId } = await newGift();
  const planned = await plan(support, path, day(30));
  expect(await entries(orderId)).toEqual([]);
  const answers = await Promise.all([1, 2, 3].map(() => support.submit(planned, BUTTON)));
  expect((await support.submit(planned, BUTTON)).text).toContain("Already done");
  expect(answers.filter(({ html }) => html.includes('role="status"'))).toHaveLength(1);
  expect(await entries(orderId)).toHaveLength(1);
});

test("a change leads back to its object, which shows once what was done", async () => {
  const { path, number } = await newGift();
  const done = await support.submit(await plan(support, path, day(30)), BUTTON);
  expect([done.status, done.path]).toEqual([200, `/gift/show?gift=${number}`]);
  expect(done.text).toContain(`The last day of ${number} is`);
  expect(done.headers.get("Set-Cookie")).toMatch(/^done=; Max-Age=0/);
  const cookie = `done=${encodeURIComponent(JSON.stringify({ href: "/health", text: "Other", links: [] }))}`;
  const other = await support.fetch(done.path, { headers: { Cookie: cookie } });
  expect(other.html).not.toContain('role="status"');
  expect(other.headers.get("Set-Cookie")).toBeNull();
});

test("a plan that is no longer true is shown again", async () => {
  const { path, number } = await newGift();
  const mine = await plan(support, path, day(30));
  await engineer.submit(await plan(engineer, path, day(60)), BUTTON);
  const again = await support.submit(mine, BUTTON);
  expect(again.text).toContain("Check it again");
  expect(again.text).toContain(`Last day ${day(60)} ${day(30)}`);
  expect((await support.submit(again, BUTTON)).text).toContain(`The last day of ${number} is`);
});

test("an invalid field is marked, in both steps", async () => {
  const { path, orderId } = await newGift();
  for (const invalid of ["2020-01-01", "", "tomorrow"]) {
    const { status, html } = await plan(support, path, invalid);
    expect([status, html]).toEqual([422, expect.stringContaining('id="field-redeem_by-error"')]);
  }
  const planned = await plan(support, path, day(30));
  const { status } = await support.submit(planned, BUTTON, { redeem_by: "2020-01-01" });
  expect(status).toBe(422);
  expect(await entries(orderId)).toEqual([]);
});

test("a refusal has the status 409, and an object that does not exist 404", async () => {
  const { path } = await newGift();
  await support.submit(await plan(support, path, day(30)), BUTTON);
  expect((await plan(support, path, day(30))).status).toBe(409);
  expect((await support.get("/gift/extend?gift=GO-99999-1")).status).toBe(404);
});

test("a change whose answer was lost can be sent again, and is carried out once", async () => {
  const { path, orderId } = await newGift();
  // The database is unreachable from the response of the transaction on.
  let [isLost, isRepaired] = [false, false];
  const lose = <T>(result: T): T => {
    if (isLost && !isRepaired) throw new Error(LOST);
    return result;
  };
  const DB = overriding(
    replacingBatch(async (statements, run) => {
      const results = await run(lose(statements));
      isLost ||= results.some(({ meta }) => meta.rows_written > 0);
      return lose(results);
    }, "all"),
    { prepare: (text: string) => lose(env.DB.prepare(text)) },
  );
  retryAtOnce();
  const user = await (await openConsole({ env: { DB } })).signIn("support");
  const unanswered = await user.submit(await plan(user, path, day(30)), BUTTON);
  expect(unanswered.status).toBe(503);
  isRepaired = true;
  expect((await user.submit(unanswered, "Send again")).text).toContain("Already done");
  expect(await entries(orderId)).toHaveLength(1);
});

describe("the settings of a client", () => {
  test("a form sends only what its user has changed", async () => {
    const { clientId } = await createClient();
    const path = `/client/set?client=${clientId}`;
    const [mine, theirs] = [await engineer.get(path), await engineer.get(path)];
    const done = await engineer.submit(
      await engineer.submit(theirs, "Continue", { name: "Another name" }),
      "Change the settings",
    );
    expect(done.html).toContain('role="status"');
    const planned = await engineer.submit(mine, "Continue", { support_email: "a@example.com" });
    expect(planned.text).not.toContain("Company name");
    await engineer.submit(planned, "Change the settings");
    const client = await env.DB.prepare("SELECT name, support_email FROM clients WHERE id = ?")
      .bind(clientId)
      .first();
    expect(client).toEqual({ name: "Another name", support_email: "a@example.com" });
  });
});
