// Changes with a reason. Both of their steps check it.
import { env } from "cloudflare:workers";
import { beforeAll, expect, test } from "vitest";
import { ROUTES } from "../../src/console/pages/routes.ts";
import { orderNumber } from "../../src/core/values/ids.ts";
import { listCredentials } from "../../src/operator/clients/queries.ts";
import { type ConsolePage, type ConsoleUser, openConsole } from "./console.ts";
import { MAILING } from "../support/emails.ts";
import { recipients, simpleProduct } from "../support/fixtures.ts";
import { createGift } from "../support/gift.ts";
import { transition } from "../support/transition.ts";
import { startWorker } from "../support/worker.ts";

const paths = ROUTES.flatMap(({ list }) => list)
  .filter(({ method, path }) => method === "POST" && !path.endsWith("/export"))
  .map(({ path }) => path);

let engineer: ConsoleUser;
/** The values of the parameters. The order is paid, and one of its two gifts is cancelled. */
let parameters: Record<string, string>;

beforeAll(async () => {
  engineer = await (await openConsole({ env: MAILING })).signIn("engineer");
  const product = simpleProduct({}, { quantity: 10 });
  const order = { recipient_details: recipients(2) };
  const billing = { billing: "invoice", creditMinor: 0 } as const;
  const { client, orderId } = await createGift(startWorker(), [product], order, billing);
  await transition(env.DB, orderId, "pay", Date.now());
  const number = orderNumber(orderId);
  const [credentials] = await listCredentials(env.DB, client.clientId);
  parameters = {
    order: number,
    open: `${number}-2`,
    cancelled: `${number}-1`,
    client: client.clientId,
    variation: "0",
    product: String(product.product.id),
    set: String(credentials?.id),
  };
  const form = await engineer.get(`/gifts/${number}-1/cancel`);
  const plan = await engineer.submit(form, "Continue", { reason: "Ticket 7" });
  await engineer.submit(plan, "Cancel the gift");
});

/** Only the recipient of a gift that has ended can be erased. */
const pathOf = (path: string) =>
  path
    .replace(":gift", path.endsWith("/erase") ? ":cancelled" : ":open")
    .replaceAll(/:(\w+)/g, (_, name: string) => parameters[name] ?? "none");

const VALUES = { reason: "Ticket 7", reference: "Transfer 7", quantity: "5", pieces: "1" };

const lastButton = ({ html }: ConsolePage) =>
  (/.*<button[^>]*>([^<]+)/s.exec(html)?.[1] ?? "").replace("&#39;", "'");

const changes = () => env.DB.prepare("SELECT count(*) FROM audit_entries").first("count(*)");

/** The pages of the plans of all changes with a reason. */
async function plansWithReason(): Promise<ConsolePage[]> {
  const plans: ConsolePage[] = [];
  for (const path of paths) {
    const form = await engineer.get(pathOf(path));
    if (!form.html.includes('name="reason"')) continue;
    const plan = await engineer.submit(form, "Continue", VALUES);
    expect([path, plan.html]).toEqual([path, expect.stringContaining("confirmed_plan")]);
    plans.push(plan);
  }
  return plans;
}

test("the confirmation checks the reason of every change as its form does", async () => {
  const plans = await plansWithReason();
  expect(plans.filter(({ text }) => text.includes("This cannot be undone."))).toHaveLength(6);
  expect(plans).toHaveLength(8);
  const before = await changes();
  for (const plan of plans) {
    for (const reason of [null, " ", "x".repeat(201), "x".repeat(300_000), "a\u0000b", "a\nb"]) {
      const { status, html } = await engineer.submit(plan, lastButton(plan), { reason });
      expect([plan.path, status]).toEqual([plan.path, 422]);
      expect(html).toContain('id="field-reason-error"');
    }
  }
  expect(await changes()).toBe(before);
});

test("the confirmation checks the other fields too", async () => {
  const form = await engineer.get(pathOf("/orders/:order/refund"));
  const plan = await engineer.submit(form, "Continue", VALUES);
  const before = await changes();
  for (const reference of [null, "x".repeat(101)]) {
    const { status, html } = await engineer.submit(plan, lastButton(plan), { reference });
    expect([status, html]).toEqual([422, expect.stringContaining('id="field-reference-error"')]);
  }
  expect(await changes()).toBe(before);
});
