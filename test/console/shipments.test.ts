// The pages of shipments: the list, the pick list, the files of carriers and single gifts.
import { env } from "cloudflare:workers";
import { beforeAll, expect, test } from "vitest";
import { listAudit } from "../../src/operator/audit/queries.ts";
import { readShipments } from "../../src/operator/fulfilment/queries.ts";
import { suborderNumber } from "../../src/core/values/ids.ts";
import {
  createClient,
  openShop,
  orderOf,
  recipients,
  simpleProduct,
  type TestClient,
  type TestProduct,
} from "../support/fixtures.ts";
import { copyOrder, importListed } from "../support/listed-orders.ts";
import { placeOrder } from "../support/orders.ts";
import { type ConsoleUser, openConsole, type TestConsole } from "./console.ts";
import { sql } from "../support/sql.ts";
import { startWorker } from "../support/worker.ts";

let testConsole: TestConsole;
let user: ConsoleUser;

beforeAll(async () => {
  testConsole = await openConsole();
  user = await testConsole.signIn("fulfilment");
});

const HOSTILE = `<b>"Mug"</b> & <script>alert(1)</script>`;

async function place(client: TestClient, product: TestProduct, count = 1, changes = {}) {
  const recipient_details = recipients(count);
  const { order_data } = await placeOrder(
    startWorker(),
    client,
    orderOf(product, { recipient_details, ...changes }),
  );
  return order_data.order_id;
}

async function toShip(count = 1, product = simpleProduct({}, { quantity: 1_000 })) {
  const { client } = await openShop(product);
  const orderId = await place(client, product, count);
  const numberOf = (sequence: number) => suborderNumber(orderId, sequence);
  return { client, product, orderId, numberOf };
}

const statusOf = async (orderId: number) =>
  (await readShipments(env.DB, orderId, null)).map(({ shipmentStatus }) => shipmentStatus);

const auditOf = (orderId: number) => listAudit(env.DB, { orderId, limit: 100 });

test("lists the gifts to ship with filters, escaped, in at most three reads", async () => {
  const { vendor } = simpleProduct().product;
  const product = simpleProduct({ name: HOSTILE, vendor: { ...vendor, name: "Zoë & Co" } });
  const { client, numberOf, orderId } = await toShip(1, product);
  const list = await user.get(`/shipments?client=${client.clientId}`);
  expect(list.text).toContain(numberOf(1));
  expect(list.text).toContain(HOSTILE);
  expect(list.html).not.toContain("<script>alert");
  expect(list.text).not.toContain("recipient0@example.com");
  expect(list.meter.roundTrips).toBeLessThanOrEqual(3);
  const filtered = (query: string) => user.get(`/shipments?client=${client.clientId}&${query}`);
  expect((await filtered("vendor=zoë+%26+co&country=Australia")).text).toContain(numberOf(1));
  for (const query of ["vendor=Other", "country=NZ", "age=2d"]) {
    expect((await filtered(query)).text).toContain("No gifts to ship match");
  }
  expect(await auditOf(orderId)).toEqual([]);
});

test("lists 50 gifts a page in at most 60 KB", async () => {
  const product = simpleProduct({ name: "A mug of a very usual length" }, { quantity: 1_000 });
  const { client } = await openShop(product);
  const orders = [await place(client, product, 30), await place(client, product, 80)];
  const seen: string[] = [];
  let path = `/shipments?client=${client.clientId}`;
  for (let pages = 0; path !== "" && pages < 9; pages++) {
    const page = await user.get(path);
    expect(new TextEncoder().encode(page.html).byteLength).toBeLessThan(60_000);
    const links = [...page.html.matchAll(/href="\/gifts\/(GO-[\d-]+)"/g)];
    seen.push(...links.map(([, number = ""]) => number));
    const [, next = ""] = /rel="next" href="([^"]+)"/.exec(page.html) ?? [];
    path = next && `/shipments${next.replaceAll("&amp;", "&")}`;
  }
  const [first = 0, second = 0] = orders;
  expect(seen).toEqual([
    ...Array.from({ length: 30 }, (_, n) => suborderNumber(first, n + 1)),
    ...Array.from({ length: 80 }, (_, n) => suborderNumber(second, n + 1)),
  ]);
});

