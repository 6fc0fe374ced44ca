// `order list`, `show`, `pay`, `fail`, `cancel`, `refund` and `extend`, and `event list`.
import { writeFileSync } from "node:fs";
import path from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { json, refusal, runOps } from "../ops.ts";
import { platform, publishSeed, usePlatform } from "../platform.ts";
import { storeDebit, storeInvoicedOrder, storeOrder } from "../stored-orders.ts";

const { folder } = usePlatform();

beforeAll(() => publishSeed());

describe("order", () => {
  test("list, show and transitions work, and simultaneous transitions run once", async () => {
    await json("client add buyer --name B --billing invoice --currency AUD");
    const { DB } = platform.env;
    const price = { product_price_minor: 11000, subtotal_minor: 11000, order_total_minor: 11000 };
    await storeOrder(
      DB,
      {
        id: 42,
        client_id: "buyer",
        order_ref_id: "PO-1",
        status: "created",
        ...price,
        took_stock: 1,
        metadata: '{"campaign":"spring"}',
      },
      [{ external_id: "employee-7", metadata: '{"team":"sales"}' }],
    );
    await DB.prepare("UPDATE stock SET quantity = 4999 WHERE product_id = 1001").run();
    expect(await json("order list --client buyer --status created")).toMatchObject([
      { id: 42, orderRefId: "PO-1" },
    ]);
    expect((await runOps("order", "pay", "GO-00042")).code).toBe(0);
    const cancels = await Promise.all([
      runOps("order", "cancel", "42"),
      runOps("order", "cancel", "42"),
    ]);
    expect(cancels.map(({ code }) => code).sort()).toEqual([0, 1]);
    expect(cancels.map(({ err }) => err).join("")).toContain("GO-00042 is cancelled already");
    const { out } = await runOps("order", "show", "go-42-1");
    expect(out).toMatch(
      /status +cancelled[^]*metadata +{"campaign":"spring"}[^]*Ana Reyes +ana@example.com +cancelled +1001 .+ employee-7 +{"team":"sales"}/,
    );
    expect(out).toMatch(/product +1001 \S/);
    expect(out).toMatch(
      /Timeline:\n.*\n.* order pay +GO-00042 .*status: created -> paid\n.* order\.paid +GO-00042 .*\n.* order cancel +GO-00042 [^]* order\.cancelled +GO-00042 /,
    );
    const orders = await json("order list --client buyer --status cancelled");
    expect(orders).toMatchObject([{ id: 42, status: "cancieled" }]);
    expect(await json("order list --status cancieled --client buyer")).toEqual(orders);
    expect(await json("order show 42 --limit 1")).toMatchObject({
      metadata: { campaign: "spring" },
      timeline: [{ kind: "event", event: { type: "order.cancelled" } }],
      timeline_complete: false,
      recipients: [{ external_id: "employee-7", metadata: { team: "sales" } }],
    });
    const list = ["event", "list", "--client", "buyer"];
    const [all, latest, after] = await Promise.all([
      runOps(...list),
      json(...list, "--limit", "1"),
      json(...list, "--after", "0", "--limit", "1"),
    ]);
    expect(all.out).toMatch(
      /1 .* order\.paid +GO-00042 +PO-1 +order status: paid, .* metadata: {"campaign":"spring"}.*\n.*2 .* order\.c/,
    );
    const event = { order_id: 42, order_ref_id: "PO-1" };
    expect(latest).toMatchObject([{ ...event, sequence: 2, type: "order.cancelled" }]);
    expect(after).toMatchObject([{ ...event, sequence: 1, type: "order.paid" }]);
    expect(await json("event list --order go-42-1 --after 0 --limit 1")).toEqual(after);
    expect(await json("event list --order 42 --client buyer")).toHaveLength(2);
    await refusal(2, "give --client or --order", "event", "list");
    await refusal(1, "there is no order GO-00077", "event list --order 77");
    await refusal(1, "there is no client globex", "event list --client globex");
    const stock = DB.prepare("SELECT quantity FROM stock WHERE product_id = 1001");
    expect(await stock.first("quantity")).toBe(5000);
    await Promise.all([
      refusal(1, "Only unpaid orders can be marked as failed", "order", "fail", "42"),
      refusal(1, "there is no order GO-00077", "order", "show", "77"),
      refusal(1, "there is no order GO-00077", "order", "show", "go-77-3"),
      refusal(2, "must be an order number such as GO-00042", "order", "show", "GO-42-0"),
      refusal(2, "GO-42-1 is a gift of the order GO-00042", "order", "cancel", "GO-42-1"),
      refusal(1, "there is no order GO-9007199254740991", "order", "show", "9007199254740991"),
    ]);
  });
});

