// A thousand recipients from placement to delivery: CSV files in both directions, and a Worker of the console that is
// killed while it records shipments.
import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { parse } from "csv-parse/sync";
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { EXIT } from "../../src/cli/operations/errors.ts";
import { adjustCredit } from "../../src/features/credit/adjust-queries.ts";
import { MAX_SHIPMENTS } from "../../src/features/fulfilment/change.ts";
import { NODE, OPS, run } from "../servers/command.ts";
import { serveConsole } from "../servers/console-server.ts";
import { callDemo, demoOrder } from "../servers/demo-gift.ts";
import { sqlOf } from "../servers/demo-server.ts";
import { copiedState } from "../servers/server.ts";

type Row = Record<string, string>;

const RECIPIENTS = MAX_SHIPMENTS;
const ORDERS = 2;
const GIFTS = RECIPIENTS * ORDERS;
const FILTERS = ["--client", "demo", "--country", "AU", "--delivery", "physical"];
const TRACKING_URL = "https://dhl.example/track?id={tracking_number}";

const state = copiedState(inject("seeded"));
let served: Awaited<ReturnType<typeof serveConsole>>;

const fileOf = (name: string) => path.join(state.folder, name);

const runOps = (words: string[]) => run(NODE, [OPS, ...words], { REGALO_CONSOLE_URL: served.url });

/** Runs a command that must succeed, and returns its output. */
async function ops(...words: string[]): Promise<string> {
  const { code, out, err } = await runOps(words);
  expect(code, err + out).toBe(0);
  return out;
}

const readRows = (csv: string | Buffer): Row[] => parse(csv, { columns: true });

const counts = () =>
  sqlOf(
    state,
    `SELECT count(*) AS shipments, count(DISTINCT tracking_number) AS numbers,
       count(*) FILTER (WHERE status = 'delivered') AS delivered,
       (SELECT sum(shipped_gifts) FROM orders WHERE order_ref_id LIKE 'campaign-%') AS shippedGifts,
       (SELECT sum(finished) FROM orders WHERE order_ref_id LIKE 'campaign-%') AS finished,
       (SELECT count(*) FROM events WHERE type = 'gift.shipped') AS shippedEvents,
       (SELECT count(DISTINCT order_id || '-' || gift_sequence) FROM events
         WHERE type = 'gift.shipped') AS giftsWithEvent,
       (SELECT count(*) FROM events WHERE type = 'gift.delivered') AS deliveredEvents,
       (SELECT count(*) FROM audit_entries WHERE action = 'shipment upload') AS audited
     FROM shipments WHERE status <> 'sent'`,
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
    const body = demoOrder(`campaign-${String(order)}`, recipients);
    await callDemo({ url: served.apiUrl }, "/api/order", body);
  }
}

/** The list of the open gifts. */
async function readPickList(): Promise<Row[]> {
  const file = fileOf("pick-list.csv");
  await ops("shipment", "picklist", ...FILTERS, "--csv", "--output", file);
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
  const ship = ["shipment", "upload", file, "--step", "ship", "--carrier", "DHL"];
  return { filled, ship: [...ship, "--tracking-url", TRACKING_URL, "--json"] };
}

/** The carrier's file about these gifts. It has tabs and names its columns in its own way. */
function carrierFile(sent: Row[]): string {
  const file = fileOf("delivered.txt");
  const reports = sent.map((row) => [row["tracking_number"], row["gift"], "Delivered"].join("\t"));
  writeFileSync(file, ["Waybill\tCustomer Reference\tStatus", ...reports].join("\n"));
  return file;
}

/** Runs the command until the Worker is in the middle of its second transaction, and kills the Worker then. */
async function killInSecondTransaction(words: string[]): Promise<void> {
  // A trigger holds the transaction, so that the moment of the kill does not depend on the speed of the machine.
  sqlOf(
    state,
    `CREATE TRIGGER hold BEFORE INSERT ON shipments
     WHEN (SELECT count(*) FROM shipments WHERE status <> 'sent') = ${String(RECIPIENTS + 100)} BEGIN
       SELECT count(*) FROM gifts a, gifts b, gifts c, gifts d;
     END`,
  );
  const command = runOps(words);
  await expect.poll(() => counts()?.["shipments"]).toBe(RECIPIENTS);
  await served.kill();
  const { code, out } = await command;
  expect([code, out]).toEqual([EXIT.unreachable, ""]);
  sqlOf(state, "DROP TRIGGER hold");
  served = await serveConsole(state);
}

beforeAll(async () => {
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
  served = await serveConsole(state);
  await placeOrders();
});

afterAll(async () => {
  await served.kill();
  state.remove();
});

test("1,000 gifts are shipped and delivered once each with files, although the Worker was killed", async () => {
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
  await killInSecondTransaction(ship);
  const half = { shipments: RECIPIENTS, shippedGifts: RECIPIENTS, shippedEvents: RECIPIENTS };
  expect(counts()).toMatchObject({ ...half, finished: 1, audited: RECIPIENTS });
  const { facts } = JSON.parse(await ops(...ship));
  expect(facts).toEqual({ unchanged: RECIPIENTS, shipped: GIFTS - RECIPIENTS });
  expect(counts()).toMatchObject({ ...ALL_SHIPPED, delivered: 0, audited: GIFTS });
  expect(await readPickList()).toEqual([]);

  const since = ["--status", "shipped", "--since", "2020-01-01"];
  const sent = readRows(await ops("shipment", "picklist", "--client", "demo", "--csv", ...since));
  expect(sent.map((row) => row["tracking_url"]).sort()).toEqual(
    filled.map((row) => TRACKING_URL.replace("{tracking_number}", row.tracking_number)).sort(),
  );
  const deliver = ["shipment", "upload", carrierFile(sent), "--step", "deliver", "--json"];
  const answer = ["--only", "Status is Delivered"];
  expect(JSON.parse(await ops(...deliver, ...answer)).facts).toEqual({ delivered: GIFTS });
  // The answer is remembered.
  expect(JSON.parse(await ops(...deliver)).facts).toEqual({ unchanged: GIFTS });
  expect(counts()).toMatchObject({
    ...ALL_SHIPPED,
    delivered: GIFTS,
    deliveredEvents: GIFTS,
    audited: 2 * GIFTS,
  });
});
