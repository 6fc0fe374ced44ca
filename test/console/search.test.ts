// The search for orders and gifts.
import { env } from "cloudflare:workers";
import { beforeAll, expect, test } from "vitest";
import { orderNumber } from "../../src/core/values/ids.ts";
import { listAudit } from "../../src/operator/audit/queries.ts";
import { openConsole, type ConsoleUser, type TestConsole } from "./console.ts";
import { openShop, recipients, simpleProduct, unique } from "../support/fixtures.ts";
import { createGift } from "../support/gift.ts";
import { startWorker } from "../support/worker.ts";

let testConsole: TestConsole;

beforeAll(async () => {
  await openShop();
  testConsole = await openConsole();
});

/** An order with recipients of a surname that no other order has. */
async function newOrder(count: number, firstName = "Zoë") {
  const surname = `Müller${String(unique())}`;
  const reference = `PO ${String(unique())}`;
  const order = await createGift(startWorker(), [simpleProduct({}, { quantity: 1_000 })], {
    order_ref_id: reference,
    recipient_details: recipients(count).map((recipient) => ({
      ...recipient,
      first_name: firstName,
      last_name: surname,
    })),
  });
  return { ...order, surname, reference, number: orderNumber(order.orderId) };
}

async function find(user: ConsoleUser, text: string, values: Record<string, string> = {}) {
  const page = await user.get("/search");
  expect(page.meter.roundTrips).toBe(0);
  return user.submit(page, "Search", { text, ...values });
}

test("a number, a reference or a link leads to its order or gift", async () => {
  const { number, orderId, reference, paths } = await newOrder(3);
  const user = await testConsole.signIn("viewer");
  for (const [text, path] of [
    [number, `/orders/${number}`],
    [`go-${String(orderId)}`, `/orders/${number}`],
    [reference, `/orders/${number}`],
    [`${number}-2`, `/orders/${number}#${number}-2`],
    [`${env.PUBLIC_URL}${paths[2] ?? ""}`, `/orders/${number}#${number}-3`],
  ] as const) {
    const answer = await find(user, text);
    expect([answer.status, answer.headers.get("Location")], text).toEqual([303, path]);
    expect(answer.meter.roundTrips, text).toBeLessThanOrEqual(3);
  }
});

test("the beginnings of a name find gifts, and each gift shown is recorded without the text", async () => {
  const { number, orderId, surname } = await newOrder(2, "<b>Zoë</b>");
  const user = await testConsole.signIn("viewer");
  const found = await find(user, `zo ${surname.replace("ü", "u").toLowerCase()}`);
  expect(found.status).toBe(200);
  expect(found.text).toContain(`<b>Zoë</b> ${surname}`);
  expect(found.html).toContain(`href="/gifts/${number}-2"`);
  expect(found.html).not.toMatch(/<title>[^<]*(Zo|ller)/);
  expect(found.meter.roundTrips).toBeLessThanOrEqual(3);
  const entries = await listAudit(env.DB, { orderId, limit: 9 });
  expect(
    entries.map(({ actor, action, subject, after }) => [actor, action, subject, after]),
  ).toEqual(
    [1, 2].map((n) => [user.name, "order find", `${number}-${String(n)}`, { searchedBy: "words" }]),
  );
});

test("a search can be narrowed to a client and a period", async () => {
  const { client, surname, number } = await newOrder(1);
  const user = await testConsole.signIn("viewer");
  const text = surname.slice(0, -1);
  const of = async (values: Record<string, string>) => (await find(user, text, values)).text;
  expect(await of({ client: client.clientId })).toContain(`${number}-1`);
  expect(await of({ client: "other" })).toContain("Nothing was found");
  expect(await of({ until: "2001-01-01" })).toContain("Nothing was found");
});

test("more than 50 gifts are not shown, and the page is small", async () => {
  const { surname } = await newOrder(60);
  const user = await testConsole.signIn("viewer");
  const found = await find(user, surname);
  expect(found.text).toContain("There may be more");
  expect(found.html.length).toBeLessThan(60_000);
});

test("explains a foreign link and an empty text", async () => {
  const { path, orderId } = await newOrder(1);
  await env.DB.prepare("UPDATE orders SET link_nonce = '00000000' WHERE id = ?")
    .bind(orderId)
    .run();
  const user = await testConsole.signIn("viewer");
  const foreign = await find(user, `https://other.example${path}`);
  expect(foreign.status).toBe(409);
  expect(foreign.text).toContain("No order of this environment has this gift URL.");
  const empty = await find(user, "");
  expect(empty.status).toBe(422);
  expect(empty.text).toContain("is required");
});
