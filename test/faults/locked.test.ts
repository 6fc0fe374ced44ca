// A local database that several processes use: `npm start` and the operator's commands.
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { describeError } from "../../src/cli/errors.ts";
import { demoOrder } from "../servers/demo-gift.ts";
import { AUTH, JSON_HEADERS, lockFile, useDemoServer } from "../servers/demo-server.ts";
import { NODE, OPS, run } from "../servers/command.ts";
import { runOps } from "../cli/ops.ts";
import { runs } from "../support/runs.ts";
import { copiedState, type LocalState } from "../servers/server.ts";
import { expectSound } from "../servers/sound.ts";

const server = useDemoServer();

const lock = () => lockFile(server.state);

/** Locks a database that the runtime opens before it starts, like another process that is starting. */
const lockStart = (own: LocalState) =>
  lockFile(own, "PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE", /^metadata\.sqlite$/);

/** Starts the calls while the database is locked. Returns their results and whether it was still locked at their end. */
async function whileLocked(unlock: () => void, ms: number, calls: (() => Promise<unknown>)[]) {
  let isLocked = true;
  const results = calls.map(async (call) => ({ result: await call(), isLocked }));
  await sleep(ms);
  isLocked = false;
  unlock();
  return Promise.all(results);
}

const statusOf = (response: Promise<Response>) => response.then(({ status }) => status);

const readBalance = () => statusOf(fetch(`${server.url}/api/credit-balance`, { headers: AUTH }));

const placeOrder = (reference: string) =>
  statusOf(
    fetch(`${server.url}/api/order`, {
      method: "POST",
      headers: JSON_HEADERS,
      body: JSON.stringify(demoOrder(reference, { product_id: 1002 })),
    }),
  );

const LOCKED = "the local database is locked by another process. Try again.";

describe("while another process writes", () => {
  test("reads and writes of the server and of a command wait", async () => {
    await server.state.use(async ({ DB }) => {
      const done = await whileLocked(lock(), 1_000, [
        () => DB.prepare("SELECT count(*) AS n FROM clients").first("n"),
        () => DB.batch([DB.prepare("UPDATE clients SET name = name")]).then(() => "written"),
        readBalance,
        () => placeOrder("waits"),
      ]);
      expect(done).toEqual([3, "written", 200, 200].map((result) => ({ result, isLocked: false })));
    });
  });

  test("a command exits with 3 and one sentence after its retries", async () => {
    await server.state.use(async ({ DB }) => {
      const unlock = lock();
      const failure = await DB.prepare("SELECT 1")
        .first()
        .catch((error: unknown) => describeError(error));
      unlock();
      expect(failure).toEqual({ exitCode: 3, message: LOCKED });
    });
  });
});

describe("while another process starts", () => {
  let own: LocalState;

  beforeAll(() => {
    own = copiedState(inject("seeded"));
  });

  afterAll(() => {
    own.remove();
  });

  // Its process prints nothing of the runtime, which reports the lock on stderr.
  const clients = () => run(NODE, [OPS, "--persist-to", own.folder, "client", "list"]);

  test("a command waits", async () => {
    const [done] = await whileLocked(lockStart(own), 2_000, [clients]);
    expect(done).toMatchObject({ result: { code: 0, err: "" }, isLocked: false });
  });

  test("a command exits with 3 and one sentence after its retries", async () => {
    const unlock = lockStart(own);
    const { code, err } = await clients();
    unlock();
    expect([code, err]).toEqual([3, `error: ${LOCKED}\n`]);
  });
});

describe("the operator's commands during load on the server", () => {
  const REPEATS = runs(20);
  const CALLERS = 4;

  /** Orders and readings until `work` has ended. Returns the statuses of the responses. */
  async function underLoad(work: () => Promise<void>): Promise<Set<number>> {
    const statuses = new Set<number>();
    let sent = 0;
    let isUp = true;
    const load = Array.from({ length: CALLERS }, async () => {
      while (isUp) {
        statuses.add(await placeOrder(`load-${String(++sent)}`));
        statuses.add(await readBalance());
      }
    });
    await work().finally(() => (isUp = false));
    await Promise.all(load);
    return statuses;
  }

  async function ops(...words: string[]): Promise<void> {
    const { code, err } = await runOps(...words, "--persist-to", server.state.folder);
    expect(code, err).toBe(0);
  }

  test("all succeed, as do all requests", async () => {
    const statuses = await underLoad(async () => {
      for (let n = 1; n <= REPEATS; n++) {
        const name = `repeat-${String(n)}`;
        await Promise.all([
          ops("credit add demo 1.00 --reference", name),
          ops(`client add ${name} --name R --billing invoice --currency AUD`),
        ]);
        await ops("order list");
      }
    });
    // The credit may be used up.
    expect([...statuses].filter((status) => ![200, 402].includes(status))).toEqual([]);
    const booked = "SELECT 1 FROM credit_entries WHERE reference LIKE 'repeat-%'";
    expect(server.sql(booked)).toHaveLength(REPEATS);
    await server.state.use(({ DB }) => expectSound(DB, { productId: 1001, quantity: 5_000 }));
  });
});
