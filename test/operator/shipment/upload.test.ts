// The operation `shipment upload`.
import { env } from "cloudflare:workers";
import { expect, test } from "vitest";
import { toGiftNumber } from "../../../src/core/values/ids.ts";
import { DAY_MS, formatDay } from "../../../src/core/values/time.ts";
import { trackingUrlOf } from "../../../src/core/values/tracking.ts";
import { MAX_SHIPMENTS } from "../../../src/features/fulfilment/change.ts";
import { listAudit } from "../../../src/operator/audit/queries.ts";
import { VOID_CODE } from "../../../src/operator/shipment/steps.ts";
import { openConsole } from "../../console/console.ts";
import { openShop, orderOf, recipients, simpleProduct } from "../../support/fixtures.ts";
import { readShipments } from "../../support/gift.ts";
import { placeOrder } from "../../support/orders.ts";
import { startWorker } from "../../support/worker.ts";
import { openOperatorApi } from "../operator-api.ts";

const opened = await openConsole();
const api = await openOperatorApi(["fulfilment"], opened);

/** A client's order with this number of gifts to ship. */
async function toShip(count: number, shop = openShop(simpleProduct({}, { quantity: 1_000 }))) {
  const { client, product } = await shop;
  const order = orderOf(product, { recipient_details: recipients(count) });
  const { order_data } = await placeOrder(startWorker(), client, order);
  const orderId = order_data.order_id;
  return { orderId, numberOf: (sequence: number) => toGiftNumber(orderId, sequence) };
}

const fileOf = (...rows: string[]) => new File([rows.join("\n")], "carrier.csv");

const statusOf = async (orderId: number) =>
  (await readShipments(orderId)).map(({ shipmentStatus }) => shipmentStatus);

const upload = (step: string, file: File, more = {}) =>
  api.run("shipment upload", { step, file, ...more });

test("records the gifts of a file, and lists the rows that are left out", async () => {
  const { orderId, numberOf } = await toShip(3);
  const file = fileOf(
    "reference,carrier,tracking no",
    `${numberOf(1)},DHL,1`,
    `${numberOf(2)},,2`,
    `${numberOf(3)},DHL,`,
    "GO-99999999-1,DHL,3",
    "x,DHL,4",
    `${numberOf(1)},DHL,1`,
  );
  const input = { step: "ship", file, carrier: "UPS" };
  const facts = { shipped: 2, repeated: 1, untracked: 1, refused: 1, invalid: 1 };
  const left_out = [
    { row: 4, gift: numberOf(3), result: "untracked", carrier: "DHL" },
    { row: 5, gift: "GO-99999999-1", result: "refused", carrier: "DHL", tracking_number: "3" },
    { row: 6, gift: "x", result: "invalid", reason: expect.any(String), tracking_number: "4" },
  ];
  const second = { row: 3, gift: numberOf(2), carrier: "UPS", tracking_number: "2" };
  const recorded = [{ row: 2 }, second];
  const planned = { facts, lists: { left_out }, hasProblems: true };
  const plan = await api.plan("shipment upload", input);
  expect(plan).toMatchObject({ ...planned, lists: { recorded, left_out } });
  expect(await statusOf(orderId)).toEqual(["open", "open", "open"]);
  expect(await api.run("shipment upload", input)).toMatchObject(planned);
  expect(await statusOf(orderId)).toEqual(["shipped", "shipped", "open"]);
  expect(await readShipments(orderId)).toMatchObject([{ carrier: "DHL" }, { carrier: "UPS" }, {}]);
  expect((await listAudit(env.DB, { orderId, limit: 9 })).map(({ action }) => action)).toEqual(
    Array(2).fill("shipment upload"),
  );
  const again = await api.plan("shipment upload", input);
  expect(again).toMatchObject({ will: null, facts: { unchanged: 2 }, hasProblems: true });
});

test("does not change a gift's second parcel with a file of the first one", async () => {
  const { orderId, numberOf } = await toShip(1);
  const gift = numberOf(1);
  const day = formatDay(Date.now());
  const fileOfParcel = (number: string) =>
    fileOf(
      "gift,carrier,tracking_number,shipped_date,delivered_date",
      [gift, "DHL", number, day, day].join(),
    );
  const [first, second] = [fileOfParcel("JD1"), fileOfParcel("JD2")];
  const problem = { problem: "refused" };
  await upload("ship", first);
  await upload("deliver", first);
  await upload("return", first, problem);
  const steps = ["ship", "correct", "deliver", "return", "fail"] as const;
  const refused = { will: null, facts: { refused: 1 } };
  expect(await api.plan("shipment upload", { step: "deliver", file: first })).toMatchObject(
    refused,
  );
  await api.run("shipment reship", { gift });
  await upload("ship", second);
  for (const step of steps) {
    const more = step === "return" || step === "fail" ? problem : {};
    const plan = await api.plan("shipment upload", { step, file: first, ...more });
    expect(plan, step).toMatchObject(refused);
  }
  await upload("deliver", second);
  expect(await statusOf(orderId)).toEqual(["delivered"]);
});