test("reads as many rows for a page as it shows, of all clients or one, and no list that is too long", async () => {
  const product = simpleProduct({}, { quantity: 5_000 });
  const { client } = await openShop(product);
  const bought = await place(client, product);
  const gift = { reference: null, status: "paid", method: "email", createdAtMs: 1 } as const;
  const redeemed = await importListed(client, product, { ...gift, gifts: ["redeemed"] });
  const copyGifts = `INSERT INTO sub_orders
      (order_id, sequence, first_name, last_name, email, product_id, redemption_status)
    SELECT c.id, s.sequence, s.first_name, s.last_name, s.email, s.product_id, s.redemption_status
    FROM sub_orders s JOIN orders o ON o.id = s.order_id
    JOIN orders c ON c.client_id = o.client_id AND c.gift_order_method = o.gift_order_method
    WHERE o.id = ? AND c.id NOT IN (SELECT order_id FROM sub_orders)`;
  const copy = async (count: number) => {
    for (const id of [bought, redeemed]) {
      await copyOrder(id, count, 1, { redeemed_gifts: "redeemed_gifts" });
      await sql(copyGifts, id).run();
    }
  };
  const paths = ["/shipments?", `/shipments?client=${client.clientId}`];
  const pagesOf = async (path: string, count: number) => {
    const rows: number[] = [];
    const seen: string[] = [];
    for (let next = path; next !== "" && rows.length < count;) {
      const { html, meter } = await user.get(next);
      rows.push(meter.rowsRead);
      expect(meter.roundTrips).toBe(1);
      const links = [...html.matchAll(/href="\/gifts\/(GO-[\d-]+)"/g)];
      seen.push(...links.map(([, number = ""]) => number));
      const [, query = ""] = /rel="next" href="([^"]+)"/.exec(html) ?? [];
      next = query && `/shipments${query.replaceAll("&amp;", "&")}`;
    }
    return { rows, seen };
  };
  await copy(100);
  const all = await pagesOf(paths[1] ?? "", 99);
  expect([all.seen.length, new Set(all.seen).size]).toEqual([202, 202]);
  await copy(6_000);
  for (const path of paths) {
    const { rows } = await pagesOf(path, 4);
    for (const read of rows) expect(read).toBeLessThan(1_000);
  }
  const list = await user.get(paths[1] ?? "");
  const long = await user.submit(list, "Download the pick list");
  expect(long.text).toContain("More than 10,000 gifts match.");
  expect(long.meter.rowsRead).toBeLessThan(80_000);
});

