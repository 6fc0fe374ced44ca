// The role of a vendor: its own gifts and products at all doors, and nothing else.
import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, test } from "vitest";
import { OPERATIONS } from "../../src/operator/operations.ts";
import type { Operation } from "../../src/operator/declaration/declare.ts";
import { inputsOf } from "../../src/operator/declaration/input.ts";
import type { Kind } from "../../src/operator/declaration/kinds.ts";
import { localTime } from "../../src/core/values/time-zone.ts";
import { toGiftNumber } from "../../src/core/values/ids.ts";
import { consoleRoutes } from "../../src/console/pages/routes.ts";
import { apiPath } from "../../src/console/api/routes.ts";
import { mayDo, type User } from "../../src/operator/roles.ts";
import { openConsole, CONSOLE_URL, type ConsoleUser } from "../console/console.ts";
import {
  ADDRESS,
  createClient,
  openShop,
  orderOf,
  recipients,
  simpleProduct,
  stockOf,
} from "../support/fixtures.ts";
import { changeParcels } from "../support/gift.ts";
import { placeOrder } from "../support/orders.ts";
import { startWorker } from "../support/worker.ts";
import { runCommand } from "./forms-and-commands.ts";
import { openOperatorApi } from "./operator-api.ts";

const VENDOR: User = { name: "", roles: [], vendor: "A Vendor" };

/** A text of everything that belongs to the other vendor, and of the client. */
const CANARY = "canary";

const opened = await openConsole();
const engineer = await openOperatorApi(["engineer"], opened);
const own = await openOperatorApi(["vendor"], opened);
const worker = startWorker();

const otherVendor = { ...simpleProduct().product.vendor, name: "Other Vendor" };

/** A client with a product of each vendor, and an order of three gifts of each, of which the second is shipped. */
async function openBoth() {
  const mine = simpleProduct();
  const foreign = simpleProduct({ name: `${CANARY} product`, vendor: otherVendor });
  const id = `${CANARY}-${String(mine.product.id)}`;
  const client = await createClient({ id, name: `${CANARY} Ltd`, products: [mine, foreign] });
  const order = async (product: typeof mine, recipient: object) => {
    const { order_data } = await placeOrder(
      worker,
      client,
      orderOf(product, {
        order_ref_id: `${CANARY}-${crypto.randomUUID()}`,
        recipient_details: recipients(3).map((each) => ({ ...each, ...recipient })),
      }),
    );
    const orderId = order_data.order_id;
    await changeParcels("ship", [{ orderId, sequence: 2, trackingNumber: `${CANARY}2` }]);
    return { orderId, gift: toGiftNumber(orderId, 1), shipped: toGiftNumber(orderId, 2) };
  };
  return {
    client,
    products: { mine: mine.product.id, foreign: foreign.product.id },
    mine: await order(mine, { first_name: "Mina" }),
    foreign: await order(foreign, {
      first_name: CANARY,
      email: `${CANARY}@example.com`,
      delivery_address: { ...ADDRESS, suburb: CANARY },
    }),
  };
}

let both: Awaited<ReturnType<typeof openBoth>>;
let user: ConsoleUser;

beforeAll(async () => {
  both = await openBoth();
  user = await opened.signIn("vendor");
});

const setShown = (shown: boolean) =>
  engineer.run("vendor set", { vendor: "a VENDOR", shows_client: shown });