test("sends digital gifts with their codes, and leaves out those that are not clear", async () => {
  const shop = openShop(simpleProduct({ delivery: "digital" }, { quantity: 1_000 }));
  const { orderId, numberOf } = await toShip(7, shop);
  const parcel = await toShip(1);
  const [code, other, third] = [1, 2, 3].map(() => crypto.randomUUID());
  const file = fileOf(
    "gift,code,pin,url,valid_until,carrier",
    `${numberOf(1)},${String(code)},1234,,2099-01-31,`,
    `${numberOf(2)},,,https://vendor.example/x,,`,
    `${numberOf(3)},,,https://vendor.example/x,,`,
    `${numberOf(4)},${String(other)},,,,`,
    `${numberOf(5)},${String(other).toUpperCase()},,,,`,
    `${numberOf(6)},1.2E+15,,,,`,
    `${numberOf(7)},,,,,DHL`,
    `${parcel.numberOf(1)},${String(third)},,,,DHL`,
  );
  const input = { step: "ship", file, carrier: "UPS" };
  const facts = { sent: 3, refused: 3, invalid: 1, untracked: 1 };
  const plan = await api.plan("shipment upload", input);
  expect(plan.facts).toEqual(facts);
  expect(plan.lists["left_out"]?.map(({ row, result }) => [row, result])).toEqual([
    ...[5, 6].map((row) => [row, "refused"]),
    [7, "invalid"],
    [8, "untracked"],
    [9, "refused"],
  ]);
  expect(JSON.stringify(plan)).not.toContain("1.2E+15");
  expect((await api.run("shipment upload", input)).facts).toEqual(facts);
  expect(await statusOf(orderId)).toEqual([
    ...["sent", "sent", "sent", "open", "open", "open", "open"],
  ]);
  expect(await statusOf(parcel.orderId)).toEqual(["open"]);
  const again = fileOf("gift,code", `${numberOf(1)},${String(code)}`);
  expect(await api.plan("shipment upload", { step: "ship", file: again })).toMatchObject({
    will: null,
    facts: { unchanged: 1 },
  });
  const reopened = await api.plan("shipment upload", { step: "reopen", file: again });
  expect(reopened.warnings).toContain(VOID_CODE);
});

test("ships letters without tracking, and delivers, corrects and reopens them", async () => {
  const { orderId, numberOf } = await toShip(2);
  const file = fileOf("gift", numberOf(1), numberOf(2));
  const none = await api.refusal("shipment upload", { step: "ship", file });
  expect(none.fields).toEqual(["file"]);
  expect((await upload("ship", file, { untracked: "yes" })).facts).toEqual({ shipped: 2 });
  const corrections = fileOf("gift,carrier", `${numberOf(1)},UPS`);
  expect((await upload("correct", corrections)).facts).toEqual({ corrected: 1 });
  expect((await upload("deliver", file)).facts).toEqual({ delivered: 2 });
  expect((await upload("reopen", file)).facts).toEqual({ reopened: 2 });
  expect(await statusOf(orderId)).toEqual(["open", "open"]);
});

test("a correction by a file keeps the values that the file does not have, and changes the links with the numbers", async () => {
  const { orderId, numberOf } = await toShip(2);
  const shipped = fileOf(
    "gift,carrier,tracking_number,tracking_url",
    `${numberOf(1)},DHL,JD1,https://dhl.example/JD1`,
    `${numberOf(2)},Toll,JD2,https://toll.example/x`,
  );
  await upload("ship", shipped);
  const corrections = fileOf("gift,tracking_number", `${numberOf(1)},JD4`, `${numberOf(2)},JD5`);
  const plan = await api.plan("shipment upload", { step: "correct", file: corrections });
  expect(plan.warnings).toEqual([expect.stringMatching(/^1 tracking link .* removed/)]);
  expect((await upload("correct", corrections)).facts).toEqual({ corrected: 2 });
  const parcels = await readShipments(orderId);
  expect(parcels.map((each) => [each.carrier, trackingUrlOf(each)])).toEqual([
    ["DHL", "https://dhl.example/JD4"],
    ["Toll", null],
  ]);
});

