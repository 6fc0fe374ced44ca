// A local database that several processes use: `npm start` and the operator's commands.
import { readdirSync } from "node:fs";
import path from "node:path";
import { DatabaseSync } from "node:sqlite";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { describeError } from "../../src/cli/errors.ts";
import { demoOrder } from "../servers/demo-gift.ts";
import { AUTH, JSON_HEADERS, useDemoServer } from "../servers/demo-server.ts";
import { NODE, OPS, run } from "../servers/command.ts";
import { runs } from "../support/runs.ts";
import { type LocalState, seededState } from "../servers/server.ts";

const server = useDemoServer();

/** Locks the database like a process that writes to it, until the returned function is called. */
const lock = () => begin("BEGIN IMMEDIATE", server.state, /^[0-9a-f]+\.sqlite$/);

/**
 * Locks a database that the runtime opens before it starts, like another process that is starting, until the returned
 * function is called.
 */
const lockStart = (own: LocalState) =>
  begin("PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE", own, /^metadata\.sqlite$/);

function begin(sql: string, { folder }: LocalState, file: RegExp): () => void {
  const databases = path.join(folder, "v3/d1/miniflare-D1DatabaseObject");
  const name = readdirSync(databases).find((entry) => file.test(entry)) ?? "";
  const other = new DatabaseSync(path.join(databases, name), { timeout: 10_000 });
  other.exec(sql);
  return () => {
    other.exec("ROLLBACK");
    other.close();
  };
}

const readBalance = () => fetch(`${server.url}/api/credit-balance`, { headers: AUTH });

const placeOrder = (reference: string) =>
  fetch(`${server.url}/api/order`, {
    method: "POST",
    headers: JSON_HEADERS,
    body: JSON.stringify(demoOrder(reference, { product_id: 1002 })),
  });

describe("while another process writes", () => {
  test("reads and writes of the server and of a command wait", { timeout: 60_000 }, async () => {
    await server.state.use(async ({ DB }) => {
      const unlock = lock();
      let isLocked = true;
      const whenDone = async <T>(work: Promise<T>) => ({ result: await work, isLocked });
      const calls = Promise.all([
        whenDone(DB.prepare("SELECT count(*) AS n FROM clients").first<number>("n")),
        whenDone(DB.batch([DB.prepare("UPDATE clients SET name = name")])),
        whenDone(readBalance()),
        whenDone(placeOrder("waits")),
      ]);
      await sleep(1_000);
      isLocked = false;
      unlock();
      const [count, batch, balance, order] = await calls;
      expect(count).toEqual({ result: 3, isLocked: false });
      expect([batch.isLocked, balance.isLocked, order.isLocked]).toEqual([false, false, false]);
      expect([balance.result.status, order.result.status]).toEqual([200, 200]);
    });
  });

  test(
    "a command exits with 3 and one sentence after its retries",
    { timeout: 120_000 },
    async () => {
      await server.state.use(async ({ DB }) => {
        const unlock = lock();
        const failure = await DB.prepare("SELECT 1")
          .first()
          .catch((error: unknown) => describeError(error));
        unlock();
        expect(failure).toEqual({
          exitCode: 3,
          message: "the local database is locked by another process. Try again.",
        });
      });
    },
  );
});

describe("while another process starts", () => {
  let own: LocalState;

  beforeAll(async () => {
    own = await seededState();
  }, 120_000);

  afterAll(() => {
    own.remove();
  });

  const clients = () => run(NODE, [OPS, "--persist-to", own.folder, "client", "list"]);

  test("a command waits", { timeout: 60_000 }, async () => {
    const unlock = lockStart(own);
    let isLocked = true;
    const done = clients().then((result) => ({ ...result, isLocked }));
    await sleep(2_000);
    isLocked = false;
    unlock();
    expect(await done).toMatchObject({ code: 0, err: "", isLocked: false });
  });

  test(
    "a command exits with 3 and one sentence after its retries",
    { timeout: 120_000 },
    async () => {
      const unlock = lockStart(own);
      const { code, err } = await clients();
      unlock();
      expect([code, err]).toEqual([
        3,
        "error: the local database is locked by another process. Try again.\n",
      ]);
    },
  );
});

describe("the operator's commands during load on the server", () => {
  const REPEATS = runs(20);
  const CALLERS = 4;

  test("all succeed, as do all requests", { timeout: 900_000 }, async () => {
    const statuses = new Set<number>();
    let sent = 0;
    let isUp = true;
    const load = Array.from({ length: CALLERS }, async () => {
      while (isUp) {
        statuses.add((await placeOrder(`load-${String(++sent)}`)).status);
        statuses.add((await readBalance()).status);
      }
    });
    const ops = async (...words: string[]) => {
      const { code, err } = await run(NODE, [OPS, "--persist-to", server.state.folder, ...words]);
      expect(code, err).toBe(0);
      expect(err).not.toMatch(/SQLITE|workerd/);
    };
    try {
      for (let n = 1; n <= REPEATS; n++) {
        const name = `repeat-${String(n)}`;
        const profile = ["--name", "R", "--billing", "invoice", "--currency", "AUD"];
        await Promise.all([
          ops("credit", "add", "demo", "1.00", "--reference", name),
          ops("client", "add", name, ...profile),
        ]);
        await Promise.all([
          ops("catalogue", "publish", "seed/catalogue.json"),
          ops("order", "list"),
        ]);
      }
    } finally {
      isUp = false;
      await Promise.all(load);
    }
    // The credit may be used up.
    expect([...statuses].filter((status) => ![200, 402].includes(status))).toEqual([]);
    expect(sent).toBeGreaterThan(REPEATS * CALLERS);

    const account = "client_id = 'demo' AND currency = 'AUD'";
    const booked = await server.state.use(({ DB }) =>
      DB.prepare(
        `SELECT (SELECT count(*) FROM credit_entries WHERE ${account} AND reference LIKE 'repeat-%') AS entries,
           (SELECT sum(amount_minor) FROM credit_entries WHERE ${account}) AS ledgerMinor,
           (SELECT balance_minor FROM credit_accounts WHERE ${account}) AS balanceMinor`,
      ).first<{ entries: number; ledgerMinor: number; balanceMinor: number }>(),
    );
    expect(booked?.entries).toBe(REPEATS);
    expect(booked?.ledgerMinor).toBe(booked?.balanceMinor);
  });
});