describe("a vendor", () => {
  test("lists its own gifts, and picks them", async () => {
    for (const name of ["shipment list", "shipment picklist"]) {
      const { rows, meters } = await own.all(name, {}, 1);
      expect(new Set(rows.map((row) => row["vendor"]))).toEqual(new Set(["A Vendor"]));
      expect(rows.map((row) => row["gift"])).toContain(both.mine.gift);
      expect(JSON.stringify(rows)).not.toContain(CANARY);
      expect(meters.every(({ roundTrips }) => roundTrips <= 5)).toBe(true);
    }
    const { text } = JSON.parse((await own.call("shipment list")).html);
    expect(text).toMatch(/^\d+ gifts? (is|are) to be shipped\.$/);
    const all = JSON.parse((await engineer.call("shipment list")).html);
    expect(all.text).toMatch(/By vendor: .*Other Vendor 2/);
  });

  test("sees the client only if the vendor may", async () => {
    const shownIn = async (name: string) => {
      const { rows } = await own.all(name);
      const row = rows.find(({ gift }) => gift === both.mine.gift);
      return [row?.["client"] ?? row?.["client_id"], row?.["reference"] ?? row?.["order_ref_id"]];
    };
    await setShown(true);
    for (const name of ["shipment list", "shipment picklist"]) {
      expect(await shownIn(name)).toEqual([
        both.client.clientId,
        expect.stringContaining(CANARY) as string,
      ]);
    }
    await setShown(false);
    for (const name of ["shipment list", "shipment picklist"]) {
      expect((await shownIn(name)).map((each) => each ?? null)).toEqual([null, null]);
      // A position with a client would find out that of each gift by trying.
      const after = `${both.client.clientId}_0_${String(both.foreign.orderId)}_1`;
      const { next } = await own.list(name, {}, { limit: 1 });
      expect(next).toMatch(/^_/);
      expect((await own.call(name, {}, { after })).status).toBe(400);
      expect((await own.list(name, {}, { after: "z_0_0_0" })).rows.length).toBeGreaterThan(0);
    }
  });

  test.for<[step: string, input: object, status: string]>([
    ["ship", { carrier: "DHL", tracking_number: "JD1" }, "shipped"],
    ["correct", { tracking_number: "JD2" }, "shipped"],
    ["deliver", {}, "delivered"],
    ["return", { problem: "refused" }, "returned"],
    ["fail", { problem: "lost" }, "failed"],
  ])("may %s its own gift, and not another one", async ([step, input, status]) => {
    const { mine, foreign } = both;
    await own.run(`shipment ${step}`, { gift: mine.gift, ...input });
    const select = "SELECT status FROM shipments WHERE order_id = ? AND sequence = 1";
    expect(await env.DB.prepare(select).bind(mine.orderId).first("status")).toBe(status);
    const answers = [foreign.gift, foreign.shipped, "GO-99999999-1"].map(async (gift) => {
      const { status, html } = await own.call(`shipment ${step}`, { gift, ...input });
      return [status, html.replaceAll(gift, "GIFT")];
    });
    const [, , unknown] = await Promise.all(answers);
    expect(unknown?.[0]).toBe(404);
    expect(await Promise.all(answers)).toEqual([unknown, unknown, unknown]);
    const { rows } = await engineer.list("audit list", { action: `shipment ${step}` });
    expect(rows.map(({ object }) => object)).not.toContain(foreign.gift);
  });

  test("records a file, in which gifts of other vendors do not exist, and its columns are its own", async () => {
    const { mine, foreign } = await openBoth();
    const file = (gift: string) => new File([`gift,number\n${gift},JD1\n`], "a.csv");
    const input = { step: "ship", columns: "tracking_number=number" };
    const { facts } = await own.run("shipment upload", { file: file(mine.gift), ...input });
    expect(facts).toMatchObject({ shipped: 1 });
    const of = async (gift: string) => {
      const { html } = await own.call("shipment upload", { file: file(gift), ...input });
      return JSON.parse(html).lists.left_out[0].reason;
    };
    expect(await of(foreign.gift)).toBe(await of("GO-99999999-1"));
    const reopen = { file: file(mine.gift), step: "reopen" };
    expect(await own.refusal("shipment upload", reopen)).toMatchObject({ fields: ["step"] });
    const others = { file: file(foreign.gift), step: "ship" };
    expect((await engineer.call("shipment upload", others)).html).not.toContain('"untracked":0');
    expect(await env.KV.get("columns:shipments")).toBeNull();
  });

  test("counts the stock of its own products only", async () => {
    const { mine, foreign } = both.products;
    await own.run("stock set", { product: mine, quantity: 5, reason: "count" });
    await own.run("stock adjust", { product: mine, pieces: -2, reason: "broken" });
    expect(await stockOf(mine)).toBe(3);
    const { rows } = await own.list("stock list", { below: 1_000 });
    expect(rows.map(({ product }) => product)).toContain(mine);
    expect(JSON.stringify(rows)).not.toContain(CANARY);
    expect((await own.view("stock show", { product: mine })).facts).not.toHaveProperty(
      "catalogues",
    );
    for (const [name, input] of [
      ["stock show", {}],
      ["stock list", {}],
      ["stock set", { quantity: 7, reason: "count" }],
      ["stock adjust", { pieces: -1, reason: "broken" }],
    ] as const) {
      const answer = async (product: number) => {
        const { status, html } = await own.call(name, { product: String(product), ...input });
        return [status, html.replaceAll(String(product), "PRODUCT")];
      };
      expect(await answer(foreign)).toEqual(await answer(999_999_999));
      expect((await answer(foreign))[0]).toBe(404);
    }
  });

  test("has pages and commands of its work, and reads are recorded", async () => {
    const { gift } = (await openBoth()).mine;
    const { html, text, status, headers } = await user.get("/shipment/list");
    expect(status).toBe(200);
    expect(text).toContain("Mina");
    expect(text).toContain("(A Vendor)");
    const links = [...html.matchAll(/href="(\/[^"?]*)/g)].map(([, href]) => href);
    const pages = links.filter((href) => !href?.startsWith("/static/"));
    for (const href of new Set(pages)) expect((await user.get(href ?? "")).status).not.toBe(404);
    expect(html).not.toMatch(/name="(client|vendor|catalogue|text)"/);
    const read = "SELECT count(*) AS n FROM audit_entries WHERE request_id = ? AND actor = ?";
    const request = [headers.get("X-Request-Id"), user.name];
    expect(
      await env.DB.prepare(read)
        .bind(...request)
        .first("n"),
    ).toBeGreaterThan(0);
    const form = await user.get(`/shipment/ship?gift=${gift}`);
    const first = await user.fetch("/");
    expect([first.status, first.headers.get("Location")]).toEqual([303, "/shipment/list"]);
    const plan = await user.submit(form, "Continue", { tracking_number: "JD1" });
    expect(plan.html).not.toContain(CANARY);
    const done = await user.submit(plan, "Record as shipped");
    expect([done.status, done.text]).toEqual([200, expect.stringContaining(`${gift} is recorded`)]);
    const shipped = await user.get("/shipment/list?status=shipped");
    expect(shipped.html).toContain(`href="/shipment/return?gift=${gift}"`);
    expect((await runCommand(user, ["shipment", "list", "--json"])).code).toBe(0);
    const command = ["shipment", "deliver", gift, "--yes"];
    expect(await runCommand(user, command)).toMatchObject({ code: 0 });
  });
});