describe("order cancel", () => {
  test("cancels single gifts and then the order, and prints what was returned and what stays redeemed", async () => {
    await json("client add giver --name G --billing credit --currency AUD");
    const { DB } = platform.env;
    await storeOrder(
      DB,
      {
        id: 43,
        client_id: "giver",
        order_ref_id: "PO-2",
        order_fee_minor: 1,
        order_total_minor: 4001,
        took_stock: 0,
        redeemed_gifts: 1,
      },
      [{}, { redemption_status: "redeemed", redeemed_at_ms: 1 }, {}, { has_shipment: 1 }],
    );
    await storeDebit(DB, { id: 43, clientId: "giver", minor: 4001 });
    const cancel = ["order", "cancel", "GO-00043"];
    await Promise.all([
      refusal(1, "GO-00043-2 cannot be cancelled", ...cancel, "--gift", "43001", "--gift", "43002"),
      refusal(1, "are cancelled only if you choose to.", ...cancel, "--gift", "GO-00043-2"),
      refusal(1, "GO-00043-5 must be a sub-order", ...cancel, "--gift", "GO-00043-5"),
      refusal(1, "GO-00042-1 must be a sub-order", ...cancel, "--gift", "GO-00042-1"),
      refusal(1, "there is no order GO-00077", "order cancel 77 --gift 77001"),
    ]);
    expect(await json(...cancel, "--gift", "GO-00043-3", "--gift", "43003")).toEqual({
      environment: "local",
      order: "GO-00043",
      status: "paid",
      cancelled: ["GO-00043-3"],
      redeemed: [],
      shipped: [],
      currency: "AUD",
      returnedMinor: 1000,
      returnedInTotalMinor: 1000,
    });
    await refusal(1, "already. Nothing was changed", ...cancel, "--gift", "GO-00043-3");
    const { out } = await runOps(...cancel);
    expect(out.trim().split("\n")).toEqual([
      "Environment: local",
      "Cancelled: GO-00043-1.",
      "Returned credit: 10.00 AUD, in total 20.00 AUD.",
      "Redeemed, unchanged: GO-00043-2.",
      "Shipped, unchanged: GO-00043-4.",
      "GO-00043 is cancelled.",
    ]);
    await refusal(1, "GO-00043 is cancelled already", ...cancel);
    expect(await json(...cancel, "--gift", "GO-00043-2", "--redeemed")).toMatchObject({
      cancelled: ["GO-00043-2"],
      redeemed: [],
      returnedInTotalMinor: 3000,
    });
    await refusal(1, "it is shipped", ...cancel, "--gift", "GO-00043-4", "--redeemed");
    const entries = await json<object[]>("audit list --order GO-00043");
    expect(entries).toContainEqual(
      expect.objectContaining({
        subject: "GO-00043-2",
        before: expect.objectContaining({ redemptionStatus: "redeemed" }),
        after: expect.objectContaining({ redemptionStatus: "cancelled" }),
      }),
    );
  });

  test("can be barred for the API of a client", async () => {
    const added = await json("client add strict --name B --billing invoice --currency AUD");
    expect(added).toMatchObject({ mayCancel: true });
    const barred = await json("client set strict --cancellations barred");
    expect(barred).toMatchObject({ mayCancel: false });
    expect((await runOps("client", "show", "strict")).out).toMatch(/cancellations +barred/);
    await refusal(2, "Allowed choices", "client set strict --cancellations no");
    const allowed = await runOps("client set strict --cancellations allowed");
    expect(allowed.out).toMatch(/cancellations +allowed/);
  });
});

