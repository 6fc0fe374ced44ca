// A thousand recipients from placement to delivery: CSV files in both directions, and a command that is killed while it
// records shipments.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { parse } from "csv-parse/sync";
import { beforeAll, expect, test } from "vitest";
import { PROJECT_ROOT } from "../../src/cli/paths.ts";
import { adjustCredit } from "../../src/features/credit/adjust-queries.ts";
import { callDemo, demoOrder } from "../servers/demo-gift.ts";
import { useDemoServer } from "../servers/demo-server.ts";
import { NODE, OPS, run } from "../servers/command.ts";
import { runOps } from "../cli/ops.ts";

type Row = Record<string, string>;

const RECIPIENTS = 500;
const ORDERS = 2;
const GIFTS = RECIPIENTS * ORDERS;
const FILTERS = ["--client", "demo", "--country", "AU", "--delivery", "physical"];
const TRACKING_URL = "https://dhl.example/track?id={tracking_number}";

const server = useDemoServer();

const fileOf = (name: string) => path.join(server.state.folder, name);
const wordsOf = (words: string[]) => [OPS, "--persist-to", server.state.folder, ...words];

/** Runs a command that must succeed, and returns its output. */
async function ops(...words: string[]): Promise<string> {
  const { code, out, err } = await runOps("--persist-to", server.state.folder, ...words);
  expect(code, err + out).toBe(0);
  return out;
}

const readRows = (csv: string | Buffer): Row[] => parse(csv, { columns: true });

const counts = () =>
  server.sql(
    `SELECT count(*) AS shipments, count(DISTINCT tracking_number) AS numbers,
       count(*) FILTER (WHERE status = 'delivered') AS delivered,
       (SELECT sum(shipped_gifts) FROM orders) AS shippedGifts,
       (SELECT sum(finished) FROM orders WHERE order_ref_id LIKE 'campaign-%') AS finished,
       (SELECT count(*) FROM events WHERE type = 'gift.shipped') AS shippedEvents,
       (SELECT count(DISTINCT order_id || '-' || suborder_sequence) FROM events
         WHERE type = 'gift.shipped') AS giftsWithEvent,
       (SELECT count(*) FROM events WHERE type = 'gift.delivered') AS deliveredEvents
     FROM shipments`,
  )[0];

const ALL_SHIPPED = {
  shipments: GIFTS,
  numbers: GIFTS,
  shippedGifts: GIFTS,
  finished: ORDERS,
  shippedEvents: GIFTS,
  giftsWithEvent: GIFTS,
};

async function placeOrders(): Promise<void> {
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
}

/** The list of the open gifts. */
async function readPickList(): Promise<Row[]> {
  const file = fileOf("pick-list.csv");
  await ops("shipment", "list", ...FILTERS, "--csv", "--output", file);
  return readRows(readFileSync(file));
}

/** The list as Excel for Windows saves it, with tracking numbers, and the command that records it. */
function fillIn(rows: Row[]) {
  const cell = (text: string) => `"${text.replaceAll('"', '""')}"`;
  const filled = rows.map((row, index) => ({
    ...row,
    tracking_number: `00${String(1_000_000 + index)}`,
  }));
  const lines = [
    Object.keys(filled[0] ?? {}),
    ...filled.map((row) => Object.values<string>(row)),
  ].map((cells) => cells.map(cell).join(";"));
  const file = fileOf("tracking.csv");
  writeFileSync(file, `\ufeff${lines.join("\r\n")}\r\n`);
  const ship = ["shipment", "ship", "--file", file, "--carrier", "DHL"];
  return { filled, ship: [...ship, "--tracking-url", TRACKING_URL] };
}

/** The carrier's file about these gifts. It has tabs and names its columns in its own way. */
function carrierFile(sent: Row[]): string {
  const file = fileOf("delivered.txt");
  const reports = sent.map((row) =>
    [row["tracking_number"], row["suborder_number"], "Delivered"].join("\t"),
  );
  writeFileSync(file, ["Waybill\tCustomer Reference\tStatus", ...reports].join("\n"));
  return file;
}

/** Runs the command until it is in the middle of the transaction of its second chunk, and kills it then. */
async function killInSecondChunk(words: string[]): Promise<void> {
  // A trigger holds the transaction, so that the moment of the kill does not depend on the speed of the machine.
  server.sql(
    `CREATE TRIGGER hold BEFORE INSERT ON shipments
     WHEN (SELECT count(*) FROM shipments) = 600 BEGIN
       SELECT count(*) FROM sub_orders a, sub_orders b, sub_orders c, sub_orders d;
     END`,
  );
  // A process group of its own, so that workerd is killed too.
  const child = spawn(NODE, wordsOf(words), {
    cwd: PROJECT_ROOT,
    detached: true,
    stdio: ["ignore", "ignore", "pipe"],
  });
  const ended = once(child, "exit");
  let progress = "";
  for await (const text of child.stderr.setEncoding("utf8")) {
    progress += String(text);
    if (progress.includes("recorded 500 of 1,000")) process.kill(-(child.pid as number), "SIGKILL");
  }
  expect(await ended, progress).toEqual([null, "SIGKILL"]);
  server.sql("DROP TRIGGER hold");
}

beforeAll(async () => {
  await server.state.use(({ DB }) =>
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
});

test("a reader of the list that ends early, such as `head`, ends the command without an error", async () => {
  const piped = ["set -o pipefail", `"$0" "$@" | head -n 1`].join("; ");
  const listAll = wordsOf(["shipment", "list", ...FILTERS, "--csv"]);
  expect(await run("bash", ["-c", piped, NODE, ...listAll])).toMatchObject({
    code: 0,
    out: expect.stringMatching(/^suborder_number,.*\r\n$/),
    err: "",
  });
});

test("1,000 gifts are shipped and delivered once each with files, although a command was killed", async () => {
  const rows = await readPickList();
  expect(rows).toHaveLength(GIFTS);
  expect(rows[0]).toMatchObject({
    order_ref_id: "campaign-1",
    client_id: "demo",
    country: "AU",
    shipment_status: "open",
    name: `'=Ada "0" Zoë; Park`,
    address_line_1: "1 Plane Tree Lane",
    carrier: "",
  });

  const { filled, ship } = fillIn(rows);
  await killInSecondChunk(ship);
  const half = { shipments: 500, shippedGifts: 500, shippedEvents: 500, finished: 1 };
  expect(counts()).toMatchObject(half);
  const shipped = JSON.parse(await ops(...ship, "--json"));
  expect(shipped).toMatchObject({ counts: { unchanged: 500, shipped: 500 } });
  expect(counts()).toMatchObject({ ...ALL_SHIPPED, delivered: 0 });
  expect(await readPickList()).toEqual([]);

  const since = ["--status", "shipped", "--since", "2020-01-01"];
  const sent = readRows(await ops("shipment", "list", "--client", "demo", "--csv", ...since));
  expect(sent.map((row) => row["tracking_url"]).sort()).toEqual(
    filled.map((row) => TRACKING_URL.replace("{tracking_number}", row.tracking_number)).sort(),
  );
  const deliver = ["shipment", "deliver", "--file", carrierFile(sent), "--json"];
  for (const outcome of ["delivered", "unchanged"]) {
    expect(JSON.parse(await ops(...deliver))).toMatchObject({ counts: { [outcome]: GIFTS } });
  }
  expect(counts()).toEqual({ ...ALL_SHIPPED, delivered: GIFTS, deliveredEvents: GIFTS });
});
