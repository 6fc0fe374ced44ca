// The operation `code upload`.
import { env } from "cloudflare:workers";
import { expect, test } from "vitest";
import { openConsole } from "../../console/console.ts";
import {
  addCodesTo,
  codeProduct,
  openShop,
  simpleProduct,
  stockOf,
} from "../../support/fixtures.ts";
import { runs } from "../../support/runs.ts";
import { sql } from "../../support/sql.ts";
import { openOperatorApi } from "../operator-api.ts";

const api = await openOperatorApi(["fulfilment"]);

const file = (...rows: readonly unknown[][]) =>
  new File([rows.map((row) => `${row.map(String).join(";")}\n`).join("")], "codes.csv");

const HEAD = ["product", "code", "pin", "url", "valid until"];

const newProduct = async () => (await openShop(codeProduct())).product;

test("adds the new codes, and leaves out those that are known, repeated or expire soon", async () => {
  const product = await newProduct();
  const { id } = product.product;
  const [known] = await addCodesTo(product, 1);
  const url = `https://shop.example/${String(id)}`;
  const input = {
    file: file(
      HEAD,
      [id, `A-${String(id)}`, "0042", url, "2040-06-30"],
      [id, "", "", url, ""],
      [id, `a${String(id)}`, "", "", ""],
      [id, known, "", "", ""],
      [id, `B${String(id)}`, "", "", "2026-01-01"],
    ),
    batch: "Delivery of 1 May",
  };
  const plan = await api.plan("code upload", input);
  const counts = { product: id, variation: null, new: 2, known: 1, expired: 1 };
  expect(plan.lists["products"]).toEqual([counts]);
  expect(plan.lists["left_out"]).toMatchObject([{ rows: "4", count: 1 }]);
  await api.run("code upload", input);
  expect(await stockOf(id)).toBe(3);
  const { results } = await sql(
    "SELECT batch, sealed, expires_at_ms FROM codes WHERE product_id = ? AND batch <> 'test'",
    id,
  ).all();
  const batch = "Delivery of 1 May";
  const expires = [Date.UTC(2040, 6, 1, 12), null];
  expect(results).toMatchObject(expires.map((expires_at_ms) => ({ batch, expires_at_ms })));
  expect(JSON.stringify(results)).not.toContain(String(id));
  expect((await api.plan("code upload", input)).will).toBeNull();
});

test("leaves out the rows that are invalid, and never repeats a code in the reason", async () => {
  const { id } = (await newProduct()).product;
  const other = (await openShop(simpleProduct())).product.product.id;
  const secret = "1.23457E+15";
  const rows = [
    [id, secret, "", "", ""],
    [id, "OK", "02-Jan", "", ""],
    [id, "", "SECRET", "", ""],
    [id, "SECRET", "", "javascript:alert(1)", ""],
    [id, "SECRET", "", "http://shop.example/", ""],
    [id, "", "", "https://name@shop.example/", ""],
    [id, "Ω".repeat(1_000), "Ω".repeat(1_000), "", ""],
    [id, "SECRET".repeat(600), "", "", ""],
    [id, "SECRET", "", "", "soon"],
    [other, "SECRET2", "", "", ""],
    [999_999_999, "SECRET3", "", "", ""],
    [id, "FINE", "", "", ""],
  ];
  const plan = await api.plan("code upload", { file: file(HEAD, ...rows) });
  expect(plan.hasProblems).toBe(true);
  const rowsOf = plan.lists["left_out"]?.flatMap((each) => (each["rows"] as string).split(", "));
  expect(rowsOf?.map(Number)).toEqual([2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]);
  expect(JSON.stringify(plan)).not.toMatch(/SECRET|1\.23457/);
  await api.run("code upload", { file: file(HEAD, ...rows) });
  expect(await stockOf(id)).toBe(1);
});

test.each([
  ["1001,SECRET,,\n", 200],
  ['product,code\n1001,SECRET"1\n', 400],
])(
  "the answer for a file without columns or with stray quotes has no code: %j",
  async (content, expected) => {
    const given = { file: new File([content], "codes.csv") };
    const { status, html } = await api.call("code upload", given, {});
    expect(status).toBe(expected);
    expect(html).not.toContain("SECRET");
  },
);

test("the file of a form whose change is to be confirmed cannot be read in KV", async () => {
  const { id } = (await newProduct()).product;
  const user = await (await openConsole()).signIn("fulfilment");
  const given = { file: file(HEAD, [id, "KV-SECRET", "", "", ""]) };
  const plan = await user.submit(await user.get("/code/upload"), "Continue", given);
  expect(plan.text).toContain("add 1 code of batch codes.csv");
  const { keys } = await env.KV.list();
  const stored = await Promise.all(keys.map(({ name }) => env.KV.get(name)));
  expect(JSON.stringify([keys, stored])).not.toContain("KV-SECRET");
  await user.submit(plan, "Upload codes");
  expect(await stockOf(id)).toBe(1);
});

test("uploads a file of many codes, also in parts, with rows that are linear in the codes", async () => {
  const { id } = (await newProduct()).product;
  const count = runs(10_000);
  const rows = Array.from({ length: count }, (_, n) => [
    id,
    `${String(id)}-${String(n).padStart(5, "0")}`,
    String(n).padStart(4, "0"),
    "",
    "2035-12-31",
  ]);
  await api.run("code upload", { file: file(HEAD, ...rows.slice(0, count / 10)) });
  const input = { file: file(HEAD, ...rows) };
  const { status, meter, html } = await api.confirm("code upload", input);
  expect(status, html).toBe(200);
  expect(meter.rowsWritten).toBeLessThan(7 * count);
  expect(meter.rowsRead).toBeLessThan(10 * count);
  expect(await stockOf(id)).toBe(count);
});

test("finds the same code after a rotation of the secret", async () => {
  const product = await newProduct();
  const { id } = product.product;
  const [code] = await addCodesTo(product, 1);
  const CODE_SECRET = "another code secret of the tests, long enough";
  const rotated = { CODE_SECRET, CODE_SECRET_PREVIOUS: env.CODE_SECRET };
  const operator = await openOperatorApi(["fulfilment"], await openConsole({ env: rotated }));
  const plan = await operator.plan("code upload", { file: file(HEAD, [id, code, "", "", ""]) });
  expect(plan.lists["products"]).toMatchObject([{ new: 0, known: 1 }]);
});