describe("order extend", () => {
  test("changes the last day of a gift-link order, which order show and the feed show", async () => {
    const profile = ["--name", "G", "--billing", "credit", "--currency", "AUD"];
    await json("client", "add", "extender", ...profile, "--redeem-within-days", "30");
    const { DB } = platform.env;
    const price = { product_price_minor: 11000, subtotal_minor: 22000, order_total_minor: 22000 };
    const order = { client_id: "extender", ...price, took_stock: 1, expired_gifts: 1 };
    const link = { gift_order_method: "api-giftlink", link_nonce: "12345678", link_key_id: "abcd" };
    const gifts = [{}, { redemption_status: "expired" }];
    await storeOrder(DB, { ...order, ...link, id: 52, order_ref_id: "G-52" }, gifts);
    await storeOrder(DB, { ...order, id: 53, order_ref_id: "G-53" }, gifts);
    const lastDay = `${String(new Date().getUTCFullYear() + 1)}-12-31`;
    const extend = ["order", "extend", "GO-00052"];
    expect((await runOps(...extend, "--redeem-by", lastDay)).out).toBe(
      `Environment: local\nThe gifts of GO-00052 can be accepted until ${lastDay}. Open gifts: 1. ` +
        "Expired gifts, unchanged: 1.\n",
    );
    expect((await runOps("order", "show", "52")).out).toMatch(new RegExp(`redeem by +${lastDay}`));
    expect(await json("order", "show", "52")).toMatchObject({ redeem_by: lastDay });
    await Promise.all([
      refusal(1, `can be accepted until ${lastDay} already`, ...extend, "--redeem-by", lastDay),
      refusal(1, "has no gift links", "order extend 53 --redeem-by", lastDay),
      refusal(1, "there is no order GO-00077", "order extend 77 --no-expiry"),
    ]);
    expect((await runOps(...extend, "--no-expiry")).out).toContain("GO-00052 do not expire.");
    expect(await json("order", "show", "52")).toMatchObject({ redeem_by: null });
    expect((await runOps("audit list --order GO-00052 --limit 1")).out).toMatch(
      new RegExp(`order extend +order GO-00052 .* expiresAt: .* -> none$`, "m"),
    );
    const events = (await runOps("event list --client extender")).out;
    expect(events).toMatch(new RegExp(`order\\.extended +GO-00052[^]*${lastDay}`));
    await DB.prepare("UPDATE orders SET expires_at_ms = 1 WHERE id = 52").run();
    await refusal(1, "Expired gifts stay expired", ...extend, "--no-expiry");
  });
});

