// A thousand recipients from placement to delivery: commands as processes, CSV files in both directions, and a command
// that is killed while it records shipments.
import { spawn } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { parse } from "csv-parse/sync";
import { afterAll, beforeAll, expect, test } from "vitest";
import { PROJECT_ROOT } from "../../src/cli/paths.ts";
import { adjustCredit } from "../../src/features/credit/adjust-queries.ts";
import { callDemo, demoOrder } from "../servers/demo-gift.ts";
import { NODE, OPS, run } from "../servers/command.ts";
import { type LocalState, seededState, startServer } from "../servers/server.ts";

const RECIPIENTS = 500;
const ORDERS = 2;

let state: LocalState;

beforeAll(async () => {
  state = await seededState();
}, 240_000);

afterAll(() => {
  state.remove();
});

const fileOf = (name: string) => path.join(state.folder, name);
const wordsOf = (words: string[]) => [OPS, "--persist-to", state.folder, ...words];

/** Runs a command that must succeed, and returns its output. */
async function ops(...words: string[]): Promise<string> {
  const { code, out, err } = await run(NODE, wordsOf(words));
  expect(code, err + out).toBe(0);
  return out;
}

async function placeOrders(): Promise<void> {
  const server = await startServer(state);
  try {
    for (let order = 1; order <= ORDERS; order++) {
      const recipients = {
        recipient_details: Array.from({ length: RECIPIENTS }, (_, index) => ({
          first_name: `=Ada "${String(index)}"`,
          last_name: "Zoë; Park",
          email: `ada-${String(index)}@example.com`,
          phone_number: "+61 2 5550 0100",
          delivery_address: {
            address_line_1: `${String(index + 1)} Plane Tree Lane`,
            suburb: "Brunswick",
            postcode_zipcode: "3056",
            country: "Australia",
          },
        })),
      };
      await callDemo(server, "/api/order", demoOrder(`campaign-${String(order)}`, recipients));
    }
  } finally {
    await server.kill();
  }
}

/**
 * Runs the command until it has recorded the first chunk and is in the middle of the transaction of the second, and kills
 * it then.
 */
async function killInSecondChunk(words: string[]): Promise<void> {
  // A trigger holds the transaction, so that the moment of the kill does not depend on the speed of the machine.
  await state.use(({ DB }) =>
    DB.prepare(
      `CREATE TRIGGER hold BEFORE INSERT ON shipments
       WHEN (SELECT count(*) FROM shipments) = 600 BEGIN
         SELECT count(*) FROM sub_orders a, sub_orders b, sub_orders c, sub_orders d;
       END`,
    ).run(),
  );
  // A process group of its own, so that workerd is killed too.
  const child = spawn(NODE, wordsOf(words), {
    cwd: PROJECT_ROOT,
    detached: true,
    stdio: ["ignore", "ignore", "pipe"],
  });
  const ended = new Promise((resolve) => child.once("exit", resolve));
  let progress = "";
  await new Promise<void>((resolve, reject) => {
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      progress += text;
      if (progress.includes("recorded 500 of 1,000")) resolve();
    });
    child.once("exit", () => {
      reject(new Error(`the command ended by itself: ${progress}`));
    });
  });
  process.kill(-(child.pid as number), "SIGKILL");
  await ended;
  await state.use(({ DB }) => DB.prepare("DROP TRIGGER hold").run());
}

const countsIn = (DB: D1Database) =>
  DB.prepare(
    `SELECT count(*) AS shipments, count(DISTINCT tracking_number) AS numbers,
       count(*) FILTER (WHERE status = 'delivered') AS delivered,
       (SELECT sum(shipped_gifts) FROM orders) AS shippedGifts,
       (SELECT sum(finished) FROM orders WHERE order_ref_id LIKE 'campaign-%') AS finished,
       (SELECT count(*) FROM events WHERE type = 'gift.shipped') AS shippedEvents,
       (SELECT count(DISTINCT order_id || '-' || suborder_sequence) FROM events
         WHERE type = 'gift.shipped') AS giftsWithEvent,
       (SELECT count(*) FROM events WHERE type = 'gift.delivered') AS deliveredEvents
     FROM shipments`,
  ).first();