describe("nothing else exists for a vendor", () => {
  const hidden = OPERATIONS.filter((operation) => !mayDo(VENDOR, operation));

  test("no page, whatever its method", async () => {
    const init = { Origin: CONSOLE_URL, "Sec-Fetch-Site": "same-origin" };
    for (const { method, path, requirement } of consoleRoutes().list) {
      if (mayDo(VENDOR, requirement)) continue;
      const body = method === "POST" ? new FormData() : null;
      const { status, html } = await user.fetch(path, { method, body, headers: init });
      const [, word = ""] = path.split("/");
      const unknown = await user.fetch(`/${word}/nothing`, { method, body, headers: init });
      expect([path, status, html]).toEqual([path, 404, unknown.html]);
    }
  });

  test("no operation, whatever its method", async () => {
    const unknown = await user.fetch("/operations/no/such", { method: "POST" });
    for (const operation of hidden) {
      for (const method of ["GET", "POST", "PUT"]) {
        const { status, html } = await user.fetch(apiPath(operation), { method });
        expect([operation.name, status, html]).toEqual([operation.name, 404, unknown.html]);
      }
    }
  });

  /** Values of each kind that name what belongs to the other vendor. */
  const foreignValues = (kind: Kind, n: number): unknown => {
    const { foreign, products, client } = both;
    const gifts = [foreign.gift, foreign.shipped];
    const values: Partial<Record<Kind["type"], unknown[]>> = {
      gift: gifts,
      order: [gifts[0]?.replace(/-1$/, "")],
      client: [client.clientId],
      catalogue: [client.catalogue],
      vendor: ["Other Vendor", "OTHER vendor"],
      product: [products.foreign],
      text: [String(products.foreign), foreign.gift, CANARY, client.clientId, "1"],
      file: [new File([`gift,tracking\n${foreign.gift},X1\n`], "a.csv")],
      count: [1, products.foreign],
      id: [1],
      age: ["1h"],
      flag: ["yes"],
      choice: [...(kind.options ?? [])],
      time: ["2020-01-01"],
      url: ["https://x.example/{tracking_number}"],
      day: ["2030-01-01"],
    };
    const all = values[kind.type] ?? [CANARY];
    return all[n % all.length];
  };

  const ROUNDS = 12;

  test.for(OPERATIONS.map((operation) => [operation.name, operation] as const))(
    "%s shows no byte of another vendor",
    async ([name, operation]: readonly [string, Operation]) => {
      const isOwn = mayDo(VENDOR, operation);
      const before = await foreignState();
      for (let n = 0; n < ROUNDS; n++) {
        const fields = Object.entries(inputsOf(operation)).filter(
          ([, field], index) => !field.isOptional || ((n * 2_654_435_761) >> (index + 3)) % 2 !== 0,
        );
        const input = Object.fromEntries(
          fields.map(([each, field], index) => [each, foreignValues(field, n + index)]),
        );
        const answer = await own.call(name, input);
        const texts = Object.entries(input).filter(([, value]) => !(value instanceof File));
        const query = new URLSearchParams(texts.map(([key, value]) => [key, String(value)]));
        const page = await user.get(`/${name.replaceAll(" ", "/")}?${query.toString()}`);
        const statuses = isOwn ? [200, 303, 400, 404, 409, 422] : [404];
        expect(statuses, name).toContain(answer.status);
        expect(statuses, name).toContain(page.status);
        for (const { html, status } of [answer, page]) {
          // What was sent may be repeated.
          const shown = Object.values(input).reduce<string>(
            (rest, value) => rest.replaceAll(String(value), ""),
            html.replaceAll(query.toString().replaceAll("&", "&amp;"), ""),
          );
          expect(shown, `${name} ${JSON.stringify(input)} ${String(status)}`).not.toMatch(
            new RegExp(`${CANARY}|Other Vendor`, "i"),
          );
        }
      }
      expect(await foreignState()).toEqual(before);
    },
  );

  async function foreignState() {
    const { foreign, products } = both;
    const rows = [
      env.DB.prepare("SELECT * FROM shipments WHERE order_id = ?").bind(foreign.orderId),
      env.DB.prepare("SELECT * FROM stock WHERE product_id = ?").bind(products.foreign),
      env.DB.prepare("SELECT count(*) FROM audit_entries WHERE order_id = ?").bind(foreign.orderId),
    ];
    return (await env.DB.batch(rows)).map(({ results }) => results);
  }
});