test("the rows that are left out can be downloaded, corrected and uploaded", async () => {
  const { orderId, numberOf } = await toShip(2);
  const user = await opened.signIn("fulfilment");
  const file = fileOf(
    "gift,carrier,tracking_number",
    `${numberOf(1)},DHL,1`,
    `${numberOf(2)}0,DHL,2`,
  );
  const plan = await user.submit(await user.get("/shipment/upload"), "Continue", {
    file,
    step: "ship",
  });
  const rows = await user.submit(plan, "Download these rows");
  expect(rows.headers.get("Content-Disposition")).toContain("shipment-upload-left_out.csv");
  const done = await user.submit(plan, "Record the shipments of a file");
  expect(done.text).toContain("Recorded 1 gift");
  expect((await user.submit(done, "Download these rows")).html).toBe(rows.html);
  const corrected = fileOf(rows.html.replace(`${numberOf(2)}0`, numberOf(2)));
  await upload("ship", corrected);
  expect(await statusOf(orderId)).toEqual(["shipped", "shipped"]);
});

test("names the inputs that are wrong", async () => {
  const file = fileOf("gift", "GO-99999999-1");
  const fieldsOf = async (input: object) =>
    (await api.refusal("shipment upload", { file, ...input })).fields;
  expect(await fieldsOf({ step: "deliver", carrier: "DHL" })).toEqual(["carrier"]);
  const script = { step: "ship", tracking_url: "javascript:{tracking_number}" };
  expect(await fieldsOf(script)).toEqual(["tracking_url"]);
  expect(await fieldsOf({ step: "ship", file })).toEqual(["file"]);
  const rows = Array(50_001).fill("GO-99999999-1").join("\n");
  expect(await fieldsOf({ step: "deliver", file: fileOf("gift", rows) })).toEqual(["file"]);
  const large = new File([new Uint8Array(10_000_001)], "large.csv");
  expect(await fieldsOf({ step: "deliver", file: large })).toEqual(["file"]);
  const larger = { step: "deliver", file: new File([new Uint8Array(22_000_000)], "larger.csv") };
  expect(await api.refusal("shipment upload", larger)).toMatchObject({
    status: 413,
    code: "payload_too_large",
  });
});

test("lists at most 1,000 rows, and counts all", async () => {
  const rows = Array.from(
    { length: 1_500 },
    (_, n) => `GO-99999999-${String((n % 900) + 1)}0${String(n)}`,
  );
  const { facts, lists, warnings } = await api.plan("shipment upload", {
    step: "deliver",
    file: fileOf("gift", ...rows),
  });
  expect(lists["left_out"]).toHaveLength(1_000);
  expect(Number(facts["refused"] ?? 0) + Number(facts["invalid"] ?? 0)).toBe(1_500);
  expect(warnings).toHaveLength(1);
});

test("says how much is done if a later transaction fails, and does the rest when it is repeated", async () => {
  const shop = openShop(simpleProduct({}, { quantity: 1_000 }));
  const [first, second] = [await toShip(MAX_SHIPMENTS, shop), await toShip(3, shop)];
  const numbers = [...Array(MAX_SHIPMENTS).keys()].map((n) => first.numberOf(n + 1));
  const file = fileOf("gift", ...numbers, ...[1, 2, 3].map(second.numberOf));
  const input = { step: "ship", file, untracked: "yes" };
  const { digest } = await api.plan("shipment upload", input);
  const query = { digest, request_id: crypto.randomUUID() };
  await env.DB.prepare(
    `CREATE TRIGGER broken BEFORE INSERT ON shipments WHEN new.order_id = ${String(second.orderId)}
     BEGIN SELECT raise(ABORT, 'broken'); END`,
  ).run();
  const failed = await api.call("shipment upload", input, query);
  await env.DB.prepare("DROP TRIGGER broken").run();
  expect(failed.status).toBe(409);
  expect(JSON.parse(failed.html).message).toContain("500 of 503");
  expect(new Set(await statusOf(first.orderId))).toEqual(new Set(["shipped"]));
  expect(await statusOf(second.orderId)).toEqual(["open", "open", "open"]);

  const repeated = JSON.parse((await api.call("shipment upload", input, query)).html);
  expect(repeated).toMatchObject({
    code: "plan_changed",
    plan: { facts: { unchanged: 500, shipped: 3 } },
  });
  const rest = { ...query, digest: repeated.plan.digest };
  const lines = await api.call("shipment upload", input, rest, {
    headers: { Accept: "application/x-ndjson" },
  });
  expect(
    lines.html
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line)),
  ).toMatchObject([
    { done: 3, total: 3 },
    { status: 200, body: { facts: { unchanged: 500, shipped: 3 } } },
  ]);
  expect(await statusOf(second.orderId)).toEqual(["shipped", "shipped", "shipped"]);
});