test(
  "1,000 gifts are shipped and delivered once each with files, although a command was killed",
  { timeout: 900_000 },
  async () => {
    await state.use(({ DB }) =>
      adjustCredit(DB, {
        clientId: "demo",
        currency: "AUD",
        amountMinor: 1_000_000_00,
        reference: "campaign",
        note: null,
        nowMs: Date.now(),
      }),
    );
    await placeOrders();

    const pickList = fileOf("pick-list.csv");
    const filters = ["--client", "demo", "--country", "AU", "--delivery", "physical"];
    await ops("shipment", "list", ...filters, "--csv", "--output", pickList);
    const rows: Record<string, string>[] = parse(readFileSync(pickList), { columns: true });
    expect(rows).toHaveLength(RECIPIENTS * ORDERS);
    expect(rows[0]).toMatchObject({
      order_ref_id: "campaign-1",
      client_id: "demo",
      country: "AU",
      shipment_status: "open",
      name: `'=Ada "0" Zoë; Park`,
      address_line_1: "1 Plane Tree Lane",
      carrier: "",
    });

    // A reader that ends early, such as `head`, ends the command without an error.
    const piped = ["set -o pipefail", `"$0" "$@" | head -n 1`].join("; ");
    const listAll = wordsOf(["shipment", "list", ...filters, "--csv"]);
    expect(await run("bash", ["-c", piped, NODE, ...listAll])).toMatchObject({
      code: 0,
      out: expect.stringMatching(/^suborder_number,.*\r\n$/),
      err: "",
    });

    // The warehouse returns the list as Excel for Windows saves it, with tracking numbers.
    const cell = (text: string) => `"${text.replaceAll('"', '""')}"`;
    const filled = rows.map((row, index) => ({
      ...row,
      tracking_number: `00${String(1_000_000 + index)}`,
    }));
    const lines = [
      Object.keys(filled[0] ?? {}),
      ...filled.map((row) => Object.values<string>(row)),
    ].map((cells) => cells.map(cell).join(";"));
    const tracking = fileOf("tracking.csv");
    writeFileSync(tracking, `\ufeff${lines.join("\r\n")}\r\n`);

    const url = "https://dhl.example/track?id={tracking_number}";
    const ship = ["shipment", "ship", "--file", tracking, "--carrier", "DHL"];
    ship.push("--tracking-url", url);
    const dryRun = JSON.parse(await ops(...ship, "--dry-run", "--json"));
    expect(dryRun).toMatchObject({ dryRun: true, counts: { shipped: 1_000 } });
    expect(await state.use(({ DB }) => countsIn(DB))).toMatchObject({ shipments: 0 });

    await killInSecondChunk(ship);
    expect(await state.use(({ DB }) => countsIn(DB))).toMatchObject({
      shipments: 500,
      shippedGifts: 500,
      shippedEvents: 500,
      finished: 1,
    });

    expect(JSON.parse(await ops(...ship, "--json"))).toMatchObject({
      counts: { unchanged: 500, shipped: 500 },
    });
    const shipped = {
      shipments: 1_000,
      numbers: 1_000,
      shippedGifts: 1_000,
      finished: ORDERS,
      shippedEvents: 1_000,
      giftsWithEvent: 1_000,
    };
    expect(await state.use(({ DB }) => countsIn(DB))).toMatchObject({ ...shipped, delivered: 0 });
    const list = ["shipment", "list", "--client", "demo", "--csv"];
    expect((await ops(...list, "--delivery", "physical")).trim().split("\r\n")).toHaveLength(1);

    // The carrier's file has tabs and names its columns in its own way.
    const sent: Record<string, string>[] = parse(
      await ops(...list, "--status", "shipped", "--since", "2020-01-01"),
      { columns: true },
    );
    expect(sent.map((row) => row["tracking_url"]).sort()).toEqual(
      filled.map((row) => url.replace("{tracking_number}", row.tracking_number)).sort(),
    );
    const delivered = fileOf("delivered.txt");
    const reports = sent.map((row) =>
      [row["tracking_number"], row["suborder_number"], "Delivered"].join("\t"),
    );
    writeFileSync(delivered, ["Waybill\tCustomer Reference\tStatus", ...reports].join("\n"));
    const deliver = ["shipment", "deliver", "--file", delivered, "--json"];
    expect(JSON.parse(await ops(...deliver))).toMatchObject({ counts: { delivered: 1_000 } });
    expect(JSON.parse(await ops(...deliver))).toMatchObject({ counts: { unchanged: 1_000 } });
    expect(await state.use(({ DB }) => countsIn(DB))).toEqual({
      ...shipped,
      delivered: 1_000,
      deliveredEvents: 1_000,
    });
  },
);
