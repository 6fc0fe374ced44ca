// A server that is killed under load.
import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { SECOND_MS } from "../../src/core/values/time.ts";
import { callDemo, demoOrder } from "../servers/demo-gift.ts";
import { JSON_HEADERS, useDemoServer } from "../servers/demo-server.ts";
import { runs } from "../support/runs.ts";
import { expectSound } from "../servers/sound.ts";

const KILLS = runs(40);
const CALLERS = 8;
/** Responses before each kill. All orders of a full run need less than the stock. */
const ANSWERS = 40;

const server = useDemoServer();

/** The references of the orders that were sent, some with the text of their response. */
const answered = new Map<string, string>();
const unanswered = new Set<string>();
let sent = 0;

/** Sends an order, again after a pause if the server asks for one, and records its response if there is one. */
async function send(reference: string): Promise<void> {
  unanswered.add(reference);
  try {
    const response = await fetch(`${server.url}/api/gift-link`, {
      method: "POST",
      headers: JSON_HEADERS,
      body: JSON.stringify(demoOrder(reference, {}, 2)),
    });
    const pause = response.headers.get("Retry-After");
    if (pause !== null) {
      await sleep(Number(pause) * SECOND_MS);
      await send(reference);
      return;
    }
    const text = await response.text();
    expect(response.status, text).toBe(200);
    answered.set(reference, text);
    unanswered.delete(reference);
  } catch (error) {
    // The kill ends connections.
    if (!(error instanceof TypeError)) throw error;
  }
}

/** Kills the server when this number of orders has been answered and others are under way. */
async function killUnderLoad(): Promise<void> {
  const enough = answered.size + ANSWERS;
  const call = async () => {
    while (answered.size < enough) await send(`load-${String(++sent)}`);
  };
  const load = Array.from({ length: CALLERS }, call);
  await Promise.race(load);
  await Promise.all([server.kill(), ...load]);
  await server.restart();
}

test(`killed ${String(KILLS)} times under load, it loses and duplicates no order`, async () => {
  await callDemo(server, "/api/sandbox/credit", { amount: "9000000.00", reference: "load" });
  for (let kill = 0; kill < KILLS; kill++) await killUnderLoad();
  expect(unanswered.size).toBeGreaterThan(0);

  // A repeated request gets the same response as before, and a request without a response gets exactly one order.
  const texts = new Map(answered);
  const references = [...answered.keys(), ...unanswered].values();
  const repeat = async () => {
    for (const reference of references) await send(reference);
  };
  await Promise.all(Array.from({ length: CALLERS }, repeat));
  for (const [reference, text] of texts) expect(answered.get(reference)).toBe(text);
  expect([...unanswered]).toEqual([]);

  const orders = server.sql<{ reference: string }>(
    "SELECT order_ref_id AS reference FROM orders WHERE order_ref_id LIKE 'load-%'",
  );
  expect(orders.map(({ reference }) => reference).sort()).toEqual([...answered.keys()].sort());
  await server.state.use(({ DB }) => expectSound(DB, { productId: 1001, quantity: 5_000 }));
}, 1_200_000);