test("the console's form takes a file, and is refused with other names and files", async () => {
  const user = await opened.signIn("fulfilment");
  const { orderId, numberOf } = await toShip(2);
  const form = await user.get("/shipment/upload");
  const file = fileOf("gift,tracking", `${numberOf(1)},1`);
  const plan = await user.submit(form, "Continue", { file, step: "ship" });
  await user.submit(plan, "Record the shipments of a file");
  expect(await statusOf(orderId)).toEqual(["shipped", "open"]);

  const many = Object.fromEntries(
    Array.from({ length: 201 }, (_, n) => [`field${String(n)}`, "x"]),
  );
  const named = (name: string) => new File([file], name);
  for (const values of [
    { ["x".repeat(600)]: file },
    { ["x".repeat(600)]: "x" },
    { file: named("x".repeat(3_000)) },
    { file: named(`${"\u0001".repeat(199)}.csv`) },
    many,
  ]) {
    const { status } = await user.submit(form, "Continue", values);
    expect([Object.keys(values)[0], status]).toEqual([Object.keys(values)[0], 400]);
  }
  const longest = { file: named("\u{1f381}".repeat(200)), step: "ship" };
  expect((await user.submit(form, "Continue", longest)).status).toBe(200);
  for (const upload_file of ["x".repeat(600), "..", crypto.randomUUID()]) {
    expect((await user.submit(form, "Continue", { upload_file })).status).toBe(403);
  }
});

test("points out gifts with the same tracking number, which are recorded", async () => {
  const { numberOf } = await toShip(3);
  const rows = [1, 2, 3].map((n) => `${numberOf(n)},DHL,${n < 3 ? "JD0001" : "JD0002"}`);
  const plan = await api.plan("shipment upload", {
    step: "ship",
    file: fileOf("gift,carrier,tracking_number", ...rows),
  });
  expect(plan.warnings).toEqual([
    `${numberOf(1)}, ${numberOf(2)} have the tracking number JD0001.`,
  ]);
  expect(plan.facts).toMatchObject({ shipped: 3 });
});

test("asks for the columns of an unknown file once, and for what its states mean at each step", async () => {
  const { numberOf } = await toShip(2);
  const file = (n: number) =>
    fileOf("Wohin;Womit;Paket;Stand", `${numberOf(n)};DHL;JD00${String(n)};gepackt`);
  const plan = await api.plan("shipment upload", { step: "ship", file: file(1) });
  expect([plan.will, plan.questions?.map(({ input }) => input)]).toEqual([
    null,
    ["columns", "only"],
  ]);
  const answers = { columns: ["tracking_number = Paket"], only: ["Stand is gepackt"] };
  expect((await upload("ship", file(1), answers)).facts).toEqual({ shipped: 1 });
  expect((await upload("ship", file(2))).facts).toEqual({ shipped: 1 });
  const delivered = await api.plan("shipment upload", { step: "deliver", file: file(1) });
  expect(delivered.questions).toHaveLength(2);
});