test("a declined gift is shown as declined, with the address and the shipment of the others", async () => {
  await json("client add decliner --name D --billing invoice --currency AUD");
  const link = { gift_order_method: "api-giftlink", link_nonce: "1" };
  const columns = { id: 88, client_id: "decliner", ...link };
  const address = { address_line_1: "1 Main St", suburb: "Perth", country: "AU" };
  const redeemed = { redemption_status: "redeemed", redeemed_at_ms: 1 };
  await storeOrder(platform.env.DB, { ...columns, redeemed_gifts: 1, cancelled_gifts: 1 }, [
    { redemption_status: "cancelled", declined_at_ms: 1 },
    { ...redeemed, delivery_address: JSON.stringify(address), phone_number: "+61 8 1234" },
  ]);
  const ship = ["--carrier", "DHL", "--tracking-number", "JD1", "--yes"];
  expect((await runOps("shipment", "ship", "GO-00088-2", ...ship)).err).toBe("");
  const { out } = await runOps("order", "show", "88");
  expect(out).toMatch(/GO-00088-1 .* declined +1001 /);
  expect(out).toMatch(/GO-00088-2 .* shipped +1001 .* 1 Main St, Perth, AU +\+61 8 1234 +DHL JD1/);
  expect(await json("order", "show", "go-88")).toMatchObject({
    recipients: [
      { redemption_status: "cancelled", gift_status: "declined", shipment: null },
      {
        gift_status: "shipped",
        product_name: expect.any(String),
        shipment: { shipment_status: "shipped", carrier: "DHL", tracking_number: "JD1" },
      },
    ],
  });
  expect((await runOps("shipment", "show", "GO-88-1")).out).toContain("is declined");
});
describe("order pay", () => {
  const fileOf = (name: string, ...rows: string[]) => {
    const file = path.join(folder, name);
    writeFileSync(file, rows.join("\n"));
    return file;
  };
  /** Orders on invoice for 20.00 each. */
  async function placeOrders(clientId: string, ...ids: number[]) {
    await runOps(`client add ${clientId} --name P --billing invoice --currency AUD`);
    for (const id of ids) {
      const invoice = { client_id: clientId, status: "created", created_at_ms: 0 };
      await storeInvoicedOrder(platform.env.DB, { id, ...invoice }, [{}, {}]);
    }
  }
  const referencesOf = async (clientId: string) => {
    const { results } = await platform.env.DB.prepare(
      "SELECT order_id, amount_minor, reference FROM invoice_entries WHERE client_id = ? AND kind = 'payment'",
    )
      .bind(clientId)
      .all();
    return results.map((row) => Object.values(row));
  };
  const reasonsOf = async (...words: string[]) =>
    (await json<{ reason: string }[]>("audit", "list", ...words)).map(({ reason }) => reason);

  test("pays several orders with a reference, which the ledger and the audit log have", async () => {
    await placeOrders("several", 301, 302);
    const words = ["order", "pay", "GO-00301", "302", "GO-00302", "--reference", " Transfer 1 "];
    const { code, out } = await runOps(...words);
    expect([code, out]).toEqual([0, expect.stringContaining("2 orders are paid.")]);
    expect(out).toMatch(/GO-00301 +several +20\.00 AUD +Transfer 1 +paid/);
    expect(await referencesOf("several")).toEqual([
      [301, -2000, "Transfer 1"],
      [302, -2000, "Transfer 1"],
    ]);
    expect(await reasonsOf("--client", "several", "--order", "301")).toEqual(["Transfer 1"]);
    await refusal(1, "all orders are paid already. Nothing was changed.", ...words);
    await refusal(1, "GO-00301 is paid already. Nothing was changed.", "order", "pay", "301");
    expect(await referencesOf("several")).toHaveLength(2);
  });

  test("pays the orders of a file, each with its reference, and leaves paid ones unchanged", async () => {
    await placeOrders("filed", 311, 312, 313);
    await runOps("order pay 311 --reference Earlier");
    const file = fileOf(
      "payments.csv",
      "Order number;Client ID;order_ref_id;Amount;Currency;Bank reference",
      "go-00311;;;20.00;;T-1",
      ";filed;PO-312;20;aud;T-2",
      "313;;;;;",
    );
    const words = ["order", "pay", "--file", file, "--reference", "Day 4"];
    const done = await json(...words);
    expect(done).toMatchObject({
      environment: "local",
      file,
      counts: { paid: 2, unchanged: 1, refused: 0 },
      rows: [
        { row: 2, order: "GO-00311", result: "unchanged", reason: "is paid already" },
        { row: 3, order: "GO-00312", result: "paid", amount: "20.00 AUD", reference: "T-2" },
        { row: 4, order: "GO-00313", result: "paid", client: "filed", reference: "Day 4" },
      ],
    });
    expect(await referencesOf("filed")).toEqual([
      [311, -2000, "Earlier"],
      [312, -2000, "T-2"],
      [313, -2000, "Day 4"],
    ]);
    expect(await reasonsOf("--client", "filed", "--order", "312")).toEqual(["T-2"]);
    await refusal(1, "all orders are paid already", ...words);
  });

  test("checks all rows first, and names each problem", async () => {
    await placeOrders("faulty", 321, 322, 323, 324);
    await runOps("order", "fail", "322");
    const file = fileOf(
      "faulty.csv",
      "order_number,client_id,order_ref_id,amount,currency,reference",
      ...["321,,,20.00,AUD,T-1", "322,,,,,", "323,,,19.99,,", "324,,,20.00,USD,", "399,,,,,"],
      ...["x,,,,,", ",,PO-321,,,", ",,,,,T", "321,,,,,", ",faulty,PO-0,,,", "324,,,1e3,,"],
      `324,,,,,${"r".repeat(101)}`,
      "1.23E+15,,,,,",
    );
    const { code, out, err } = await runOps("order", "pay", "--file", file);
    expect([code, err]).toEqual([
      1,
      `error: ${file} has 12 invalid rows. Nothing was changed. Correct the file.\n`,
    ]);
    const reasons = out.split("\n").map((line) => line.replaceAll(/ +/g, " ").trim());
    for (const reason of [
      "3 322 - - - invalid has failed",
      "4 323 - - - invalid owes 20.00, not 19.99 AUD",
      "5 324 - - - invalid is in AUD, not in USD",
      "6 399 - - - invalid does not exist",
      "7 x - - - invalid must have an order number such as GO-00042: x",
      "8 PO-321 - - - invalid has an order_ref_id and no client_id",
      "9 - - - invalid has no order",
      "10 321 - - - invalid is also in row 2",
      "11 PO-0 - - - invalid does not exist",
      "12 324 - - - invalid must have an amount such as 1027.50: 1e3",
      "13 324 - - - invalid has a reference of more than 100 characters",
      "14 1.23E+15 - - - invalid has a cell that a spreadsheet has changed: 1.23E+15. Format the column as text",
    ]) {
      expect(reasons).toContain(reason);
    }
    expect(await referencesOf("faulty")).toEqual([]);
    await refusal(1, "2 orders cannot be paid", "order pay 321 322 399");
    await refusal(1, "GO-00322 has failed. Nothing was changed.", "order", "pay", "322");
    await refusal(2, "give either orders or --file", "order", "pay");
    await refusal(2, "give either orders or --file", "order pay 321 --file", file);
    await refusal(2, "--reference", 'order pay 321 --reference " "');
    await refusal(1, "(ENOENT)", "order", "pay", "--file", `${file}.none`);
    for (const [text, heads] of [
      ["contains no payments", "order_number"],
      ["has neither a column", "a,b"],
      ["nor both columns", "client_id,amount"],
    ] as const) {
      await refusal(1, text, "order pay --file", fileOf("heads.csv", heads));
    }
  });

  test("pays more orders than a transaction has", async () => {
    const ids = Array.from({ length: 23 }, (_, index) => 340 + index);
    await placeOrders("many", ...ids);
    const { code } = await runOps("order", "pay", ...ids.map(String));
    expect(code).toBe(0);
    expect((await referencesOf("many")).map(([id]) => id)).toEqual(ids);
  });

  test("and order refund: what was paid for a cancelled gift is to be refunded once", async () => {
    await placeOrders("refunds", 331);
    const refund = ["order", "refund", "331", "--reference", "Back 1"];
    await refusal(1, "there is nothing to refund for GO-00331: it is not paid.", ...refund);
    await runOps("order", "pay", "331");
    await refusal(1, "no refund is due", ...refund);
    const cancelled = await runOps("order cancel 331 --gift GO-00331-1");
    expect(cancelled.out).toContain('To be refunded: 10.00 AUD. Record it with "order refund".');
    expect((await runOps(...refund)).out).toContain(
      "The refund of 10.00 AUD for GO-00331 is recorded.",
    );
    await refusal(1, "there is nothing to refund for GO-00331", ...refund);
    await refusal(2, "--reference", "order", "refund", "331");
    const { out } = await runOps("statement", "refunds", "--month", thisMonth());
    const [invoiced] = (JSON.parse(out) as { invoiced: { entries: object[] }[] }).invoiced;
    expect(invoiced).toMatchObject({
      totals: { payments: { amountMinor: -2_000 }, refunds: { amountMinor: 1_000 } },
    });
    expect(invoiced?.entries.at(-1)).toMatchObject({
      kind: "refund",
      orderId: 331,
      reference: "Back 1",
      amountMinor: 1_000,
      toRefundMinor: 0,
    });
    expect(await reasonsOf("--client", "refunds", "--order", "331")).toEqual(
      expect.arrayContaining(["Back 1"]),
    );
  });
});

const thisMonth = () => new Date().toISOString().slice(0, 7);
