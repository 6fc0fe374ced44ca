// The examples of the documentation, at the operator API, in the console and in the commands.
import { env } from "cloudflare:workers";
import { beforeAll, expect, test } from "vitest";
import { pagePath } from "../../src/console/skin/paths.ts";
import { OPERATIONS } from "../../src/operator/operations.ts";
import { openConsole } from "../console/console.ts";
import { MAILING } from "../support/emails.ts";
import { createClient, simpleProduct, variableProduct } from "../support/fixtures.ts";
import {
  ALL_STATES,
  csv,
  INVENTORY_HEAD,
  shopifyFile,
  wooCommerceFile,
} from "./catalogue/import/shop-files.ts";
import { openCatalogue, shopFile } from "./catalogue/published.ts";
import { formOf, queryOf, runCommand, textOf } from "./forms-and-commands.ts";
import { openOperatorApi } from "./operator-api.ts";
import { SAMPLES } from "./samples.ts";

// The examples have dates before and after this one.
const opened = await openConsole({ env: MAILING, now: () => Date.parse("2026-11-27T12:00:00Z") });
const engineer = await openOperatorApi(["engineer"], opened);

const inputFor = async (name: string) => (await SAMPLES[name]?.()) ?? {};

const examples = OPERATIONS.flatMap((operation) =>
  (operation.examples ?? []).map((line) => [operation.name, line, operation] as const),
);

// No example is carried out, so all have the same shop and client.
const goods = [simpleProduct({}, { quantity: 5 }), variableProduct()];
let [shop, clientId] = ["", ""];

beforeAll(async () => {
  const catalogue = "main";
  await engineer.run("catalogue add", { name: catalogue, currency: "AUD" });
  await engineer.run("catalogue publish", { catalogue, file: shopFile([{}]) });
  shop = await openCatalogue(engineer, [{ SKU: "MUG-L", Stock: "5" }]);
  ({ clientId } = await createClient({ products: goods }));
});

test.each(examples)("%s %s", async (name, line, operation) => {
  const { named, files } = await objectsOf(name);
  const words = [...line.replace(/--env \S+$/, "").matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g)].map(
    ([, double, single, plain]) => double ?? single ?? plain ?? "",
  );
  const given = words.map((word) =>
    named.reduce((text, [pattern, value]) => text.replaceAll(pattern, value), word),
  );
  const user = await opened.signIn("engineer");
  const command = [...name.split(" "), ...given];
  const isChange = operation.type === "change";
  const { code, requests, err } = await runCommand(
    user,
    isChange ? ["--plan", ...command] : command,
    files,
  );
  expect(
    requests.map(({ status }) => status),
    err,
  ).toEqual(requests.map(() => 200));
  expect([0, 1], err).toContain(code);
  const input = requests[0]?.input ?? {};
  const answer = await engineer.call(name, input);
  expect(answer.status, answer.html).toBe(200);

  const isInAddress = !isChange && !operation.isPersonal;
  const query = isInAddress
    ? new URLSearchParams(Object.entries(input).map(([key, value]) => [key, textOf(value)]))
    : queryOf(operation, input);
  let page = await user.get(`${pagePath(operation)}?${query.toString()}`);
  const button = isChange ? "Continue" : "Show";
  if (!isInAddress && page.html.includes(`>${button}</button>`)) {
    page = await user.submit(page, button, formOf(operation, input));
  }
  // A search for a number leads to its page.
  expect([200, 303], page.text).toContain(page.status);
  expect(page.html).not.toContain('aria-invalid="true"');
  if (isChange) expect(page.text).toMatch(/This will|Nothing would be changed/);
});

/** The objects that stand for those in examples, and files with the names in examples. */
async function objectsOf(name: string) {
  const { file, ...sample } = (await inputFor(name)) as Record<string, unknown>;
  const [gift = "GO-00001-1"] = [sample["gift"] ?? sample["all_of"] ?? []].flat() as string[];
  const [order = gift.replace(/-\d+$/, ""), other = order] = [
    sample["order"] ?? [],
  ].flat() as string[];
  const row = await env.DB.prepare(
    "SELECT s.email, o.client_id FROM gifts s JOIN orders o ON o.id = s.order_id WHERE printf('GO-%05d-%d', o.id, s.sequence) = ?",
  )
    .bind(gift)
    .first<{ email: string; client_id: string }>();
  const [simple, variable] = goods.map(({ product }) => product);
  const named: [RegExp, unknown][] = [
    [/^GO-\d+-\d+$/g, gift],
    [/^GO-00042$/g, order],
    [/^GO-00051$/g, other],
    [/^acme$|^bloom$/g, sample["client"] ?? sample["client_id"] ?? row?.client_id ?? clientId],
    [/^main$/g, sample["catalogue"] ?? shop],
    [/^boutique$/g, name === "catalogue add" ? sample["name"] : shop],
    [/^shop$/g, shop],
    [/^wellness$/g, sample["collection"]],
    [/^12$/g, sample["webhook"] ?? sample["set"] ?? 12],
    [/^918$/g, sample["event"]],
    [/^900$/g, 1],
    [/^ada@example\.com$/g, row?.email ?? "ada@example.com"],
    [/^1003,1010$/g, [sample["products"]].flat()[0]],
    [/^17$/g, sample["product"] ?? 17],
    [/^1001$/g, simple?.id],
    [/^1003$/g, variable?.id],
    [/^5001$/g, variable?.variations[0]?.id],
    [/^Hop Lane$/g, simple?.vendor.name],
  ];
  const available = { Location: "A", "Available (not editable)": "5" };
  const inventory = { Handle: "product", "Option1 Value": "Default Title", ...available };
  const shipped = name === "shipment upload" ? (await inputFor("shipment deliver"))["gift"] : "";
  const stored = file instanceof File ? file : "";
  const files = {
    "products.csv": wooCommerceFile([{}]),
    "products_export.csv": shopifyFile([{}]),
    "inventory_export.csv": csv([...INVENTORY_HEAD, ...ALL_STATES], [inventory]),
    "counts.csv": "sku,quantity\nMUG-L,9\n",
    "codes.csv": "sku,code\nMUG-L,A7\n",
    "claims.csv": "sku,Claim Code,Status\nMUG-L,A7,Active\n",
    "statement.csv": "Text,Betrag,Status\nGO-00042,31.20,Completed\n",
    "delivered.csv": `gift\n${String(shipped)}\n`,
    "returned.csv": `gift\n${String(shipped)}\n`,
    "shipped.csv": stored,
    "payments.csv": stored,
    "lasting.json": stored,
  };
  return {
    named: named.map(([pattern, value]) => [pattern, String(value)] as const),
    files: Object.entries(files).map(([each, content]) => new File([content], each)),
  };
}