test("downloads the addresses of the filtered gifts, and records the reading", async () => {
  const { client, numberOf, orderId } = await toShip(2);
  const { orderId: other } = await toShip();
  const list = await user.get(`/shipments?client=${client.clientId}`);
  const csv = await user.submit(list, "Download the pick list");
  expect(csv.headers.get("Content-Disposition")).toMatch(/^attachment; filename="to-ship-/);
  expect(csv.html.split("\r\n").slice(1, 3)).toEqual([
    expect.stringMatching(`^${numberOf(1)},.*14 Plane Tree Lane`),
    expect.stringMatching(`^${numberOf(2)},.*14 Plane Tree Lane`),
  ]);
  const entries = await auditOf(orderId);
  expect(entries).toHaveLength(2);
  expect(entries[0]).toMatchObject({ actor: user.name, action: "shipment list", before: null });
  expect(await auditOf(other)).toEqual([]);
});

test("offers nothing to record to a role that may not", async () => {
  const { client, numberOf } = await toShip();
  const viewer = await testConsole.signIn("viewer");
  const list = await viewer.get(`/shipments?client=${client.clientId}`);
  expect(list.text).toContain(numberOf(1));
  expect(list.html).not.toContain("pick-list");
  expect(list.html).not.toContain('/ship"');
  expect((await viewer.get(`/gifts/${numberOf(1)}/ship`)).status).toBe(403);
});

test("ships, corrects, delivers and reopens a gift", async () => {
  const { client, numberOf, orderId } = await toShip();
  const number = numberOf(1);
  const form = await user.get(`/gifts/${number}/ship`);
  const invalid = await user.submit(form, "Continue", { tracking_url: "javascript:alert(1)" });
  expect(invalid.text).toContain("Tracking link must be an https URL.");
  const plan = await user.submit(form, "Continue", {
    carrier: "<DHL>",
    tracking_number: "JD 1",
    tracking_url: "https://dhl.example/{tracking_number}",
  });
  expect(plan.text).toContain(`This will ship ${numberOf(1)} of client ${client.clientId}.`);
  const done = await user.submit(plan, "Record as shipped");
  expect(done.text).toContain(`${number}: shipped.`);
  const [gift] = await readShipments(env.DB, orderId, 1);
  expect(gift).toMatchObject({ carrier: "<DHL>", trackingUrl: "https://dhl.example/JD%201" });

  const correct = await user.get(`/gifts/${number}/correct-shipment`);
  expect(correct.html).toContain(`value="&lt;DHL&gt;"`);
  const corrected = await user.submit(
    await user.submit(correct, "Continue", { carrier: "UPS" }),
    "Correct the tracking",
  );
  expect(corrected.text).toContain(`${number}: corrected.`);
  await user.submit(await user.get(`/gifts/${number}/deliver`), "Record as delivered");
  expect(await statusOf(orderId)).toEqual(["delivered"]);
  expect((await user.get(`/gifts/${number}/deliver`)).text).toContain("Nothing would be changed.");
  await user.submit(await user.get(`/gifts/${number}/reopen`), "Reopen the shipment");
  expect(await statusOf(orderId)).toEqual(["open"]);
  expect((await auditOf(orderId)).map(({ action }) => action)).toEqual(
    // The form of a correction shows the tracking, which its review reads again.
    ["reopen", "deliver", "correct", "show", "show", "ship"].map((step) => `shipment ${step}`),
  );
  expect(await auditOf(orderId)).toSatisfy((entries: { requestId: string | null }[]) =>
    entries.every(({ requestId }) => requestId !== null),
  );
});

test("says why a gift cannot be shipped", async () => {
  const product = simpleProduct();
  const client = await createClient({ products: [product], billing: "invoice" });
  const number = suborderNumber(await place(client, product), 1);
  const refused = await user.submit(await user.get(`/gifts/${number}/ship`), "Continue");
  expect(refused.status).toBe(409);
  expect(refused.text).toContain(`${number} belongs to an order that is not paid.`);
  expect((await user.get("/gifts/GO-99999999-1/ship")).status).toBe(404);
});

const csvFile = (...rows: string[]) => new File([rows.join("\n")], "carrier.csv");

test("records the gifts of a file, and shows the rows that are refused", async () => {
  const { client, numberOf, orderId } = await toShip(3);
  const form = await user.get("/shipments/ship");
  const file = csvFile(
    "reference,carrier,tracking no",
    `${numberOf(1)},DHL,1`,
    `${numberOf(2)},DHL,2`,
    `${numberOf(3)},,`,
    "GO-99999999-1,DHL,3",
    `<script>alert(1)</script>,DHL,4`,
  );
  const plan = await user.submit(form, "Continue", { file });
  expect(plan.text).toContain(`This will ship 2 gifts of client ${client.clientId}.`);
  expect(plan.text).toContain("Rows: shipped 2, untracked 1, refused 1, invalid 1.");
  expect(plan.text).toContain("5 GO-99999999-1 refused does not exist");
  expect(plan.html).not.toContain("<script>alert");
  expect(await statusOf(orderId)).toEqual(["open", "open", "open"]);
  const done = await user.submit(plan, "Record shipped gifts of a file");
  expect(done.text).toContain("shipped 2");
  expect(await statusOf(orderId)).toEqual(["shipped", "shipped", "open"]);
  expect(await auditOf(orderId)).toMatchObject([
    { actor: user.name, action: "shipment ship" },
    { actor: user.name, action: "shipment ship" },
  ]);
  expect((await user.submit(plan, "Record shipped gifts of a file")).text).toContain(
    "Already done",
  );
});

test("shows the first 100 refused rows, and says why a file cannot be read", async () => {
  const { numberOf } = await toShip();
  const form = await user.get("/shipments/deliver");
  const rows = Array.from({ length: 130 }, (_, n) => `GO-99999999-${String(n + 1)}`);
  const none = await user.submit(form, "Continue", { file: csvFile("suborder_number") });
  expect(none.text).toContain("Nothing would be changed.");
  const other = await user.submit(form, "Continue", { file: csvFile("name", "x") });
  expect(other.text).toContain("CSV file has no column suborder_number.");
  expect((await user.submit(form, "Continue")).text).toContain(
    "CSV file must be chosen, and must not be empty.",
  );
  const shipped = await user.submit(await user.get("/shipments/ship"), "Continue", {
    file: csvFile("gift", numberOf(1), ...rows),
    carrier: "DHL",
    untracked: "on",
  });
  expect(shipped.text).toContain("Rows: shipped 1, refused 130.");
  expect(shipped.text).toContain("30 more rows are not shown.");
});

test("records at most 10,000 rows of a file, and does not read more of them", async () => {
  const form = await user.get("/shipments/deliver");
  const rows = Array.from({ length: 300_000 }, (_, n) => `"GO-${String(90_000_000 + n)}-1"`);
  const faulty = '"x"y';
  const all = await user.submit(form, "Continue", {
    file: csvFile("gift", rows.slice(0, 10_000).join("\n")),
  });
  expect(all.text).toContain("refused 10,000");
  const long = await user.submit(form, "Continue", {
    file: csvFile("gift", rows.join("\n"), faulty),
  });
  expect([long.status, long.text]).toEqual([
    422,
    expect.stringContaining("CSV file has more than 10,000 rows."),
  ]);
  expect(long.meter.statements).toBeLessThan(5);
});

test("refuses forms with too many or too long names, and unknown ids of files", async () => {
  const form = await user.get("/shipments/deliver");
  const file = csvFile("gift", "GO-99999999-1");
  const named = (name: string) => new File([file], name);
  const many = Object.fromEntries(
    Array.from({ length: 201 }, (_, n) => [`field${String(n)}`, "x"]),
  );
  for (const values of [
    { ["x".repeat(600)]: file },
    { ["x".repeat(600)]: "x" },
    { file: named("x".repeat(3_000)) },
    { file: named(`${"\u0001".repeat(199)}.csv`) },
    many,
  ]) {
    const { status, text } = await user.submit(form, "Continue", values);
    expect([Object.keys(values)[0], status]).toEqual([Object.keys(values)[0], 400]);
    expect(text).toMatch(/(Xx{199}|File) has a name that must|form must have at most 200 fields/);
  }
  const longest = await user.submit(form, "Continue", { file: named("\u{1f381}".repeat(200)) });
  expect(longest.status).toBe(200);
  for (const upload of ["x".repeat(600), "..", crypto.randomUUID()]) {
    expect((await user.submit(form, "Continue", { upload_file: upload })).status).toBe(403);
  }
});