test("the plan of a time zone shows the present time there", async () => {
  const vendor = `Vendor ${crypto.randomUUID()}`;
  await openShop(simpleProduct({ vendor: { ...otherVendor, name: vendor } }));
  for (const time_zone of ["EST", "Etc/GMT+10", "+10:00"]) {
    const clock = () => `It is ${localTime(Date.now(), time_zone)} in ${time_zone}.`;
    const before = clock();
    const { warnings } = await engineer.plan("vendor set", { vendor, time_zone });
    expect([before, clock()]).toContain(warnings[0]);
    await engineer.run("vendor set", { vendor, time_zone });
  }
});

test("an endpoint is shown without its path and query, and a form keeps it", async () => {
  const vendor = `Vendor ${crypto.randomUUID()}`;
  await openShop(simpleProduct({ vendor: { ...otherVendor, name: vendor } }));
  const webhook_url = "https://hooks.example.com/T0K3N?key=T0K3N";
  const input = { vendor, webhook_url };
  const answers = [
    engineer.call("vendor set", input),
    engineer.confirm("vendor set", input),
    engineer.call("vendor list", {}, { limit: "1000" }),
    engineer.call("vendor show", { vendor }),
  ];
  for (const answer of answers) expect((await answer).html).not.toContain("T0K3N");
  const support = await opened.signIn("engineer");
  const form = await support.get(`/vendor/set?vendor=${encodeURIComponent(vendor)}`);
  expect(form.html).not.toContain("T0K3N");
  const plan = await support.submit(form, "Continue", { email: "parcels@vendor.example" });
  await support.submit(plan, "Change the vendor");
  const stored = env.DB.prepare("SELECT webhook_url, email FROM vendors WHERE name = ?");
  expect(await stored.bind(vendor).first()).toEqual({
    webhook_url,
    email: "parcels@vendor.example",
  });
  const other = { vendor, webhook_url: "https://other.example.com/hook" };
  expect((await engineer.plan("vendor set", other)).changes).toHaveLength(1);
  const shown = { vendor, webhook_url: "https://hooks.example.com/…" };
  expect(await engineer.refusal("vendor set", shown)).toMatchObject({ status: 400 });
});