/** The rows of a carrier's export for two gifts, with a date that is written so. */
test.for([
  {
    head: "Sendungsnummer;Referenz;Versanddatum;Empfänger",
    rows: (gift: (n: number) => string, day: string[]) => [
      `00340434161094015902;${gift(1)};${day.toReversed().join(".")};A`,
      `00340434161094015902;${gift(2)};${day.toReversed().join(".")};A`,
    ],
    answers: { columns: ["tracking_number = Sendungsnummer"], only: ["Empfänger is (any)"] },
    carrier: "DHL",
    url: "https://www.dhl.com/global-en/home/tracking.html?tracking-id=00340434161094015902",
  },
  {
    head: "Tracking Number,Reference Number 1,Ship Date",
    rows: (gift: (n: number) => string, [year, month, day]: string[]) => [
      `1Z5R89390357567127,${gift(1)},${String(month)}/${String(day)}/${String(year)}`,
      `1Z879E930346834440,${gift(2)},01/31/${String(year)}`,
    ],
    carrier: "UPS",
    url: "https://www.ups.com/track?tracknum=1Z5R89390357567127",
  },
  {
    head: "Article ID,Customer reference,Despatch date,Carrier",
    rows: (gift: (n: number) => string, day: string[]) => [
      `33ABC0123456701000910903,${gift(1)},${day.join("-")}T00:30:00+10:00,Australia Post`,
      `33ABC0123456801000910902,${gift(2)},,Australia Post`,
    ],
    carrier: "Australia Post",
    url: "https://auspost.com.au/mypost/track/#/details/33ABC0123456701000910903",
  },
])(
  "reads the date, and completes the carrier and the link, of a file with $head",
  async (shape) => {
    const { orderId, numberOf } = await toShip(2);
    const orderedAtMs = Date.now() - 30 * DAY_MS;
    await env.DB.prepare("UPDATE orders SET created_at_ms = ? WHERE id = ?")
      .bind(orderedAtMs, orderId)
      .run();
    const shippedMs = Date.now() - 3 * DAY_MS;
    const day = formatDay(shippedMs);
    const file = fileOf(shape.head, ...shape.rows(numberOf, day.split("-")));
    await upload("ship", file, shape.answers);
    const [first] = await readShipments(orderId);
    expect(first).toMatchObject({ carrier: shape.carrier, shipmentStatus: "shipped" });
    expect(first && trackingUrlOf(first)).toBe(shape.url);
    expect(Math.abs((first?.shippedAtMs ?? 0) - Date.parse(day))).toBeLessThan(DAY_MS);
  },
);

test("records the time of the order or the present time for dates that are not possible", async () => {
  const { orderId, numberOf } = await toShip(4);
  const orderedAtMs = Date.UTC(2025, 4, 1);
  await env.DB.prepare("UPDATE orders SET created_at_ms = ? WHERE id = ?")
    .bind(orderedAtMs, orderId)
    .run();
  const input = {
    step: "ship",
    untracked: true,
    file: fileOf(
      "gift,carrier,shipped_date",
      `${numberOf(1)},DHL,2025-04-29`,
      `${numberOf(2)},DHL,2999-01-01`,
      `${numberOf(3)},DHL,soon`,
      `${numberOf(4)},DHL,`,
    ),
  };
  const before = Date.now();
  const report = await api.run("shipment upload", input);
  expect(report).toMatchObject({
    facts: { shipped: 4 },
    warnings: [expect.stringContaining("soon")],
  });
  const [first, ...others] = await readShipments(orderId);
  expect(first?.shippedAtMs).toBe(orderedAtMs);
  for (const { shippedAtMs } of others) {
    expect(shippedAtMs).toBeGreaterThanOrEqual(before);
    expect(shippedAtMs).toBeLessThanOrEqual(Date.now());
  }
});

test("the day of the order and the present day are not before or after it in any time zone", async () => {
  const { orderId, numberOf } = await toShip(2);
  const [yesterday, tomorrow] = [-1, 1].map((days) => formatDay(Date.now() + days * DAY_MS));
  const today = formatDay(Date.now());
  await upload(
    "ship",
    fileOf("gift,tracking,shipped_date", `${numberOf(1)},1,${today}`, `${numberOf(2)},2,${today}`),
  );
  expect(await statusOf(orderId)).toEqual(["shipped", "shipped"]);
  await upload(
    "deliver",
    fileOf("gift,Delivery date", `${numberOf(1)},${String(yesterday)}`, `${numberOf(2)},${today}`),
  );
  expect(tomorrow).not.toBe(today);
  for (const { shippedAtMs, deliveredAtMs } of await readShipments(orderId)) {
    expect(shippedAtMs).toBeLessThanOrEqual(Date.now());
    expect(deliveredAtMs).toBeGreaterThanOrEqual(shippedAtMs ?? Infinity);
    expect(deliveredAtMs).toBeLessThanOrEqual(Date.now());
  }
});

test("points out a number with a wrong check digit, which is recorded", async () => {
  const { orderId, numberOf } = await toShip(1);
  const file = fileOf("gift,carrier,tracking", `${numberOf(1)},UPS,1Z5R89390357567128`);
  const { warnings } = await api.run("shipment upload", { step: "ship", file });
  expect(warnings).toEqual([expect.stringContaining("1Z5R89390357567128")]);
  expect(await statusOf(orderId)).toEqual(["shipped"]);
});
