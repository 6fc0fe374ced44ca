// `order list`, `show`, `pay`, `fail`, `cancel` and `extend`, and `event list`.
import { beforeAll, describe, expect, test } from "vitest";
import { json, refusal, runOps, SEED } from "../../support/ops.ts";
import { platform, usePlatform } from "../../support/platform.ts";
import { storeOrder } from "../../support/stored-orders.ts";

usePlatform();

beforeAll(() => json("catalogue", "publish", SEED));

describe("order", () => {
  test("list, show and transitions work, and simultaneous transitions run once", async () => {
    await json(
      "client",
      "add",
      "buyer",
      "--name",
      "B",
      "--billing",
      "invoice",
      "--currency",
      "AUD",
    );
    const { DB } = platform.env;
    const price = { product_price_minor: 11000, subtotal_minor: 11000, order_total_minor: 11000 };
    await storeOrder(
      DB,
      {
        ...{ id: 42, client_id: "buyer", order_ref_id: "PO-1", status: "created", ...price },
        ...{ took_stock: 1, metadata: '{"campaign":"spring"}' },
      },
      [{ external_id: "employee-7", metadata: '{"team":"sales"}' }],
    );
    await DB.prepare("UPDATE stock SET quantity = 4999 WHERE product_id = 1001").run();
    expect(await json("order", "list", "--client", "buyer", "--status", "created")).toMatchObject([
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
      /status +cancieled[^]*metadata +{"campaign":"spring"}[^]*Ana Reyes +ana@example.com +cancelled +1001 .+ employee-7 +{"team":"sales"}/,
    );
    expect(out).toMatch(/product +1001 \S/);
    expect(out).toMatch(
      /Timeline:\n.*\n.* order pay +GO-00042 .*status: created -> paid\n.* order\.paid +GO-00042 .*\n.* order cancel +GO-00042 [^]* order\.cancelled +GO-00042 /,
    );
    const orders = await json("order", "list", "--client", "buyer", "--status", "cancelled");
    expect(orders).toMatchObject([{ id: 42, status: "cancieled" }]);
    expect(await json("order", "list", "--status", "cancieled", "--client", "buyer")).toEqual(
      orders,
    );
    expect(await json("order", "show", "42", "--limit", "1")).toMatchObject({
      metadata: { campaign: "spring" },
      timeline: [{ kind: "event", event: { type: "order.cancelled" } }],
      timeline_complete: false,
      recipients: [{ external_id: "employee-7", metadata: { team: "sales" } }],
    });
    const list = ["event", "list", "--client", "buyer"];
    const [all, latest, after, paid] = await Promise.all([
      runOps(...list),
      json(...list, "--limit", "1"),
      json(...list, "--after", "0", "--limit", "1"),
      json(...list, "--type", "order.paid"),
    ]);
    expect(all.out).toMatch(
      /1 .* order\.paid +GO-00042 +PO-1 +order_status=paid .* metadata={"campaign":"spring"}.*\n.*2 .* order\.c/,
    );
    const event = { order_id: 42, order_ref_id: "PO-1" };
    expect(latest).toMatchObject([{ ...event, sequence: 2, type: "order.cancelled" }]);
    expect(after).toMatchObject([{ ...event, sequence: 1, type: "order.paid" }]);
    expect(paid).toEqual(after);
    expect(await json("event", "list", "--order", "go-42-1", "--type", "order.paid")).toEqual(paid);
    expect(await json("event", "list", "--order", "42", "--client", "buyer")).toHaveLength(2);
    await refusal(2, "give --client or --order", "event", "list");
    await refusal(1, "there is no order GO-00077", "event", "list", "--order", "77");
    await refusal(1, "there is no client globex", "event", "list", "--client", "globex");
    const stock = DB.prepare("SELECT quantity FROM stock WHERE product_id = 1001");
    expect(await stock.first("quantity")).toBe(5000);
    await Promise.all([
      refusal(1, "cannot be changed by fail", "order", "fail", "42"),
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
    const profile = ["--name", "G", "--billing", "credit", "--currency", "AUD"];
    await json("client", "add", "giver", ...profile);
    const { DB } = platform.env;
    await DB.prepare(
      `INSERT INTO credit_accounts (client_id, currency, balance_minor, entries)
       VALUES ('giver', 'AUD', 0, 2)`,
    ).run();
    await storeOrder(
      DB,
      {
        ...{ id: 43, client_id: "giver", order_ref_id: "PO-2", order_fee_minor: 1 },
        ...{ order_total_minor: 4001, took_stock: 0, debit_sequence: 2, redeemed_gifts: 1 },
      },
      [{}, { redemption_status: "redeemed", redeemed_at_ms: 1 }, {}, { has_shipment: 1 }],
    );
    await DB.prepare(
      `INSERT INTO credit_entries (client_id, currency, sequence, kind, amount_minor,
         balance_minor, order_id, reference, created_at_ms)
       VALUES ('giver', 'AUD', 1, 'adjustment', 4001, 4001, NULL, 'first', 0),
         ('giver', 'AUD', 2, 'order', -4001, 0, 43, NULL, 0)`,
    ).run();
    const cancel = ["order", "cancel", "GO-00043"];
    await Promise.all([
      refusal(1, "GO-00043-2 cannot be cancelled", ...cancel, "--gift", "43001", "--gift", "43002"),
      refusal(1, "are cancelled with --redeemed.", ...cancel, "--gift", "GO-00043-2"),
      refusal(1, "--gift GO-00043-5 must be a sub-order", ...cancel, "--gift", "GO-00043-5"),
      refusal(1, "--gift GO-00042-1 must be a sub-order", ...cancel, "--gift", "GO-00042-1"),
      refusal(1, "there is no order GO-00077", "order", "cancel", "77", "--gift", "77001"),
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
      ...{ cancelled: ["GO-00043-2"], redeemed: [], returnedInTotalMinor: 3000 },
    });
    await refusal(1, "it is shipped", ...cancel, "--gift", "GO-00043-4", "--redeemed");
    const entries = await json<object[]>("audit", "list", "--order", "GO-00043");
    expect(entries).toContainEqual(
      expect.objectContaining({
        ...{
          subject: "GO-00043-2",
          before: expect.objectContaining({ redemptionStatus: "redeemed" }),
        },
        after: expect.objectContaining({ redemptionStatus: "cancelled" }),
      }),
    );
  });

  test("can be barred for the API of a client", async () => {
    const profile = ["--name", "B", "--billing", "invoice", "--currency", "AUD"];
    const barred = ["--cancellations", "barred"];
    expect(await json("client", "add", "strict", ...profile)).toMatchObject({ mayCancel: true });
    expect(await json("client", "set", "strict", ...barred)).toMatchObject({ mayCancel: false });
    expect((await runOps("client", "show", "strict")).out).toMatch(/cancellations +barred/);
    await refusal(2, "Allowed choices", "client", "set", "strict", "--cancellations", "no");
    const allowed = await runOps("client", "set", "strict", "--cancellations", "allowed");
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
      refusal(1, "has no gift links", "order", "extend", "53", "--redeem-by", lastDay),
      refusal(1, "there is no order GO-00077", "order", "extend", "77", "--no-expiry"),
    ]);
    expect((await runOps(...extend, "--no-expiry")).out).toContain("GO-00052 do not expire.");
    expect(await json("order", "show", "52")).toMatchObject({ redeem_by: null });
    expect((await runOps("audit", "list", "--order", "GO-00052", "--limit", "1")).out).toMatch(
      new RegExp(`order extend +order GO-00052 .* expiresAt: .* -> -$`, "m"),
    );
    const events = (await runOps("event", "list", "--client", "extender")).out;
    expect(events).toMatch(new RegExp(`order\\.extended +GO-00052[^]*${lastDay}`));
    await DB.prepare("UPDATE orders SET expires_at_ms = 1 WHERE id = 52").run();
    await refusal(1, "Expired gifts stay expired", ...extend, "--no-expiry");
  });
});

test("a declined gift is shown as declined, with the address and the shipment of the others", async () => {
  await json(
    "client",
    "add",
    "decliner",
    "--name",
    "D",
    "--billing",
    "invoice",
    "--currency",
    "AUD",
  );
  const columns = {
    id: 88,
    client_id: "decliner",
    gift_order_method: "api-giftlink",
    link_nonce: "1",
  };
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
