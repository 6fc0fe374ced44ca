// A thousand recipients from placement to delivery: CSV files in both directions, and a process that is killed while it
// records shipments.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import path from "node:path";
import { parse } from "csv-parse/sync";
import { beforeAll, expect, test } from "vitest";
import { PROJECT_ROOT } from "../../src/cli/paths.ts";
import { adjustCredit } from "../../src/features/credit/adjust-queries.ts";
import { callDemo, demoOrder } from "../servers/demo-gift.ts";
import { useDemoServer } from "../servers/demo-server.ts";
import { NODE, run } from "../servers/command.ts";

type Row = Record<string, string>;

const RECIPIENTS = 500;
const ORDERS = 2;
const GIFTS = RECIPIENTS * ORDERS;
const FILTERS = { client: "demo", country: "AU", delivery: "physical" };
const OPERATION = path.join(PROJECT_ROOT, "test/faults/shipment-operation.ts");
const TRACKING_URL = "https://dhl.example/track?id={tracking_number}";

const server = useDemoServer();

const fileOf = (name: string) => path.join(server.state.folder, name);

const wordsOf = (input: object, ...file: string[]) => [
  OPERATION,
  server.state.folder,
  JSON.stringify(input),
  ...file,
];

/** Runs an operation that must succeed, and returns its output. */
async function operate(...words: Parameters<typeof wordsOf>): Promise<string> {
  const { code, out, err } = await run(NODE, wordsOf(...words));
  expect(code, err + out).toBe(0);
  return out;
}

/** Uploads a file, and returns the number of gifts with each result. */
async function upload(...words: Parameters<typeof wordsOf>): Promise<unknown> {
  const { content, plan } = JSON.parse(await operate(...words));
  return (content ?? plan).facts;
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

const readPickList = async (filters: object = FILTERS) => readRows(await operate(filters));

/** The list as Excel for Windows saves it, with tracking numbers, and the upload that records it. */
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
  const input = { step: "ship", carrier: "DHL", tracking_url: TRACKING_URL };
  return { filled, ship: [input, file] as const };
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

/** Runs the upload until it is in the middle of the transaction of its second chunk, and kills it then. */
async function killInSecondChunk(words: string[]): Promise<void> {
  // A trigger holds the transaction, so that the moment of the kill does not depend on the speed of the machine.
  server.sql(
    `CREATE TRIGGER hold BEFORE INSERT ON shipments
     WHEN (SELECT count(*) FROM shipments) = 600 BEGIN
       SELECT count(*) FROM sub_orders a, sub_orders b, sub_orders c, sub_orders d;
     END`,
  );
  // A process group of its own, so that workerd is killed too.
  const child = spawn(NODE, words, {
    cwd: PROJECT_ROOT,
    detached: true,
    stdio: ["ignore", "ignore", "pipe"],
  });
  const ended = once(child, "exit");
  let progress = "";
  for await (const text of child.stderr.setEncoding("utf8")) {
    progress += String(text);
    if (progress.includes("500 of 1000")) process.kill(-(child.pid as number), "SIGKILL");
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

test("1,000 gifts are shipped and delivered once each with files, although a process was killed", async () => {
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
  await killInSecondChunk(wordsOf(...ship));
  const half = { shipments: 500, shippedGifts: 500, shippedEvents: 500, finished: 1 };
  expect(counts()).toMatchObject(half);
  expect(await upload(...ship)).toEqual({ unchanged: 500, shipped: 500 });
  expect(counts()).toMatchObject({ ...ALL_SHIPPED, delivered: 0 });
  expect(await readPickList()).toEqual([]);

  const sent = await readPickList({ client: "demo", status: "shipped", since: "2020-01-01" });
  expect(sent.map((row) => row["tracking_url"]).sort()).toEqual(
    filled.map((row) => TRACKING_URL.replace("{tracking_number}", row.tracking_number)).sort(),
  );
  const deliver = [{ step: "deliver" }, carrierFile(sent)] as const;
  for (const outcome of ["delivered", "unchanged"]) {
    expect(await upload(...deliver)).toEqual({ [outcome]: GIFTS });
  }
  expect(counts()).toEqual({ ...ALL_SHIPPED, delivered: GIFTS, deliveredEvents: GIFTS });
});
